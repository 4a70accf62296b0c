package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Puts the whole frame around a transport packet, byte for byte as it crossed the wire, or as it would have: Ethernet, an
 * optional VLAN tag, network headers, packet, ICRC. Set what is known once, then build frame after frame: nothing is
 * allocated. MAC addresses that nobody knows are made from the GIDs.
 */
public final class FrameBuilder {

    private final Encapsulation encapsulation;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private long sourceMac;
    private long destinationMac;
    private int vlanPriority;
    private int vlanId = -1;
    private int sourcePort;
    private int destinationPort = UdpHeader.ROCE_V2_PORT;
    private int identification;
    private int flags = Ipv4Header.DONT_FRAGMENT;
    private int trafficClass;
    private int flowLabel;
    private int hopLimit = 64;
    private int udpChecksum;

    /** For RoCE v1 or v2; native InfiniBand has no Ethernet around it. */
    public FrameBuilder(Encapsulation encapsulation) {
        if (encapsulation != Encapsulation.ROCE_V1 && !encapsulation.hasUdp()) {
            throw new IllegalArgumentException("no Ethernet frame holds " + encapsulation.text());
        }
        this.encapsulation = encapsulation;
    }

    /** The encapsulation of RoCE v2 that a GID's kind asks for. */
    public static FrameBuilder roceV2(Gid local) {
        return new FrameBuilder(Encapsulation.roceV2(local));
    }

    /** Sender and addressee, in halves so that nothing is allocated; the MAC addresses follow from them. */
    public FrameBuilder gids(long fromHigh, long fromLow, long toHigh, long toLow) {
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        destinationHigh = toHigh;
        destinationLow = toLow;
        return macs(EthernetHeader.macOf(fromHigh, fromLow), EthernetHeader.macOf(toHigh, toLow));
    }

    public FrameBuilder gids(Gid from, Gid to) {
        return gids(from.high(), from.low(), to.high(), to.low());
    }

    /** The MAC addresses where they are known; to be called after {@link #gids}. */
    public FrameBuilder macs(long from, long to) {
        sourceMac = from;
        destinationMac = to;
        return this;
    }

    /** Adds an 802.1Q tag. */
    public FrameBuilder vlan(int priority, int id) {
        vlanPriority = priority;
        vlanId = id;
        return this;
    }

    public FrameBuilder udpPorts(int source, int destination) {
        sourcePort = source;
        destinationPort = destination;
        return this;
    }

    /** The UDP checksum, 0 unless the sender is known to make one. */
    public FrameBuilder udpChecksum(int checksum) {
        udpChecksum = checksum;
        return this;
    }

    /** The IPv4 identification, 0 unless another is known. */
    public FrameBuilder identification(int value) {
        identification = value;
        return this;
    }

    /** The IPv4 header's "don't fragment", set unless the sender is known to leave it clear. */
    public FrameBuilder dontFragment(boolean set) {
        flags = set ? Ipv4Header.DONT_FRAGMENT : 0;
        return this;
    }

    /** DSCP and ECN. */
    public FrameBuilder trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    /** The IPv6 or GRH flow label. */
    public FrameBuilder flowLabel(int value) {
        flowLabel = value;
        return this;
    }

    /** TTL or hop limit, 64 unless another is known. */
    public FrameBuilder hopLimit(int value) {
        hopLimit = value;
        return this;
    }

    /** Bytes in front of the BTH. */
    public int headerLength() {
        int network = switch (encapsulation) {
            case ROCE_V1 -> Grh.LENGTH;
            case ROCE_V2_IPV4 -> Ipv4Header.LENGTH + UdpHeader.LENGTH;
            case ROCE_V2_IPV6 -> Ipv6Header.LENGTH + UdpHeader.LENGTH;
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        };
        return ethernetLength() + network;
    }

    private int ethernetLength() {
        return EthernetHeader.LENGTH + (vlanId >= 0 ? VlanTag.LENGTH : 0);
    }

    /** Bytes of a whole frame around a packet of this length, BTH to pad. */
    public int frameLength(int transportLength) {
        return headerLength() + transportLength + Icrc.LENGTH;
    }

    /**
     * Writes what stands in front of the BTH.
     *
     * @param transportLength bytes of the packet, BTH to pad
     * @return bytes written: {@link #headerLength()}
     */
    public int writeHeaders(MemorySegment frame, long offset, int transportLength) {
        long network = writeEthernet(frame, offset);
        int behindUdp = transportLength + Icrc.LENGTH;
        int udpLength = UdpHeader.LENGTH + behindUdp;
        switch (encapsulation) {
            case ROCE_V1 -> writeIpv6Like(frame, network, behindUdp, Grh.NEXT_HEADER_IBA);
            case ROCE_V2_IPV4 -> {
                Ipv4Header.write(
                        frame,
                        network,
                        trafficClass,
                        Ipv4Header.LENGTH + udpLength,
                        identification,
                        flags,
                        hopLimit,
                        UdpHeader.PROTOCOL,
                        (int) sourceLow,
                        (int) destinationLow);
                writeUdp(frame, network + Ipv4Header.LENGTH, udpLength);
            }
            case ROCE_V2_IPV6 -> {
                writeIpv6Like(frame, network, udpLength, UdpHeader.PROTOCOL);
                writeUdp(frame, network + Ipv6Header.LENGTH, udpLength);
            }
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        }
        return headerLength();
    }

    /**
     * Builds a whole frame around a packet whose ICRC is known.
     *
     * @return bytes of the frame
     */
    public int build(
            MemorySegment frame, long offset, MemorySegment packet, long packetOffset, int transportLength, int icrc) {
        long bth = offset + writeHeaders(frame, offset, transportLength);
        MemorySegment.copy(packet, packetOffset, frame, bth, transportLength);
        Icrc.write(frame, bth + transportLength, icrc);
        return frameLength(transportLength);
    }

    /** Fills in the UDP checksum of a whole frame: for senders that make one, as an operating system's sockets do. */
    public void writeUdpChecksum(MemorySegment frame, long offset) {
        long network = offset + ethernetLength();
        long udp = offset + headerLength() - UdpHeader.LENGTH;
        boolean ipv4 = encapsulation == Encapsulation.ROCE_V2_IPV4;
        long addresses = network + (ipv4 ? Ipv4Header.SOURCE_OFFSET : Ipv6Header.SOURCE_OFFSET);
        int addressesLength = ipv4 ? 2 * Integer.BYTES : 4 * Long.BYTES;
        UdpHeader.setChecksum(frame, udp, UdpHeader.expectedChecksum(frame, udp, addresses, addressesLength));
    }

    /** Builds a whole frame with the ICRC that it should have. For those in no hurry: this one allocates. */
    public byte[] build(MemorySegment packet, long packetOffset, int transportLength) {
        byte[] bytes = new byte[frameLength(transportLength)];
        MemorySegment frame = MemorySegment.ofArray(bytes);
        build(frame, 0, packet, packetOffset, transportLength, 0);
        int bth = headerLength();
        int network = ethernetLength();
        RoceFrame whole =
                new RoceFrame(FrameBytes.of(bytes), 0, bytes.length, encapsulation, 0, network, bth, transportLength);
        Icrc.write(frame, whole.icrcOffset(), Icrc.of(whole));
        return bytes;
    }

    private long writeEthernet(MemorySegment frame, long offset) {
        int etherType = switch (encapsulation) {
            case ROCE_V1 -> EthernetHeader.ROCE;
            case ROCE_V2_IPV4 -> EthernetHeader.IPV4;
            case ROCE_V2_IPV6 -> EthernetHeader.IPV6;
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        };
        return offset + EthernetHeader.write(frame, offset, destinationMac, sourceMac, vlanPriority, vlanId, etherType);
    }

    private void writeIpv6Like(MemorySegment frame, long offset, int payloadLength, int nextHeader) {
        Ipv6Header.write(
                frame,
                offset,
                trafficClass,
                flowLabel,
                payloadLength,
                nextHeader,
                hopLimit,
                sourceHigh,
                sourceLow,
                destinationHigh,
                destinationLow);
    }

    private void writeUdp(MemorySegment frame, long offset, int udpLength) {
        UdpHeader.write(frame, offset, sourcePort, destinationPort, udpLength, udpChecksum);
    }
}
