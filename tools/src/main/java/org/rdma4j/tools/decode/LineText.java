package org.rdma4j.tools.decode;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** A line that is put together and printed, one after the other in the same place: millions of them leave no garbage. */
final class LineText {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();
    private static final int LONGEST_NUMBER = 20;
    private static final char[] BLANKS = " ".repeat(64).toCharArray();
    private static final char[] LINE_END = System.lineSeparator().toCharArray();

    /** Up to here nanoseconds divided into seconds are exact to the last digit: 11 days. */
    private static final long EXACT_NANOS = 1_000_000_000_000_000L;

    private char[] chars = new char[512];
    private int length;
    private final char[] number = new char[LONGEST_NUMBER];
    private Gid latest;
    private String latestText;
    private Gid earlier;
    private String earlierText;

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
        return right(value, 0);
    }

    /** A number at the right of a column. */
    LineText right(long value, int width) {
        if (value < 0) {
            String text = Long.toString(value);
            return pad(width - text.length()).add(text);
        }
        int from = decimal(value);
        int digits = LONGEST_NUMBER - from;
        pad(width - digits);
        int end = room(digits);
        System.arraycopy(number, from, chars, length, digits);
        length = end;
        return this;
    }

    /** Writes a number to the end of {@link #number}; gives where it starts. */
    private int decimal(long value) {
        int at = LONGEST_NUMBER;
        long rest = value;
        do {
            number[--at] = (char) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        return at;
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
            System.arraycopy(BLANKS, 0, chars, length, count);
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
        right(micros / 1_000_000, 5);
        int point = length;
        // Six digits behind the point: those of a number with a one in front of them, which makes way for the point.
        add(1_000_000 + micros % 1_000_000);
        chars[point] = '.';
        return this;
    }

    /** An address as {@link IpText} has it. Most are one of the two that were there last. */
    LineText address(Gid gid) {
        if (!gid.equals(latest)) {
            Gid before = latest;
            String textBefore = latestText;
            if (gid.equals(earlier)) {
                latest = earlier;
                latestText = earlierText;
            } else {
                latest = gid;
                latestText = IpText.of(gid.toAddress());
            }
            earlier = before;
            earlierText = textBefore;
        }
        return add(latestText);
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
