package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A whole frame that carries a transport packet, as {@link FrameParser} found it: where its parts lie, and what its
 * network headers say. The bytes stay where they are; the frame is valid as long as they are.
 *
 * @param bytes the bytes that hold it
 * @param start where the frame starts
 * @param length bytes of the frame as captured, with whatever stands behind the ICRC
 * @param encapsulation what lies below the BTH
 * @param ethernetOffset where the Ethernet header starts; -1 where the capture has none
 * @param networkOffset where the IP header, the GRH of RoCE v1 or the LRH starts
 * @param bthOffset where the BTH starts
 * @param transportLength bytes from BTH to pad, without the ICRC: at least 12, a multiple of 4
 */
public record RoceFrame(
        FrameBytes bytes,
        long start,
        int length,
        Encapsulation encapsulation,
        long ethernetOffset,
        long networkOffset,
        long bthOffset,
        int transportLength)
        implements ParsedFrame {

    /** The memory that holds it, for whoever works on segments. */
    public MemorySegment segment() {
        return bytes.segment();
    }

    /** The BTH's, as are the next ones; see {@link Bth} and {@link Opcode}. */
    public int opcode() {
        return bytes.uint8(bthOffset + Bth.OPCODE_OFFSET);
    }

    public boolean solicited() {
        return (flags() & Bth.SOLICITED) != 0;
    }

    public boolean migReq() {
        return (flags() & Bth.MIG_REQ) != 0;
    }

    public int padCount() {
        return flags() >> Bth.PAD_SHIFT & Bth.PAD_MASK;
    }

    public int transportVersion() {
        return flags() & Bth.VERSION_MASK;
    }

    private int flags() {
        return bytes.uint8(bthOffset + Bth.FLAGS_OFFSET);
    }

    public int pKey() {
        return bytes.uint16(bthOffset + Bth.P_KEY_OFFSET);
    }

    public boolean fecn() {
        return (bytes.uint8(bthOffset + Bth.CONGESTION_OFFSET) & Bth.FECN) != 0;
    }

    public boolean becn() {
        return (bytes.uint8(bthOffset + Bth.CONGESTION_OFFSET) & Bth.BECN) != 0;
    }

    public int destQp() {
        return bytes.uint24(bthOffset + Bth.DEST_QP_OFFSET);
    }

    public boolean ackReq() {
        return (bytes.uint8(bthOffset + Bth.ACK_REQ_OFFSET) & Bth.ACK_REQ) != 0;
    }

    public int psn() {
        return bytes.uint24(bthOffset + Bth.PSN_OFFSET);
    }

    /** Bytes of the BTH and of the headers that its opcode says follow; of a reserved opcode the BTH's alone. */
    public int headerLength() {
        int opcode = opcode();
        return Opcode.isReserved(opcode) ? Bth.LENGTH : Opcode.headerLength(opcode);
    }

    /** Bytes of payload; negative where the headers do not fit. */
    public int payloadLength() {
        return transportLength - headerLength() - padCount();
    }

    /** Where the ICRC starts. */
    public long icrcOffset() {
        return bthOffset + transportLength;
    }

    /** The ICRC as it stands in the frame, comparable to {@link #expectedIcrc()}. */
    public int icrc() {
        return Integer.reverseBytes(bytes.int32(icrcOffset()));
    }

    /** The ICRC that the frame should have. */
    public int expectedIcrc() {
        return Icrc.of(this);
    }

    public boolean icrcIsRight() {
        return icrc() == expectedIcrc();
    }

    /** The packet as a value. */
    public ParsedPacket packet() {
        return Packet.parse(segment(), bthOffset, transportLength);
    }

    /** The outer VLAN tag, where there is one. */
    public Optional<VlanTag> vlan() {
        boolean isTagged = ethernetOffset >= 0 && networkOffset > ethernetOffset + EthernetHeader.LENGTH;
        return isTagged
                ? Optional.of(VlanTag.parse(segment(), ethernetOffset + EthernetHeader.ETHER_TYPE_OFFSET))
                : Optional.empty();
    }

    /** Where the GRH or IPv6 header starts; only where there is one. */
    private long grhOffset() {
        return encapsulation == Encapsulation.INFINIBAND_GLOBAL ? networkOffset + Lrh.LENGTH : networkOffset;
    }

    /** Who sent it; a LID, in the last bytes, where there is no GID. */
    public Gid source() {
        return new Gid(sourceHigh(), sourceLow());
    }

    /** Who it is for; a LID, in the last bytes, where there is no GID. */
    public Gid destination() {
        return new Gid(destinationHigh(), destinationLow());
    }

    /** The first half of {@link #source()}: whoever compares millions of them needs no objects. */
    public long sourceHigh() {
        return high(Grh.SGID_OFFSET);
    }

    /** The second half of {@link #source()}. */
    public long sourceLow() {
        return low(Ipv4Header.SOURCE_OFFSET, Grh.SGID_OFFSET, Lrh.SOURCE_LID_OFFSET);
    }

    /** The first half of {@link #destination()}. */
    public long destinationHigh() {
        return high(Grh.DGID_OFFSET);
    }

    /** The second half of {@link #destination()}. */
    public long destinationLow() {
        return low(Ipv4Header.DESTINATION_OFFSET, Grh.DGID_OFFSET, Lrh.DESTINATION_LID_OFFSET);
    }

    private long high(int gid) {
        return switch (encapsulation) {
            case ROCE_V2_IPV4, INFINIBAND_LOCAL -> 0;
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> bytes.int64(grhOffset() + gid);
        };
    }

    /** The parameters say where it stands in each header that it may stand in. */
    private long low(int ipv4, int gid, int lid) {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> Gid.lowOfIpv4(bytes.int32(networkOffset + ipv4));
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> bytes.int64(grhOffset() + gid + Long.BYTES);
            case INFINIBAND_LOCAL -> bytes.uint16(networkOffset + lid);
        };
    }

    /** DSCP and ECN, 0 where there is no such field. */
    public int trafficClass() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> bytes.uint8(networkOffset + Ipv4Header.TRAFFIC_CLASS_OFFSET);
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> bytes.int32(grhOffset()) >>> 20 & 0xFF;
            case INFINIBAND_LOCAL -> 0;
        };
    }

    /** TTL or hop limit, 0 where there is no such field. */
    public int hopLimit() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> bytes.uint8(networkOffset + Ipv4Header.TIME_TO_LIVE_OFFSET);
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> bytes.uint8(grhOffset() + Grh.HOP_LIMIT_OFFSET);
            case INFINIBAND_LOCAL -> 0;
        };
    }

    /** UDP source port, 0 where there is no UDP. */
    public int udpSourcePort() {
        return encapsulation.hasUdp() ? bytes.uint16(bthOffset - UdpHeader.LENGTH + UdpHeader.SOURCE_PORT_OFFSET) : 0;
    }

    /** The IPv4 identification, which the ICRC covers; 0 where there is none. */
    public int identification() {
        return encapsulation == Encapsulation.ROCE_V2_IPV4
                ? bytes.uint16(networkOffset + Ipv4Header.IDENTIFICATION_OFFSET)
                : 0;
    }
}
