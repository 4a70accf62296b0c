package org.rdma4j.cm;

/** Times as the messages of connection management carry them: 4.096 µs · 2^n in five bits (IBTA volume 1, 12.7). */
final class CmTime {

    private static final long UNIT_NANOS = 4096;

    /** Peers name times up to hours; nothing is kept for longer than 4.096 µs · 2^24, about 69 seconds. */
    private static final int LONGEST = 24;

    /** And nothing that is over for longer than 4.096 µs · 2^21, about 9 seconds. */
    private static final int LONGEST_TIME_WAIT = 21;

    private CmTime() {}

    static long nanos(int exponent) {
        return UNIT_NANOS << Math.min(exponent, LONGEST);
    }

    /** How long packets may still come: twice a packet's life and the peer's delay, as the local ACK timeout (12.9.8.4). */
    static long timeWait(int ackTimeout) {
        return UNIT_NANOS << Math.min(ackTimeout, LONGEST_TIME_WAIT);
    }

    /**
     * How long a message's answer may take: there and back, and the time that the answering side says it needs. The
     * local ACK timeout of a path is that of a packet's life doubled.
     */
    static long response(int responseTimeout, int ackTimeout) {
        return nanos(responseTimeout) + nanos(ackTimeout);
    }
}
