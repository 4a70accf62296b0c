package org.rdma4j.iwarp.capture;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;

/** What one direction of a captured connection carries, piece by piece. */
public sealed interface CapturedUnit {

    /** True where the side sent it that asked for the connection, by its MPA request. */
    boolean fromInitiator();

    /**
     * A request or reply.
     *
     * @param data IRD, ORD and the rest; {@code null} where the frame has none
     * @param privateData the application's part
     */
    record Setup(boolean fromInitiator, MpaFrame frame, EnhancedData data, MemorySegment privateData)
            implements CapturedUnit {}

    /**
     * A FPDU.
     *
     * @param ulpdu its DDP segment, markers taken out
     * @param pad what stands behind it: zeros, if its sender keeps to RFC 5044, 4.1; siw does not
     * @param crcField its CRC as it was on the wire
     * @param crc what the CRC is worth
     * @param index how many FPDUs this side sent before it
     */
    record Fpdu(boolean fromInitiator, MemorySegment ulpdu, MemorySegment pad, int crcField, CrcVerdict crc, long index)
            implements CapturedUnit {}

    /**
     * The direction cannot be followed any more.
     *
     * @param reason in words
     */
    record Lost(boolean fromInitiator, String reason) implements CapturedUnit {}
}
