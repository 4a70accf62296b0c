package org.rdma4j.rocev2.ethernet;

/**
 * Whole Ethernet frames in and out of this process. One thread at a time drives it; only {@link #wakeup()} may come from
 * another.
 */
public interface FrameIo extends FrameSink, AutoCloseable {

    /**
     * Hands the committed frames to the network.
     *
     * @return how many of them it did not take; they are lost
     */
    int flush();

    /** Gives the handler what has arrived, without waiting, and not so much that answers would wait long. */
    void poll(FrameHandler handler);

    /** The interface is to take what is sent to this group of stations too. Where it takes all anyway, nothing is to do. */
    default void join(long groupMac) {}

    /** Ends {@link #join}. */
    default void leave(long groupMac) {}

    /** Bytes of frames that can wait to be polled. */
    int receiveBuffer();

    /** Waits until a frame may be there, {@link #wakeup()} is called, or the time is over. Returns early at will. */
    void await(long nanos);

    /** Ends {@link #await} from any thread. */
    void wakeup();

    @Override
    void close();
}
