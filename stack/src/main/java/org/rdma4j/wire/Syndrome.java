package org.rdma4j.wire;

/**
 * What an AETH's syndrome says (IBTA volume 1, 9.3.5 and 9.7.5).
 *
 * <pre>
 *  0 0 0 c c c c c   ACK, c = credit code
 *  0 0 1 t t t t t   RNR NAK, t = timer code
 *  0 1 1 n n n n n   NAK, n = cause
 *  others            reserved
 * </pre>
 */
public final class Syndrome {

    public static final int NAK_PSN_SEQUENCE = 0x60;
    public static final int NAK_INVALID_REQUEST = 0x61;
    public static final int NAK_REMOTE_ACCESS = 0x62;
    public static final int NAK_REMOTE_OPERATIONAL = 0x63;
    public static final int NAK_INVALID_RD = 0x64;

    /** The credit code that says nothing about credits: no flow control, always so with a shared receive queue. */
    public static final int NO_CREDITS = 31;

    /** An acknowledge without flow control. */
    public static final int ACK_UNLIMITED = NO_CREDITS;

    private static final int KIND_MASK = 0xE0;
    private static final int VALUE_MASK = 0x1F;
    private static final int RNR_NAK = 0x20;

    /** Credits by code: 0, 1, 2, 3 and from there on in steps of alternately one half and one third. */
    private static final int[] CREDITS = new int[NO_CREDITS];

    /** Timer codes in units of 10 µs; code 0 is the longest. */
    private static final int[] RNR_TIMER = new int[32];

    static {
        CREDITS[1] = 1;
        RNR_TIMER[1] = 1;
        for (int code = 2; code < NO_CREDITS; code++) {
            CREDITS[code] = code % 2 == 0 ? 1 << code / 2 : 3 << (code - 3) / 2;
        }
        for (int code = 2; code < RNR_TIMER.length; code++) {
            RNR_TIMER[code] = code % 2 == 0 ? 1 << code / 2 : 3 << (code - 3) / 2;
        }
        RNR_TIMER[0] = 1 << 16;
    }

    private Syndrome() {}

    /** An acknowledge that grants the credits of this code. */
    public static int ack(int creditCode) {
        return creditCode & VALUE_MASK;
    }

    /** Receiver not ready: come again after the time of this code. */
    public static int rnrNak(int timerCode) {
        return RNR_NAK | timerCode & VALUE_MASK;
    }

    public static boolean isAck(int syndrome) {
        return (syndrome & KIND_MASK) == 0;
    }

    public static boolean isRnrNak(int syndrome) {
        return (syndrome & KIND_MASK) == RNR_NAK;
    }

    /** A NAK of a cause that is defined; an RNR NAK is none. */
    public static boolean isNak(int syndrome) {
        return syndrome >= NAK_PSN_SEQUENCE && syndrome <= NAK_INVALID_RD;
    }

    public static boolean isReserved(int syndrome) {
        return !isAck(syndrome) && !isRnrNak(syndrome) && !isNak(syndrome);
    }

    /** The low five bits: credit code, timer code or NAK cause. */
    public static int value(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** The largest code that grants no more than this number of receives: 0 to 30. */
    public static int creditCode(int credits) {
        if (credits < 2) {
            return Math.max(credits, 0);
        }
        int power = 31 - Integer.numberOfLeadingZeros(credits);
        boolean half = (credits >> power - 1 & 1) != 0;
        return Math.min(2 * power + (half ? 1 : 0), NO_CREDITS - 1);
    }

    /** Receives that a code grants, 0 to 32768; -1 for {@link #NO_CREDITS}. */
    public static int credits(int code) {
        return code == NO_CREDITS ? -1 : CREDITS[code];
    }

    /** Nanoseconds that an RNR NAK of this timer code, 0 to 31, asks the requester to wait. */
    public static long rnrNanos(int timerCode) {
        return RNR_TIMER[timerCode] * 10_000L;
    }

    /** The smallest wait, as a timer code, that lasts at least this long; 0, the longest, where none does. */
    public static int rnrTimerCode(long nanos) {
        for (int code = 1; code < RNR_TIMER.length; code++) {
            if (rnrNanos(code) >= nanos) {
                return code;
            }
        }
        return 0;
    }

    /** In words: {@code ACK credits 16}, {@code RNR NAK 0.01 ms}, {@code NAK remote access error}. */
    public static String toString(int syndrome) {
        if (isAck(syndrome)) {
            return value(syndrome) == NO_CREDITS ? "ACK" : "ACK credits " + credits(value(syndrome));
        }
        if (isRnrNak(syndrome)) {
            long hundredths = rnrNanos(value(syndrome)) / 10_000;
            return "RNR NAK " + hundredths / 100 + "." + hundredths / 10 % 10 + hundredths % 10 + " ms";
        }
        return switch (syndrome) {
            case NAK_PSN_SEQUENCE -> "NAK PSN sequence error";
            case NAK_INVALID_REQUEST -> "NAK invalid request";
            case NAK_REMOTE_ACCESS -> "NAK remote access error";
            case NAK_REMOTE_OPERATIONAL -> "NAK remote operational error";
            case NAK_INVALID_RD -> "NAK invalid RD request";
            default -> "reserved syndrome 0x" + Integer.toHexString(syndrome);
        };
    }
}
