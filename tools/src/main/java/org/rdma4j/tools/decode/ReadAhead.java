package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;

/**
 * The frames of a file in their order, read ahead of whoever asks for them by a thread of its own. What is true of a frame
 * by itself is found out by whichever of the two has time: the reader where enough is read, the asker where nobody did it
 * yet. A few batches are under way at most, however long the file is.
 */
final class ReadAhead implements CheckedFrames {

    private static final int BATCH = 512;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCHES = 4;

    /** Frames, and what stopped the reader behind them. */
    private static final class Batch extends FutureTask<List<CheckedFrame>> {

        /** {@code null} where nothing did. */
        private final Throwable problem;

        private final boolean isLast;

        Batch(List<CapturedPacket> frames, int udpPort, Throwable problem, boolean isLast) {
            super(() -> checked(frames, udpPort));
            this.problem = problem;
            this.isLast = isLast;
        }

        private static List<CheckedFrame> checked(List<CapturedPacket> frames, int udpPort) {
            CheckedFrame.Checker checker = new CheckedFrame.Checker(udpPort);
            List<CheckedFrame> checked = new ArrayList<>(frames.size());
            for (CapturedPacket frame : frames) {
                checked.add(checker.check(frame));
            }
            return checked;
        }
    }

    private final CaptureReader reader;
    private final int udpPort;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread;

    // What is given out, and what comes behind it.
    private List<CheckedFrame> frames = List.of();
    private int taken;
    private Throwable problem;
    private boolean ended;

    ReadAhead(CaptureReader reader, int udpPort) {
        this.reader = reader;
        this.udpPort = udpPort;
        this.thread = Thread.ofPlatform().name("read ahead").daemon().start(this::read);
    }

    @Override
    public CheckedFrame next() {
        while (taken == frames.size()) {
            Throwable reached = problem;
            problem = null;
            if (reached != null) {
                rethrow(reached);
            }
            if (ended) {
                return null;
            }
            take();
        }
        return frames.get(taken++);
    }

    private void take() {
        taken = 0;
        frames = List.of();
        ended = true;
        try {
            Batch batch = batches.take();
            batch.run(); // which does nothing where the reader did it
            frames = batch.get();
            problem = batch.problem;
            ended = batch.isLast;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            rethrow(e.getCause());
        }
    }

    private static void rethrow(Throwable problem) {
        switch (problem) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(problem);
        }
    }

    private void read() {
        try {
            Batch next;
            do {
                next = cut();
                if (!batches.offer(next)) {
                    checkThoseThatWait();
                    batches.put(next);
                }
            } while (!next.isLast && !Thread.currentThread().isInterrupted());
        } catch (InterruptedException _) {
            // Nobody wants to know how it goes on.
        }
    }

    private void checkThoseThatWait() {
        for (Batch batch : batches) {
            batch.run();
        }
    }

    private Batch cut() {
        List<CapturedPacket> captured = new ArrayList<>();
        long bytes = 0;
        try {
            while (captured.size() < BATCH && bytes < BATCH_BYTES) {
                CapturedPacket packet = reader.read();
                if (packet == null) {
                    return new Batch(captured, udpPort, null, true);
                }
                bytes += packet.length();
                captured.add(packet);
            }
            return new Batch(captured, udpPort, null, false);
        } catch (CaptureException e) {
            return new Batch(captured, udpPort, e, !e.passable());
        } catch (RuntimeException | Error e) {
            return new Batch(captured, udpPort, e, true);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
