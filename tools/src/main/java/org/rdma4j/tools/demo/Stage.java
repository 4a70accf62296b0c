package org.rdma4j.tools.demo;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.trace.Ladder;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;

/**
 * The two ends and the wire between them. One thread drives both, so that the story is told in its order; what arrives at
 * either end goes into the capture and onto the ladder.
 */
final class Stage implements AutoCloseable {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** How long nothing may happen before an operation counts as over: what is still on its way is drawn with it. */
    private static final long QUIET = TimeUnit.MICROSECONDS.toNanos(500);

    /** Bytes of the memory that B lends. */
    static final int LENT = 4096;

    final DemoEnd a;
    final DemoEnd b;
    private final List<String> ladder = new ArrayList<>();
    private final WorkCompletion completion = new WorkCompletion();

    /** Memory of B whose key A had, until a lesson took it back. */
    MemoryRegion lent;

    Stage(Wires wires, String nameOfA, String nameOfB, PcapngTap trace) throws IOException {
        Random random = new Random(1);
        FrameTap drawing = wires.drawing(new Ladder(ladder::add));
        DeviceContext deviceA = wires.openA(nameOfA);
        DeviceContext deviceB;
        try {
            deviceB = wires.openB(nameOfB);
        } catch (RuntimeException e) {
            deviceA.close();
            throw e;
        }
        a = new DemoEnd("A", deviceA, random);
        b = new DemoEnd("B", deviceB, random);
        deviceA.tap(trace.arrivalsAt(nameOfA).and(drawing));
        deviceB.tap(trace.arrivalsAt(nameOfB).and(drawing));
        wires.connect(this);
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

    /** Checks that both queue pairs are in ERR. */
    void requireEnded() {
        for (DemoEnd end : List.of(a, b)) {
            if (end.queuePair.state() != QpState.ERR) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        end.name + "'s queue pair is in " + end.queuePair.state() + " and must be in ERR");
            }
        }
    }

    /** Checks that nobody wrote to the memory whose key was taken back. */
    void requireLentUntouched() {
        if (lent.memory().mismatch(MemorySegment.ofArray(new byte[LENT])) >= 0) {
            throw new ToolException(ExitStatus.FAILED, "memory was written to by a key that is not valid any more");
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
