package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;

/**
 * The frames of a file in their order, read and checked ahead of whoever asks for them: what is true of a frame by itself
 * is found out in a thread of its own, what follows from the frames before it in the asker's. A few batches are under way
 * at most, however long the file is.
 */
final class ReadAhead implements CheckedFrames {

    private static final int BATCH = 512;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCHES = 4;

    /**
     * Frames, and what stopped the reader behind them.
     *
     * @param problem {@code null} where nothing did
     */
    private record Batch(List<CheckedFrame> frames, Throwable problem, boolean isLast) {}

    private final CaptureReader reader;
    private final CheckedFrame.Checker checker;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    private final Thread thread;
    private Batch batch = new Batch(List.of(), null, false);
    private int taken;

    ReadAhead(CaptureReader reader, CheckedFrame.Checker checker) {
        this.reader = reader;
        this.checker = checker;
        this.thread = Thread.ofPlatform().name("read ahead").daemon().start(this::read);
    }

    @Override
    public CheckedFrame next() {
        while (taken == batch.frames.size()) {
            Batch over = batch;
            if (over.problem != null) {
                batch = new Batch(List.of(), null, over.isLast);
                taken = 0;
                rethrow(over.problem);
            }
            if (over.isLast) {
                return null;
            }
            batch = take();
            taken = 0;
        }
        return batch.frames.get(taken++);
    }

    private Batch take() {
        try {
            return batches.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Batch(List.of(), null, true);
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
                next = fill();
                batches.put(next);
            } while (!next.isLast);
        } catch (InterruptedException _) {
            // Nobody wants to know how it goes on.
        }
    }

    private Batch fill() {
        List<CheckedFrame> frames = new ArrayList<>(BATCH);
        long bytes = 0;
        try {
            while (frames.size() < BATCH && bytes < BATCH_BYTES) {
                CapturedPacket captured = reader.read();
                if (captured == null) {
                    return new Batch(frames, null, true);
                }
                bytes += captured.length();
                frames.add(checker.check(captured));
            }
            return new Batch(frames, null, false);
        } catch (CaptureException e) {
            return new Batch(frames, e, !e.passable());
        } catch (RuntimeException | Error e) {
            return new Batch(frames, e, true);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
