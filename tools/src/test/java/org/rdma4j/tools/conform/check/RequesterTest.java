package org.rdma4j.tools.conform.check;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;

/** What an ordinary program shows of its completions: that it goes on. */
class RequesterTest {

    private static final int PSN = 0xFF_FFFF;
    private static final int SIZE = 64;

    /** Nothing is waited for. */
    private static final Pace AT_ONCE = new Pace() {

        @Override
        public long now() {
            return 0;
        }

        @Override
        public <T> T await(Supplier<T> ready, long nanos) {
            return ready.get();
        }
    };

    private final LoopNetwork network = new LoopNetwork();
    private final Wire ours = new Wire(network.join(Gid.ofIpv4(0x0A00_0001)), AT_ONCE::now);
    private final Wire theirs = new Wire(network.join(Gid.ofIpv4(0x0A00_0002)), AT_ONCE::now);
    private final Line program = theirs.open();
    private final Requester peer = new Requester(connection(), new Work(Work.Op.WRITE, SIZE, 1));

    private Connection connection() {
        Line line = ours.open();
        line.connect(theirs.gid(), program.qpn());
        program.connect(ours.gid(), line.qpn());
        return new Connection(
                line,
                AT_ONCE,
                new Timing(0, 0, 0),
                1024,
                PSN,
                PSN,
                program.qpn(),
                0,
                0,
                0,
                14,
                null,
                () -> null,
                () -> {});
    }

    private void programWrites(int psn) {
        program.send(new Crafted(Opcode.RC_RDMA_WRITE_ONLY, psn, new Reth(Requester.ADDRESS, Requester.R_KEY, SIZE))
                .payload(SIZE));
        theirs.turn();
        ours.turn();
    }

    @AfterEach
    void close() {
        ours.close();
        theirs.close();
    }

    @Test
    void programThatGoesOnHasCompleted() {
        programWrites(0);
        assertThrows(Outcome.Failed.class, peer::completesNothing);
        assertThrows(Outcome.Failed.class, peer::nextUnlessFailed);
    }

    @Test
    void programThatSendsAgainHasNot() {
        programWrites(PSN);
        assertDoesNotThrow(peer::completesNothing);
    }

    @Test
    void programMayGoOnWhenItShould() {
        programWrites(0);
        peer.succeeded(1);
        assertDoesNotThrow(peer::completesNothing);
    }
}
