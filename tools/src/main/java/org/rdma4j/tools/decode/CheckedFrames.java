package org.rdma4j.tools.decode;

import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;

/** The frames of one capture file, each with what it tells by itself, in their order. */
interface CheckedFrames extends AutoCloseable {

    /**
     * The next one; {@code null} behind the last.
     *
     * @throws CaptureException once for each damage that is reached
     */
    CheckedFrame next();

    /** No more are wanted. The reader stays open. */
    @Override
    void close();

    /**
     * Read when asked for, so that those of a live capture come at once.
     *
     * @param udpPort the port that means RoCE v2
     */
    static CheckedFrames live(CaptureReader reader, int udpPort) {
        CheckedFrame.Checker checker = new CheckedFrame.Checker(udpPort);
        return new CheckedFrames() {
            @Override
            public CheckedFrame next() {
                CapturedPacket captured = reader.read();
                return captured == null ? null : checker.check(captured);
            }

            @Override
            public void close() {
                // Nothing is under way.
            }
        };
    }

    /** Read ahead. */
    static CheckedFrames ahead(CaptureReader reader, int udpPort) {
        return new ReadAhead(reader, udpPort);
    }
}
