package org.rdma4j.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring of a shared receive queue: many posters, one taker, and a ring that is exchanged under them. */
class SrqTest {

    private static final int POSTERS = 4;
    private static final int EACH = 50_000;

    private final Srq srq = new Srq(16, 1, 1, () -> {});
    private final Receive taken = new Receive();

    private boolean post(long id) {
        long position = srq.claim();
        if (position < 0) {
            return false;
        }
        srq.write(position, id);
        srq.addPiece(position, id * 3, (int) id, (int) id * 5);
        srq.publish(position);
        return true;
    }

    @Test
    @Timeout(60)
    void losesNothingAndDoublesNothingWhileThreadsPostAndItIsResized() throws InterruptedException {
        Thread[] posters = new Thread[POSTERS];
        for (int poster = 0; poster < POSTERS; poster++) {
            long first = (long) poster * EACH;
            posters[poster] = Thread.ofPlatform().daemon().start(() -> {
                for (long id = first; id < first + EACH; ) {
                    if (post(id)) {
                        id++;
                    } else {
                        Thread.onSpinWait();
                    }
                }
            });
        }
        BitSet seen = new BitSet();
        long[] newest = {-1, -1, -1, -1};
        for (int count = 0; count < POSTERS * EACH; ) {
            if (!srq.take(taken)) {
                Thread.onSpinWait();
                continue;
            }
            int id = (int) taken.wrId();
            assertFalse(seen.get(id), () -> id + " came twice");
            assertTrue(id > newest[id / EACH], () -> id + " came after " + newest[id / EACH]);
            newest[id / EACH] = id;
            seen.set(id);
            if (++count % 1000 == 0) {
                assertTrue(srq.resize(16 + count / 1000 % 7 * 32) || srq.size() > 16);
            }
        }
        for (Thread poster : posters) {
            poster.join(TimeUnit.SECONDS.toMillis(10));
        }
        assertEquals(POSTERS * EACH, seen.cardinality());
        assertEquals(0, srq.size());
    }

    @Test
    void whatIsClaimedAndNotPublishedHoldsUpWhatWasPostedBehindIt() {
        long first = srq.claim();
        assertTrue(post(8));
        assertFalse(srq.take(taken));
        srq.write(first, 7);
        srq.publish(first);
        assertTrue(srq.take(taken));
        assertEquals(7, taken.wrId());
        assertTrue(srq.take(taken));
        assertEquals(8, taken.wrId());
    }

    @Test
    void isFullAtItsCapacityThoughTheRingIsLarger() {
        Srq three = new Srq(3, 1, 1, () -> {});
        for (int id = 0; id < 3; id++) {
            long position = three.claim();
            three.write(position, id);
            three.publish(position);
        }
        assertEquals(-1, three.claim());
        assertFalse(three.resize(2));
        assertTrue(three.resize(4));
        assertEquals(3, three.claim());
    }
}
