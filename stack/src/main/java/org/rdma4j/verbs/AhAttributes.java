package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Ipv4Header;

/**
 * An address vector ({@code struct ibv_ah_attr} with its GRH): where a packet goes.
 *
 * @param dgid the peer's GID
 * @param flowLabel 20 bits, or 0; decides the UDP source port of RoCE v2
 * @param trafficClass DSCP and ECN, 0 to 255
 * @param hopLimit 0 to 255; 0 leaves it to the link
 * @param sgidIndex the local GID's index
 */
public record AhAttributes(Gid dgid, int flowLabel, int trafficClass, int hopLimit, int sgidIndex) {

    private static final int FIRST_PORT = 0xC000;
    private static final int PORT_BITS = 0x3FFF;
    private static final int LABEL_MASK = 0xF_FFFF;
    private static final int MAX_HOPS = 255;

    /** 2^32 divided by the golden ratio, which spreads the bits of what it is multiplied with. */
    private static final int GOLDEN_RATIO = 0x61C8_8647;

    /** A path with the defaults. */
    public static AhAttributes to(Gid dgid) {
        return new AhAttributes(dgid, 0, 0, 0, 0);
    }

    /**
     * The way back to the sender of a datagram ({@code ibv_init_ah_from_wc}).
     *
     * @param completion of the receive
     * @param receive the memory that it was received to
     * @param offset where in it the datagram's 40 bytes of network header start
     * @throws VerbsException EINVAL where the completion is not one of a datagram
     */
    public static AhAttributes from(WorkCompletion completion, MemorySegment receive, long offset) {
        long ipv4 = offset + Grh.LENGTH - Ipv4Header.LENGTH;
        return switch (completion.networkHeader()) {
            case NONE -> throw VerbsException.invalid("%s has no network header to answer to", completion);
            case IPV4 ->
                new AhAttributes(
                        Gid.ofIpv4(Ipv4Header.source(receive, ipv4)),
                        0,
                        Ipv4Header.trafficClass(receive, ipv4),
                        MAX_HOPS,
                        0);
            case GRH, IPV6 ->
                new AhAttributes(
                        new Gid(Grh.sgidHigh(receive, offset), Grh.sgidLow(receive, offset)),
                        Grh.flowLabel(receive, offset),
                        Grh.trafficClass(receive, offset),
                        MAX_HOPS,
                        0);
        };
    }

    /** The way of datagrams, whichever queue pair they are from. */
    RouteAttributes datagramRoute() {
        int spread = (int) (dgid.high() ^ dgid.high() >>> 32 ^ dgid.low() ^ dgid.low() >>> 32) * GOLDEN_RATIO;
        int port = flowLabel != 0 ? portOf(flowLabel) : FIRST_PORT | spread >>> 18;
        // To a group no farther than this network, unless it is asked for: the default of IP (RFC 1112).
        int hops = hopLimit == 0 && dgid.isMulticast() ? 1 : hopLimit;
        return new RouteAttributes(dgid, port, trafficClass, hops);
    }

    private static int portOf(int label) {
        return FIRST_PORT | ((label & PORT_BITS) ^ (label >>> 14 & PORT_BITS));
    }

    /** The UDP source port, as rdma-core derives it ({@code ibv_flow_label_to_udp_sport} and the kernel's fallback). */
    int udpSourcePort(int localQpn, int remoteQpn) {
        int label = flowLabel;
        if (label == 0) {
            long product = (long) localQpn * remoteQpn;
            product ^= product >>> 20;
            product ^= product >>> 40;
            label = (int) product & LABEL_MASK;
        }
        return portOf(label);
    }
}
