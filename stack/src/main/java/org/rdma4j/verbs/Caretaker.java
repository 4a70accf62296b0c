package org.rdma4j.verbs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drives a device in place of its callers while they do something else, such as wait for a peer that cannot go on before
 * this device has answered an ARP request. While they drive it themselves it only looks at a flag, now and then.
 */
final class Caretaker {

    /** So long a device may be left alone. Whoever asks by ARP asks again after a second. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

    private final ReentrantLock lock;
    private final Runnable progress;
    private final Runnable onFailure;
    private final Thread thread;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Written by callers; a look that comes too late costs one superfluous round. */
    private volatile boolean driven;

    private volatile boolean stopped;

    /**
     * @param progress drives the device
     * @param lock to be held meanwhile
     * @param onFailure called where its thread ends by a defect
     */
    Caretaker(Runnable progress, ReentrantLock lock, Runnable onFailure) {
        this.progress = progress;
        this.lock = lock;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().daemon().name("rdma4j caretaker").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** A caller drives the device, and holds the lock. */
    void notNeeded() {
        if (!driven) {
            driven = true;
        }
    }

    /** Callers wait at the link, without the lock; this one does not touch the link meanwhile. */
    void await(Runnable wait) {
        lock.lock();
        try {
            waiting.incrementAndGet();
        } finally {
            lock.unlock();
        }
        try {
            wait.run();
        } finally {
            waiting.decrementAndGet();
        }
    }

    private void run() {
        boolean regular = false;
        try {
            while (!stopped) {
                LockSupport.parkNanos(PATIENCE);
                look();
            }
            regular = true;
        } finally {
            if (!regular) {
                onFailure.run(); // what was thrown goes on to the thread's handler
            }
        }
    }

    /** Drives the device once, where nobody has since the last look and nobody waits at its link. */
    void look() {
        if (driven) {
            driven = false;
        } else if (lock.tryLock()) {
            try {
                if (waiting.get() == 0 && !stopped) {
                    progress.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Ends it; returns the thread that is about to end. */
    Thread stop() {
        stopped = true;
        LockSupport.unpark(thread);
        return thread;
    }
}
