package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.VlanTag;

/** The Ethernet header of a frame that is sent once more: mapped, or made where the capture has none. */
final class EthernetRewriter {

    private static final int NO_TAG = -1;

    private EthernetRewriter() {}

    /** A copy of an Ethernet frame with its MAC addresses and its outer tag mapped. */
    static MemorySegment rewrite(Mapping mapping, CapturedPacket captured) {
        return rewrite(mapping, captured.bytes(), 0, captured.length());
    }

    /** The same, or a copy with an Ethernet header in front of what the capture has from the network header on. */
    static MemorySegment rewrite(Mapping mapping, RoceFrame frame, int capturedLength) {
        if (frame.ethernetOffset() >= 0) {
            return rewrite(mapping, frame.segment(), frame.ethernetOffset(), capturedLength);
        }
        int behind = capturedLength - (int) frame.networkOffset();
        MemorySegment plain = MemorySegment.ofArray(new byte[EthernetHeader.LENGTH + behind]);
        EthernetHeader.write(plain, 0, mac(frame.destination()), mac(frame.source()), etherType(frame.encapsulation()));
        MemorySegment.copy(frame.segment(), frame.networkOffset(), plain, EthernetHeader.LENGTH, behind);
        return rewrite(mapping, plain, 0, (int) plain.byteSize());
    }

    private static long mac(Gid gid) {
        return EthernetHeader.macOf(gid.high(), gid.low());
    }

    private static int etherType(Encapsulation encapsulation) {
        return switch (encapsulation) {
            case ROCE_V1 -> EthernetHeader.ROCE;
            case ROCE_V2_IPV4 -> EthernetHeader.IPV4;
            case ROCE_V2_IPV6 -> EthernetHeader.IPV6;
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        };
    }

    private static MemorySegment rewrite(Mapping mapping, MemorySegment frame, long start, int end) {
        int length = end - (int) start;
        boolean isTagged = length >= EthernetHeader.LENGTH + VlanTag.LENGTH
                && VlanTag.isVlan(EthernetHeader.etherType(frame, start));
        long tag = start + EthernetHeader.ETHER_TYPE_OFFSET;
        int vlan = isTagged ? VlanTag.id(frame, tag) : NO_TAG;
        int newVlan = mapping.vlan(vlan);
        int room = (isTagged ? -VlanTag.LENGTH : 0) + (newVlan == NO_TAG ? 0 : VlanTag.LENGTH);
        MemorySegment bytes = MemorySegment.ofArray(new byte[length + room]);
        EthernetHeader header = EthernetHeader.parse(frame, start);
        header.emit(bytes, 0);
        long from = tag + (isTagged ? VlanTag.LENGTH : 0);
        long to = EthernetHeader.ETHER_TYPE_OFFSET;
        if (newVlan != NO_TAG) {
            VlanTag old = isTagged ? VlanTag.parse(frame, tag) : new VlanTag(VlanTag.CUSTOMER, 0, false, 0);
            VlanTag.write(bytes, to, old.protocol(), old.priority(), old.dropEligible(), newVlan);
            to += VlanTag.LENGTH;
        }
        MemorySegment.copy(frame, from, bytes, to, end - from);
        int type = bytes.get(NetworkOrder.SHORT, EthernetHeader.ETHER_TYPE_OFFSET) & 0xFFFF;
        EthernetHeader.write(
                bytes, 0, mapping.destinationMac(header.destination()), mapping.sourceMac(header.source()), type);
        return bytes;
    }
}
