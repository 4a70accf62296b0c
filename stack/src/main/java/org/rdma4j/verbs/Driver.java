package org.rdma4j.verbs;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.rdma4j.transport.Engine;

/**
 * Drives an engine: by a thread of its own, or by its callers one at a time. The lock is taken once for each round of
 * progress, never for a packet or a post; verbs that change objects take it too, so that they find the engine at rest.
 */
final class Driver {

    /** How long the thread looks again after its last find, before it sleeps: the price of a wake-up is about that. */
    private static final long SPIN_NANOS = 50_000;

    /** Turns for what was posted before the device closes. */
    private static final int LAST_ROUNDS = 8;

    private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(100);

    private final Engine engine;
    private final LongSupplier clock;
    private final Runnable onFailure;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger controllers = new AtomicInteger();
    private final Thread thread;

    /** {@code null} where nobody waits for the device while its callers are busy. */
    private final Caretaker caretaker;

    private volatile boolean sleeping;
    private volatile boolean stopped;
    private volatile DeviceService[] services = {};

    /** @param onFailure called where the device's thread ends by a defect, its own or one of a tap or service */
    Driver(Engine engine, LongSupplier clock, Progress progress, Runnable onFailure) {
        this.engine = engine;
        this.clock = clock;
        this.onFailure = onFailure;
        if (progress == Progress.THREAD) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("rdma4j " + engine.port().name())
                    .start(this::run);
            caretaker = null;
        } else {
            thread = null;
            caretaker = engine.port().hasDuties() ? new Caretaker(this::progressByCaretaker, lock, onFailure) : null;
            if (caretaker != null) {
                caretaker.start();
            }
        }
    }

    private void run() {
        boolean regular = false;
        try {
            driveUntilStopped();
            regular = true;
        } finally {
            if (!regular) {
                onFailure.run(); // what was thrown goes on to the thread's handler
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the hint is meant: whoever waits for the lock goes first
    private void driveUntilStopped() {
        long lastFind = clock.getAsLong();
        while (!stopped) {
            while (controllers.get() > 0 && !stopped) {
                Thread.yield();
            }
            long now = clock.getAsLong();
            if (progress(now)) {
                lastFind = now;
            } else if (now - lastFind > SPIN_NANOS) {
                sleep(now);
                lastFind = clock.getAsLong();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private boolean progress(long now) {
        lock.lock();
        try {
            return drive(now);
        } finally {
            lock.unlock();
        }
    }

    private boolean drive(long now) {
        boolean worked = engine.progress(now);
        for (DeviceService service : services) {
            worked |= service.progress(now);
        }
        return worked;
    }

    private long nextDeadline() {
        long earliest = engine.nextDeadline();
        for (DeviceService service : services) {
            earliest = Math.min(earliest, service.nextDeadline());
        }
        return earliest;
    }

    void add(DeviceService service) {
        control(() -> {
            DeviceService[] more = Arrays.copyOf(services, services.length + 1);
            more[services.length] = service;
            services = more;
        });
    }

    DeviceService[] services() {
        return services;
    }

    private void sleep(long now) {
        sleeping = true;
        // Whoever posts from here on sees the flag; what was posted before is seen by this look.
        if (!engine.hasWork() && !stopped) {
            long wait = Math.min(nextDeadline() - now, LONGEST_SLEEP);
            if (wait > 0) {
                engine.port().await(wait);
            }
        }
        sleeping = false;
    }

    /** Something was posted. */
    void posted() {
        if (sleeping) {
            engine.port().wakeup();
        }
    }

    boolean progressByCaller() {
        // A service that polls its own queue is driven already.
        if (thread != null || lock.isHeldByCurrentThread() || !lock.tryLock()) {
            return false;
        }
        try {
            if (caretaker != null) {
                caretaker.notNeeded();
            }
            return drive(clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private void progressByCaretaker() {
        drive(clock.getAsLong());
    }

    void awaitWork(long nanos) {
        if (!engine.hasWork()) {
            long wait = Math.min(nextDeadline() - clock.getAsLong(), nanos);
            if (wait > 0) {
                if (caretaker != null) {
                    caretaker.await(() -> engine.port().await(wait));
                } else {
                    engine.port().await(wait);
                }
            }
        }
    }

    void control(Runnable change) {
        controllers.incrementAndGet();
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
            controllers.decrementAndGet();
        }
        posted();
    }

    void stop() {
        stopped = true;
        if (thread != null) {
            engine.port().wakeup();
            join(thread);
        } else if (caretaker != null) {
            join(caretaker.stop());
        }
    }

    /** Sends what goes without an answer, such as a last datagram; once it was stopped. */
    void sendWhatWasPosted() {
        for (int round = 0; round < LAST_ROUNDS && engine.hasWork(); round++) {
            engine.progress(clock.getAsLong());
        }
    }

    private static void join(Thread ending) {
        boolean interrupted = false;
        while (ending.isAlive()) {
            try {
                ending.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
