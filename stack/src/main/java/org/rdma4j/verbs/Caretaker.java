package org.rdma4j.verbs;

import java.util.concurrent.TimeUnit;
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
    private final Thread thread;

    /** Both written by callers; a look that comes too late costs one superfluous round. */
    private volatile boolean driven;

    private volatile boolean awaited;
    private volatile boolean stopped;

    private Caretaker(Runnable progress, ReentrantLock lock) {
        this.progress = progress;
        this.lock = lock;
        this.thread = Thread.ofPlatform().daemon().name("rdma4j caretaker").unstarted(this::run);
    }

    /**
     * @param progress drives the device
     * @param lock to be held meanwhile
     */
    static Caretaker start(Runnable progress, ReentrantLock lock) {
        Caretaker caretaker = new Caretaker(progress, lock);
        caretaker.thread.start();
        return caretaker;
    }

    /** A caller drives the device, and holds the lock. */
    void notNeeded() {
        if (!driven) {
            driven = true;
        }
    }

    /** A caller waits at the link, without the lock; nobody else may touch the link meanwhile. */
    void await(Runnable wait) {
        lock.lock();
        try {
            awaited = true;
        } finally {
            lock.unlock();
        }
        try {
            wait.run();
        } finally {
            awaited = false;
        }
    }

    private void run() {
        while (!stopped) {
            LockSupport.parkNanos(PATIENCE);
            if (driven) {
                driven = false;
            } else if (lock.tryLock()) {
                try {
                    if (!awaited && !stopped) {
                        progress.run();
                    }
                } finally {
                    lock.unlock();
                }
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
