package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PsnTest {

    @Property
    void differenceUndoesAdd(
            @ForAll @IntRange(max = Psn.MASK) int psn, @ForAll @IntRange(min = -Psn.HALF, max = Psn.HALF - 1) int n) {
        assertEquals(n, Psn.difference(Psn.add(psn, n), psn));
    }

    @Property
    void addUndoesDifference(@ForAll @IntRange(max = Psn.MASK) int a, @ForAll @IntRange(max = Psn.MASK) int b) {
        int difference = Psn.difference(a, b);
        assertEquals(a, Psn.add(b, difference));
        assertTrue(difference >= -Psn.HALF && difference < Psn.HALF);
    }

    @Property
    void oneOfTwoIsAheadExceptAtHalfTheCircle(
            @ForAll @IntRange(max = Psn.MASK) int a, @ForAll @IntRange(max = Psn.MASK) int b) {
        int forward = Psn.difference(a, b);
        int back = Psn.difference(b, a);
        assertTrue(forward == -back || forward == -Psn.HALF && back == -Psn.HALF);
    }

    @Property
    void stepsAddUp(@ForAll @IntRange(max = Psn.MASK) int psn, @ForAll int m, @ForAll int n) {
        assertEquals(Psn.add(psn, m + n), Psn.add(Psn.add(psn, m), n));
        assertEquals(Psn.next(psn), Psn.add(psn, 1));
    }

    @Test
    void wrapsBehindTheLastPsn() {
        assertEquals(0, Psn.next(0xFFFFFF));
        assertEquals(0xFFFFFF, Psn.add(0, -1));
        assertEquals(1, Psn.difference(0, 0xFFFFFF));
        assertEquals(-1, Psn.difference(0xFFFFFF, 0));
    }

    @Test
    void halfTheCircleAheadIsAPacketBehind() {
        assertEquals(Psn.HALF - 1, Psn.difference(0x7FFFFF, 0));
        assertEquals(-Psn.HALF, Psn.difference(0x800000, 0));
    }
}
