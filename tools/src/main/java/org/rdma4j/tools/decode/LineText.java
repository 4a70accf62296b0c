package org.rdma4j.tools.decode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A line that is put together as UTF-8 and printed, one after the other in the same place: millions of them leave no
 * garbage.
 */
final class LineText {

    private static final byte[] DIGITS = utf8("0123456789abcdef");
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final byte[] PAIRS = pairs();
    private static final byte[] BLANKS = utf8(" ".repeat(64));
    private static final byte[] LINE_END = utf8(System.lineSeparator());

    /** Up to here nanoseconds divided into seconds are exact to the last digit: 11 days. */
    private static final long EXACT_NANOS = 1_000_000_000_000_000L;

    private byte[] bytes = new byte[512];
    private int length;

    LineText() {}

    /** 00, 01, … 99. */
    private static byte[] pairs() {
        byte[] pairs = new byte[200];
        for (int value = 0; value < 100; value++) {
            pairs[2 * value] = (byte) ('0' + value / 10);
            pairs[2 * value + 1] = (byte) ('0' + value % 10);
        }
        return pairs;
    }

    /** Text for {@link #add(byte[])}. */
    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    LineText add(byte[] utf8) {
        int end = room(utf8.length);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length = end;
        return this;
    }

    LineText add(String text) {
        int end = room(text.length());
        for (int index = 0; index < text.length(); index++) {
            char each = text.charAt(index);
            if (each >= 0x80) {
                return add(utf8(text));
            }
            bytes[length + index] = (byte) each;
        }
        length = end;
        return this;
    }

    LineText add(LineText other) {
        int end = room(other.length);
        System.arraycopy(other.bytes, 0, bytes, length, other.length);
        length = end;
        return this;
    }

    /** One character of ASCII. */
    LineText add(char each) {
        int end = room(1);
        bytes[length] = (byte) each;
        length = end;
        return this;
    }

    LineText add(long value) {
        return right(value, 0);
    }

    /** A number at the right of a column. */
    LineText right(long value, int width) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            String text = Long.toString(value);
            return pad(width - text.length()).add(text);
        }
        int digits = digits((int) value);
        pad(width - digits);
        int end = room(digits);
        int at = end;
        int rest = (int) value;
        while (rest >= 100) {
            int hundreds = rest / 100;
            at -= 2;
            pair(rest - hundreds * 100, bytes, at);
            rest = hundreds;
        }
        if (rest >= 10) {
            pair(rest, bytes, at - 2);
        } else {
            bytes[at - 1] = (byte) ('0' + rest);
        }
        length = end;
        return this;
    }

    private static int digits(int value) {
        int digits = 1;
        for (int most = 9; value > most && digits < 10; most = 10 * most + 9) {
            digits++;
        }
        return digits;
    }

    private static void pair(int value, byte[] into, int at) {
        into[at] = PAIRS[2 * value];
        into[at + 1] = PAIRS[2 * value + 1];
    }

    /** At the left of a column. */
    LineText left(String text, int width) {
        return add(text).pad(width - text.length());
    }

    LineText left(long value, int width) {
        int from = length;
        return add(value).pad(width - (length - from));
    }

    private LineText pad(int count) {
        if (count > 0) {
            int end = room(count);
            System.arraycopy(BLANKS, 0, bytes, length, count);
            length = end;
        }
        return this;
    }

    /** {@code 0x00002b}, with so many digits. */
    LineText hex(long value, int digits) {
        int end = room(2 + digits);
        bytes[length] = '0';
        bytes[length + 1] = 'x';
        long rest = value;
        for (int at = end - 1; at >= length + 2; at--, rest >>>= 4) {
            bytes[at] = DIGITS[(int) rest & 0xF];
        }
        length = end;
        return this;
    }

    /** {@code %12.6f} of seconds. */
    LineText seconds(long nanos) {
        if (nanos < 0 || nanos >= EXACT_NANOS) {
            return add(String.format(Locale.ROOT, "%12.6f", nanos / 1e9));
        }
        long micros = (nanos + 500) / 1000;
        long seconds = micros / 1_000_000;
        right(seconds, 5);
        int fraction = (int) (micros - seconds * 1_000_000);
        int end = room(7);
        bytes[length] = '.';
        pair(fraction / 10_000, bytes, length + 1);
        pair(fraction / 100 % 100, bytes, length + 3);
        pair(fraction % 100, bytes, length + 5);
        length = end;
        return this;
    }

    /** Seconds to the nanosecond. */
    LineText exactSeconds(long nanos) {
        long seconds = nanos / NANOS_PER_SECOND;
        int fraction = (int) Math.abs(nanos - seconds * NANOS_PER_SECOND);
        if (nanos < 0 && seconds == 0) {
            add('-');
        }
        add(seconds).add('.');
        int end = room(9);
        bytes[length] = (byte) ('0' + fraction / 100_000_000);
        pair(fraction / 1_000_000 % 100, bytes, length + 1);
        pair(fraction / 10_000 % 100, bytes, length + 3);
        pair(fraction / 100 % 100, bytes, length + 5);
        pair(fraction % 100, bytes, length + 7);
        length = end;
        return this;
    }

    /** Makes room for so many bytes more; gives where they end. */
    private int room(int count) {
        int end = length + count;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        return end;
    }

    void end() {
        add(LINE_END);
    }

    /** The line so far, and what is left of longer ones. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** The line so far. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
