package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class CaretakerTest {

    @Test
    void drivesADeviceThatIsLeftAloneAndHoldsItsLockMeanwhile() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch rounds = new CountDownLatch(3);
        AtomicBoolean locked = new AtomicBoolean(true);
        Caretaker caretaker = Caretaker.start(
                () -> {
                    locked.compareAndSet(true, lock.isHeldByCurrentThread());
                    rounds.countDown();
                },
                lock);
        assertTrue(rounds.await(10, TimeUnit.SECONDS));
        assertTrue(locked.get());
        caretaker.stop().join();
        assertTrue(!lock.isLocked());
    }

    @Test
    void keepsAwayFromALinkThatACallerWaitsAt() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        AtomicInteger rounds = new AtomicInteger();
        Caretaker caretaker = Caretaker.start(rounds::incrementAndGet, lock);
        caretaker.await(() -> {
            int before = rounds.get();
            sleep(200); // ten times its patience
            assertEquals(before, rounds.get());
        });
        caretaker.stop().join();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
