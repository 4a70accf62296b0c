package org.rdma4j.tools.conform.craft;

import java.util.function.Consumer;
import org.rdma4j.tools.ToolException;

/** Where whole Ethernet frames leave towards the peer, and where the peer's can be heard. */
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

    /** From now on all frames at this place are given to somebody, as they are: the peer's, and maybe others'. */
    void hear(Consumer<byte[]> ear);

    @Override
    void close();
}
