package org.rdma4j.link.loop;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Frames that wait for a link, in the order in which they came; filled by any thread, emptied by the link's own. */
final class LoopQueue {

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<LoopFrame> frames = new ArrayDeque<>();
    private int bytes;
    private boolean woken;
    private boolean waiting;

    /** @param capacity bytes of packets (BTH to ICRC) that the queue holds */
    LoopQueue(int capacity) {
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    /** Until {@link #release}, nothing is taken: what this thread adds meanwhile comes at once. */
    void hold() {
        lock.lock();
    }

    void release() {
        lock.unlock();
    }

    /** Adds a frame; false where it is full. */
    boolean offer(LoopFrame frame) {
        lock.lock();
        try {
            if (bytes + frame.transportLength > capacity) {
                return false;
            }
            bytes += frame.transportLength;
            frames.addLast(frame);
            if (waiting) {
                changed.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes frames, the oldest first, as many as there are and as the array holds; returns how many. */
    int take(LoopFrame[] into) {
        lock.lock();
        try {
            int count = Math.min(into.length, frames.size());
            for (int i = 0; i < count; i++) {
                into[i] = frames.pollFirst();
                bytes -= into[i].transportLength;
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    void await(long nanos) {
        lock.lock();
        try {
            waiting = true;
            long left = nanos;
            while (frames.isEmpty() && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting = false;
            lock.unlock();
        }
    }

    void wakeup() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
