package org.rdma4j.tools.conform.craft;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.UdpHeader;
import org.rdma4j.wire.VlanTag;

/**
 * A frame of IPv4 of the peer's, as it came from the network. Its headers may be wrong: nothing is believed but that the BTH
 * is behind as many words as the IPv4 header says that it has, and behind UDP's eight bytes.
 *
 * @param memory from the Ethernet header on, without FCS
 * @param ip where the IPv4 header starts
 */
public record PeerFrame(MemorySegment memory, int ip) {

    private static final int WORD = 4;

    /** @return {@code null} for a frame that is none of IPv4, too short, or our own */
    static PeerFrame of(byte[] bytes, Gid own) {
        if (bytes.length < EthernetHeader.LENGTH) {
            return null;
        }
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int ip = EthernetHeader.etherType(memory, 0) == VlanTag.CUSTOMER
                ? EthernetHeader.LENGTH + VlanTag.LENGTH
                : EthernetHeader.LENGTH;
        PeerFrame frame = new PeerFrame(memory, ip);
        boolean whole = bytes.length >= ip + Ipv4Header.LENGTH
                && Ipv4Header.version(memory, ip) == 4
                && bytes.length >= frame.bth() + Bth.LENGTH;
        return whole && !Gid.ofIpv4(Ipv4Header.source(memory, ip)).equals(own) ? frame : null;
    }

    /** Where the UDP header starts. */
    public int udp() {
        return ip + WORD * Ipv4Header.headerWords(memory, ip);
    }

    /** Where the BTH starts. */
    public int bth() {
        return udp() + UdpHeader.LENGTH;
    }

    public int psn() {
        return Bth.psn(memory, bth());
    }

    int destQp() {
        return Bth.destQp(memory, bth());
    }
}
