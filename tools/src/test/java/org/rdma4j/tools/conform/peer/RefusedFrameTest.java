package org.rdma4j.tools.conform.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.craft.CableEnd;
import org.rdma4j.tools.conform.craft.FrameOutlet;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.conform.suite.Suite;
import org.rdma4j.verbs.DeviceContext;

/** An interface that does not take a frame: that is one check's trouble, and not the end of the run. */
class RefusedFrameTest {

    private static final String REFUSAL =
            "--frames eth0: a frame of 1098 bytes did not leave: EMSGSIZE: message too long";

    /** An end of a cable whose frames do not leave for a while. */
    private static final class Moody implements FrameOutlet {

        private final FrameOutlet plain;
        private volatile String refusal = REFUSAL;
        private volatile boolean isStationKnown = true;

        Moody(FrameOutlet plain) {
            this.plain = plain;
        }

        @Override
        public long local() {
            return plain.local();
        }

        @Override
        public long remote() {
            if (!isStationKnown) {
                throw new ToolException(ExitStatus.FAILED, "--frames eth0: the ARP table does not know 192.0.2.1");
            }
            return plain.remote();
        }

        @Override
        public String send(byte[] frame) {
            return refusal == null ? plain.send(frame) : refusal;
        }

        @Override
        public void hear(Consumer<byte[]> ear) {
            plain.hear(ear);
        }

        @Override
        public void close() {
            plain.close();
        }
    }

    private static Result run(BuiltInPeer peer, String id) {
        Check check = Suite.checks().stream()
                .filter(it -> it.id().equals(id))
                .findFirst()
                .orElseThrow();
        return new Judge(peer, UnaryOperator.identity()).run(check, Variant.USUAL);
    }

    @Test
    void makesItsCheckInconclusiveAndNoOther() {
        CableEnd[] ends = CableEnd.pair();
        Moody outlet = new Moody(ends[1].outlet());
        try (BuiltInPeer peer = new BuiltInPeer(kind -> Station.between(
                DeviceContext.on(ends[0].link(), kind.options()),
                Wire.driven(ends[1].link()).framing(outlet)))) {
            Result refused = run(peer, "HDR-15a");
            assertEquals(Verdict.INCONCLUSIVE, refused.verdict());
            assertEquals(REFUSAL, refused.reason());

            outlet.refusal = null;
            outlet.isStationKnown = false;
            Result unknown = run(peer, "HDR-15a");
            assertEquals(Verdict.INCONCLUSIVE, unknown.verdict());
            assertEquals("--frames eth0: the ARP table does not know 192.0.2.1", unknown.reason());

            outlet.isStationKnown = true;
            Result taken = run(peer, "HDR-15a");
            assertEquals(Verdict.PASS, taken.verdict(), taken.reason());
        }
    }
}
