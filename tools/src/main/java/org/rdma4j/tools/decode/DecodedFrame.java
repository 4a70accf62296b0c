package org.rdma4j.tools.decode;

import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.trace.PacketPlace;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/**
 * A captured frame that is RoCE, or says that it is.
 *
 * @param number its place in the file, 1 for the first frame
 * @param sinceFirst nanoseconds since the file's first frame
 * @param captured what the file holds
 * @param frame where its parts lie; {@code null} where it breaks off before its BTH
 * @param icrc what its ICRC says; {@code null} without frame
 * @param packet its headers; {@code null} where they cannot be told
 * @param malformed why not
 * @param place where it stands in its conversation
 */
record DecodedFrame(
        long number,
        long sinceFirst,
        CapturedPacket captured,
        RoceFrame frame,
        IcrcVerdict icrc,
        Packet packet,
        Malformed malformed,
        PacketPlace place) {}
