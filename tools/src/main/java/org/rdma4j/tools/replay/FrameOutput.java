package org.rdma4j.tools.replay;

import java.io.IOException;

/** Where frames go that are sent once more. */
interface FrameOutput extends AutoCloseable {

    /**
     * Sends a frame when it is due.
     *
     * @param captured when the capture saw it, nanoseconds since 1970
     * @return {@code null}, or in words why it does not go out this way
     */
    String send(long captured, Rewritten frame) throws IOException;

    @Override
    void close() throws IOException;
}
