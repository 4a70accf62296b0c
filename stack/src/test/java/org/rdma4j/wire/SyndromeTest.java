package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SyndromeTest {

    /** The standard's table of credit codes 0 to 30. */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    /** The standard's table of RNR timer codes 0 to 31, in hundredths of a millisecond. */
    private static final int[] RNR_HUNDREDTHS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    @Test
    void creditCodesStandForTheStandardsNumbers() {
        assertEquals(31, CREDITS.length);
        for (int code = 0; code < CREDITS.length; code++) {
            assertEquals(CREDITS[code], Syndrome.credits(code), "code " + code);
        }
        assertEquals(-1, Syndrome.credits(Syndrome.NO_CREDITS));
    }

    @Property
    void creditCodeNeverPromisesMoreThanThereIs(@ForAll @IntRange(max = 40_000) int receives) {
        int code = Syndrome.creditCode(receives);
        assertTrue(CREDITS[code] <= receives);
        assertTrue(code == 30 || CREDITS[code + 1] > receives, "a larger code would do");
    }

    @Test
    void creditCodeHoldsAtBothEnds() {
        assertEquals(0, Syndrome.creditCode(-1));
        assertEquals(30, Syndrome.creditCode(Integer.MAX_VALUE));
        IntStream.range(0, 31).forEach(code -> assertEquals(code, Syndrome.creditCode(CREDITS[code])));
    }

    @Test
    void rnrTimerCodesStandForTheStandardsTimes() {
        for (int code = 0; code < 32; code++) {
            assertEquals(RNR_HUNDREDTHS[code] * 10_000L, Syndrome.rnrNanos(code), "code " + code);
        }
    }

    @Test
    void rnrTimerCodeIsTheShortestThatIsLongEnough() {
        assertEquals(1, Syndrome.rnrTimerCode(1));
        assertEquals(14, Syndrome.rnrTimerCode(1_280_000));
        assertEquals(15, Syndrome.rnrTimerCode(1_280_001));
        assertEquals(0, Syndrome.rnrTimerCode(491_520_001));
    }

    @Test
    void everySyndromeIsOfOneKind() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            boolean ack = syndrome < 0x20;
            boolean rnr = syndrome >= 0x20 && syndrome < 0x40;
            boolean nak = syndrome >= 0x60 && syndrome <= 0x64;
            assertEquals(ack, Syndrome.isAck(syndrome));
            assertEquals(rnr, Syndrome.isRnrNak(syndrome));
            assertEquals(nak, Syndrome.isNak(syndrome));
            assertEquals(!ack && !rnr && !nak, Syndrome.isReserved(syndrome));
        }
    }

    @Test
    void saysWhatItMeans() {
        assertEquals("ACK", Syndrome.toString(Syndrome.ACK_UNLIMITED));
        assertEquals("ACK credits 16", Syndrome.toString(Syndrome.ack(8)));
        assertEquals("RNR NAK 655.36 ms", Syndrome.toString(Syndrome.rnrNak(0)));
        assertEquals("RNR NAK 0.06 ms", Syndrome.toString(Syndrome.rnrNak(5)));
        assertEquals("NAK remote access error", Syndrome.toString(0x62));
        assertEquals("reserved syndrome 0x65", Syndrome.toString(0x65));
    }
}
