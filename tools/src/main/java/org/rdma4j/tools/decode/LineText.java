package org.rdma4j.tools.decode;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** A line that is put together and printed, one after the other in the same place: millions of them leave no garbage. */
final class LineText {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();
    private static final char[] LINE_END = System.lineSeparator().toCharArray();

    /** Up to here nanoseconds divided into seconds are exact to the last digit: 11 days. */
    private static final long EXACT_NANOS = 1_000_000_000_000_000L;

    private char[] chars = new char[512];
    private int length;

    LineText() {}

    LineText add(String text) {
        int end = room(text.length());
        text.getChars(0, text.length(), chars, length);
        length = end;
        return this;
    }

    LineText add(char each) {
        int end = room(1);
        chars[length] = each;
        length = end;
        return this;
    }

    LineText add(long value) {
        if (value < 0) {
            return add(Long.toString(value));
        }
        int end = room(digits(value));
        decimal(value, end);
        length = end;
        return this;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** Writes a number so that it ends there; gives where it starts. */
    private int decimal(long value, int end) {
        int at = end;
        long rest = value;
        do {
            chars[--at] = DIGITS[(int) (rest % 10)];
            rest /= 10;
        } while (rest != 0);
        return at;
    }

    /** A number, not negative, at the right of a column. */
    LineText right(long value, int width) {
        int digits = digits(value);
        pad(width - digits);
        return add(value);
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
            Arrays.fill(chars, length, end, ' ');
            length = end;
        }
        return this;
    }

    /** {@code 0x00002b}, with so many digits. */
    LineText hex(long value, int digits) {
        int end = room(2 + digits);
        chars[length] = '0';
        chars[length + 1] = 'x';
        long rest = value;
        for (int at = end - 1; at >= length + 2; at--, rest >>>= 4) {
            chars[at] = DIGITS[(int) rest & 0xF];
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
        right(micros / 1_000_000, 5).add('.');
        int end = room(6);
        Arrays.fill(chars, length, end, '0');
        decimal(micros % 1_000_000, end);
        length = end;
        return this;
    }

    /** An address as {@link IpText} has it. */
    LineText address(Gid gid) {
        if (!gid.isIpv4()) {
            return add(IpText.of(gid.toAddress()));
        }
        int address = gid.ipv4();
        add((long) (address >>> 24)).add('.').add((long) (address >> 16 & 0xFF)).add('.');
        return add((long) (address >> 8 & 0xFF)).add('.').add((long) (address & 0xFF));
    }

    /** Makes room for so many characters more; gives where they end. */
    private int room(int count) {
        int end = length + count;
        if (end > chars.length) {
            chars = Arrays.copyOf(chars, Math.max(end, 2 * chars.length));
        }
        return end;
    }

    /** Prints the line and starts another one. */
    void printTo(PrintWriter out) {
        for (char each : LINE_END) {
            add(each);
        }
        out.write(chars, 0, length);
        length = 0;
    }

    /** The line so far. */
    @Override
    public String toString() {
        return new String(chars, 0, length);
    }
}
