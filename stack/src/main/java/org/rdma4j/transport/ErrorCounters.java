package org.rdma4j.transport;

/**
 * What goes wrong on a device, where no {@link org.rdma4j.trace.Rule} tells: counted where it happens, which is never on
 * the way of a good packet. Written by the driving thread; a reader elsewhere may see a value late.
 */
public final class ErrorCounters {

    private static final int STATUSES = 24;

    private final long[] sends = new long[STATUSES];
    private final long[] receives = new long[STATUSES];
    private long ackTimeouts;
    private long retries;
    private long sequenceNaks;

    public void sendFailed(int status) {
        sends[status]++;
    }

    public void receiveFailed(int status) {
        receives[status]++;
    }

    void ackTimedOut() {
        ackTimeouts++;
    }

    void retried() {
        retries++;
    }

    void sequenceNakReceived() {
        sequenceNaks++;
    }

    /** Work requests of send queues that ended with a status. */
    public long sends(int status) {
        return sends[status];
    }

    /** Receives that ended with a status. */
    public long receives(int status) {
        return receives[status];
    }

    /** All work requests of send queues that ended with an error. */
    public long sends() {
        return sum(sends);
    }

    /** All receives that ended with an error. */
    public long receives() {
        return sum(receives);
    }

    /** Local ACK timeouts. */
    public long ackTimeouts() {
        return ackTimeouts;
    }

    /** Go-backs of requesters: timeouts, NAKs and missing responses. */
    public long retries() {
        return retries;
    }

    /** NAKs that asked for a go-back. */
    public long sequenceNaks() {
        return sequenceNaks;
    }

    private static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
