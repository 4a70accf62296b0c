package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class CaretakerTest {

    @Test
    void drivesADeviceThatIsLeftAloneAndHoldsItsLockMeanwhile() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch rounds = new CountDownLatch(3);
        AtomicBoolean locked = new AtomicBoolean(true);
        Caretaker caretaker = new Caretaker(
                () -> {
                    locked.compareAndSet(true, lock.isHeldByCurrentThread());
                    rounds.countDown();
                },
                lock,
                Assertions::fail);
        caretaker.start();
        assertTrue(rounds.await(10, TimeUnit.SECONDS));
        assertTrue(locked.get());
        caretaker.stop().join();
        assertTrue(!lock.isLocked());
    }

    @Test
    void keepsAwayFromALinkThatCallersWaitAt() {
        AtomicInteger rounds = new AtomicInteger();
        Caretaker caretaker = new Caretaker(rounds::incrementAndGet, new ReentrantLock(), Assertions::fail);
        caretaker.await(() -> {
            caretaker.await(caretaker::look);
            caretaker.look(); // one of the two waits still
        });
        assertEquals(0, rounds.get());
        caretaker.look();
        assertEquals(1, rounds.get());
    }

    @Test
    void leavesADeviceAloneThatItsCallersDrive() {
        AtomicInteger rounds = new AtomicInteger();
        Caretaker caretaker = new Caretaker(rounds::incrementAndGet, new ReentrantLock(), Assertions::fail);
        caretaker.notNeeded();
        caretaker.look();
        assertEquals(0, rounds.get());
        caretaker.look();
        assertEquals(1, rounds.get());
    }
}
