package org.rdma4j.tools.conform.craft;

/** Where whole Ethernet frames leave towards the peer. */
public interface FrameOutlet extends AutoCloseable {

    /** The MAC address that they come from. */
    long local();

    /** The peer's. */
    long remote();

    void send(byte[] frame);

    @Override
    void close();
}
