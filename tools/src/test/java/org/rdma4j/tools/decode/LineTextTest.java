package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A line that is put together by hand reads as {@link String#format} would have it. */
class LineTextTest {

    private static final long[] EDGES = {
        0,
        1,
        9,
        10,
        99,
        100,
        999,
        1000,
        9999,
        10_000,
        99_999,
        100_000,
        10_000_000,
        99_999_999,
        100_000_000,
        Integer.MAX_VALUE,
        1L + Integer.MAX_VALUE,
        4_294_967_295L,
        10_000_000_000L,
        Long.MAX_VALUE,
        -1,
        Long.MIN_VALUE
    };

    private static String line(Consumer<LineText> write) {
        LineText line = new LineText();
        write.accept(line);
        return line.toString();
    }

    @Test
    void numbersAreDecimal() {
        for (long edge : EDGES) {
            assertEquals(Long.toString(edge), line(text -> text.add(edge)));
        }
        Random random = new Random(1);
        for (int round = 0; round < 100_000; round++) {
            long value = random.nextLong() >>> random.nextInt(64);
            assertEquals(Long.toString(value), line(text -> text.add(value)));
        }
    }

    @Test
    void columnsAreFilledUp() {
        assertEquals("    42", line(text -> text.right(42, 6)));
        assertEquals("1234567", line(text -> text.right(1_234_567, 6)));
        assertEquals("   -42", line(text -> text.right(-42, 6)));
        assertEquals("42    |", line(text -> text.left(42, 6).add("|")));
        assertEquals("ACK   |", line(text -> text.left("ACK", 6).add("|")));
        assertEquals("ACKNOWLEDGE|", line(text -> text.left("ACKNOWLEDGE", 6).add("|")));
    }

    @Test
    void secondsHaveSixDigits() {
        Random random = new Random(2);
        for (int round = 0; round < 20_000; round++) {
            long nanos = random.nextLong(1_000_000_000_000_000L);
            String expected = String.format(
                    Locale.ROOT, "%12s", new BigDecimal(nanos).movePointLeft(9).setScale(6, RoundingMode.HALF_UP));
            assertEquals(expected, line(text -> text.seconds(nanos)));
        }
        assertEquals("    0.000000", line(text -> text.seconds(0)));
        assertEquals("    1.000000", line(text -> text.seconds(999_999_500)));
        assertEquals("   -0.500000", line(text -> text.seconds(-500_000_000)));
    }

    @Test
    void exactSecondsHaveNineDigits() {
        Random random = new Random(3);
        for (int round = 0; round < 20_000; round++) {
            long nanos = random.nextLong() >> random.nextInt(64);
            String expected = new BigDecimal(nanos).movePointLeft(9).setScale(9).toPlainString();
            assertEquals(expected, line(text -> text.exactSeconds(nanos)));
        }
    }

    @Test
    void hexHasItsDigits() {
        assertEquals("0x00002b", line(text -> text.hex(0x2B, 6)));
        assertEquals("0xffffffffffffffff", line(text -> text.hex(-1, 16)));
    }

    @Test
    void anyTextIsUtf8AndAnyLengthFits() {
        String mixed = "a → b, grüße, 𝕏";
        assertEquals(mixed, line(text -> text.add(mixed)));
        String longer = mixed.repeat(1000);
        assertEquals("x" + longer, line(text -> text.add("x").add(longer)));
    }
}
