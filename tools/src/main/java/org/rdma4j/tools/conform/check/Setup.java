package org.rdma4j.tools.conform.check;

/**
 * How the peer's queue pair is set up, where a check needs more than an ordinary program's; every {@code with…} gives a
 * changed copy.
 *
 * @param maxRdAtomic READs and atomics that the peer may have outstanding
 * @param maxDestRdAtomic those that it keeps resources for
 * @param minRnrTimer its RNR NAKs' timer code
 * @param timeout its local ACK timeout code
 * @param retries its retry count
 * @param rnrRetries its RNR retry count
 * @param receives how many receives are posted; -1: what the service posts
 * @param receiveSize bytes of each
 */
public record Setup(
        int maxRdAtomic,
        int maxDestRdAtomic,
        int minRnrTimer,
        int timeout,
        int retries,
        int rnrRetries,
        int receives,
        int receiveSize) {

    /** Bytes of a receive where nothing is said. */
    public static final int RECEIVE_SIZE = 16384;

    /** perftest's values, but for an ACK timeout of 268 ms, four times its: a busy machine is not that late. */
    public static final Setup STOCK = new Setup(16, 16, 12, 16, 7, 7, -1, RECEIVE_SIZE);

    public boolean isStock() {
        return equals(STOCK);
    }

    public Setup withRdAtomic(int asRequester, int asResponder) {
        return new Setup(asRequester, asResponder, minRnrTimer, timeout, retries, rnrRetries, receives, receiveSize);
    }

    public Setup withMinRnrTimer(int code) {
        return new Setup(maxRdAtomic, maxDestRdAtomic, code, timeout, retries, rnrRetries, receives, receiveSize);
    }

    public Setup withTimeout(int code, int count) {
        return new Setup(maxRdAtomic, maxDestRdAtomic, minRnrTimer, code, count, rnrRetries, receives, receiveSize);
    }

    public Setup withRnrRetries(int count) {
        return new Setup(maxRdAtomic, maxDestRdAtomic, minRnrTimer, timeout, retries, count, receives, receiveSize);
    }

    public Setup withReceives(int count, int size) {
        return new Setup(maxRdAtomic, maxDestRdAtomic, minRnrTimer, timeout, retries, rnrRetries, count, size);
    }
}
