package org.rdma4j.iwarp.stream;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** One end of a TCP connection: bytes in their order, as many as its buffer takes. Nothing here waits. */
public interface StreamSocket {

    /**
     * Hands over bytes.
     *
     * @param bytes of memory outside of the heap; its position moves by what is taken
     * @return how many of its bytes were taken; where that is not all, {@link StreamHandler#writable} comes when there is
     *     room again, or {@link StreamHandler#broken} where the connection is
     */
    int write(ByteBuffer bytes);

    /** Ends this side's stream behind what was taken (FIN); what the peer sends still arrives. */
    void finish();

    /** Ends both streams at once, as far as they were taken; nothing arrives any more and no handler is called. */
    void close();

    /** Breaks the connection (RST): what was taken and not delivered may be lost. No handler is called any more. */
    void reset();

    /** Sets the traffic class, DSCP and ECN, of the packets from now on: 0 to 255; a network without packets has none. */
    void trafficClass(int value);

    /** Bytes that a TCP segment of this connection carries: what a FPDU should fit. */
    int segmentSize();

    InetSocketAddress local();

    InetSocketAddress remote();
}
