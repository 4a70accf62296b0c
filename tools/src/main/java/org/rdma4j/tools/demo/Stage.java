package org.rdma4j.tools.demo;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.link.tap.LadderTap;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.trace.Ladder;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/**
 * The two ends and the wire between them. One thread drives both, so that the story is told in its order; what arrives at
 * either end goes into the capture and onto the ladder.
 */
final class Stage implements AutoCloseable {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** How long nothing may happen before an operation counts as over: what is still on its way is drawn with it. */
    private static final long QUIET = TimeUnit.MICROSECONDS.toNanos(500);

    /** Close to the end of the numbers, so that the demo crosses it: 2^24 - 2. */
    private static final int FIRST_PSN = 0xFF_FFFE;

    final DemoEnd a;
    final DemoEnd b;
    private final List<String> ladder = new ArrayList<>();
    private final WorkCompletion completion = new WorkCompletion();
    private int packetsUntilLoss = -1;
    private long losses;

    /** Memory of B whose key A had, until a lesson took it back. */
    MemoryRegion lent;

    Stage(String nameOfA, String nameOfB, String implementation, PcapngTap trace) throws IOException {
        Random random = new Random(1);
        LinkOptions link = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, implementation, false);
        DeviceOptions options =
                DeviceOptions.defaults().withProgress(Progress.CALLER).withLink(link);
        LadderTap drawing = new LadderTap(new Ladder(ladder::add));
        DeviceContext deviceA = DeviceContext.open(nameOfA, options);
        DeviceContext deviceB;
        try {
            deviceB = DeviceContext.open(nameOfB, options.withLinkAround(this::lossy));
        } catch (RuntimeException e) {
            deviceA.close();
            throw e;
        }
        a = new DemoEnd("A", deviceA, random, FIRST_PSN);
        b = new DemoEnd("B", deviceB, random, 0);
        a.connect(b);
        b.connect(a);
        deviceA.tap(trace.arrivalsAt(nameOfA).and(drawing.arrivals()));
        deviceB.tap(trace.arrivalsAt(nameOfB).and(drawing.arrivals()));
    }

    private Link lossy(Link link) {
        return new FaultyLink(link, Faults.NONE, new Random(1)).dropReceived(this::isLost);
    }

    private boolean isLost(long number, MemorySegment packet, long offset, int length) {
        boolean isLost = Opcode.isRequest(Bth.opcode(packet, offset)) && packetsUntilLoss-- == 0;
        losses += isLost ? 1 : 0;
        return isLost;
    }

    /** Packets lost so far. */
    long losses() {
        return losses;
    }

    /** Loses one of the requests to come on its way to B: 0 for the next one. */
    void loseRequest(int number) {
        packetsUntilLoss = number;
    }

    /** Waits for a completion and checks that it is the one that must come. */
    WorkCompletion await(DemoEnd end, WcOpcode opcode) {
        WorkCompletion got = await(end, WcStatus.SUCCESS);
        if (got.opcode() != opcode) {
            throw new ToolException(
                    ExitStatus.FAILED, "a completion of " + opcode + " was due at " + end.name + ", not " + got);
        }
        return got;
    }

    WorkCompletion await(DemoEnd end, WcStatus status) {
        until(() -> end.completions.poll(completion), "a completion at " + end.name);
        if (completion.status() != status) {
            throw new ToolException(ExitStatus.FAILED, status + " was due at " + end.name + ", not " + completion);
        }
        return completion;
    }

    /** Drives both devices until something is true. */
    void until(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new ToolException(ExitStatus.FAILED, what + " did not come within 10 s");
            }
            drive();
        }
    }

    private boolean drive() {
        boolean worked = a.device.progress();
        worked |= b.device.progress();
        if (!worked) {
            Thread.onSpinWait();
        }
        return worked;
    }

    /** Lets what is still under way arrive, and makes sure that no completion came that nobody waited for. */
    void settle(String operation) {
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < QUIET) {
            if (drive()) {
                quietSince = System.nanoTime();
            }
        }
        for (DemoEnd end : List.of(a, b)) {
            if (end.completions.poll(completion)) {
                throw new ToolException(
                        ExitStatus.FAILED, operation + ": nothing was to complete at " + end.name + ": " + completion);
            }
        }
    }

    /** The ladder since the last call. */
    List<String> takeLadder() {
        List<String> drawn = List.copyOf(ladder);
        ladder.clear();
        return drawn;
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
