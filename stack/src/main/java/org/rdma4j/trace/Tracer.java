package org.rdma4j.trace;

/**
 * Hears what a device does besides sending and receiving, which a {@link org.rdma4j.link.FrameTap} sees. What a packet
 * brought about is told before the tap is shown the packet with the decision about it.
 *
 * <p>All calls but {@link #posted} come from the thread that drives the device. Times are those of the device's clock.
 */
public interface Tracer {

    /** What was done to memory. */
    enum Touch {
        /** Bytes of a message of the peer, or of an answer of its, were written. */
        WRITE,
        /** Bytes were read to be sent to the peer. */
        READ,
        /** Eight bytes were read, and perhaps changed, at once. */
        ATOMIC
    }

    /**
     * A work request was posted; by the thread that did so.
     *
     * @param isReceive for the receive queue
     * @param operation as libibverbs names it: {@code RDMA_WRITE}, {@code RECV}
     */
    void posted(int qpn, boolean isReceive, long wrId, String operation, long bytes);

    /**
     * A work request was completed.
     *
     * @param status as libibverbs names it: {@code SUCCESS}, {@code RNR_RETRY_EXC_ERR}
     * @param isReceive of the receive queue
     */
    void completed(long now, int qpn, boolean isReceive, long wrId, String status, long bytes);

    /** Memory was written or read for the peer. */
    void touched(Touch touch, int key, long address, long bytes);

    /** The time of a queue pair's next timeout; {@link Long#MAX_VALUE} for none. */
    void timerSet(long now, int qpn, long deadline);

    void timerFired(long now, int qpn);

    /** A queue pair went from one state to another: {@code INIT}, {@code RTR}, {@code RTS}, {@code ERR}. */
    void stateChanged(long now, int qpn, String from, String to);
}
