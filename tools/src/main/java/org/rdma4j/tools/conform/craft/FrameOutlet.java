package org.rdma4j.tools.conform.craft;

import org.rdma4j.tools.ToolException;

/** Where whole Ethernet frames leave towards the peer. */
public interface FrameOutlet extends AutoCloseable {

    /** The MAC address that they come from. */
    long local();

    /**
     * The peer's.
     *
     * @throws ToolException where it is not known
     */
    long remote();

    /** @return {@code null}, or in words why the frame did not leave */
    String send(byte[] frame);

    @Override
    void close();
}
