package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import org.rdma4j.analysis.Flow;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.UdpHeader;

/**
 * Gives frames new addresses and numbers. Checksums and ICRC are made right again, except in a packet that was damaged: a
 * CRC is linear, so that one whose ICRC differs from the right one in some bits gets one that differs in the same bits. The
 * damage itself stands in the bytes and goes along.
 */
final class FrameRewriter {

    private final Mapping mapping;
    private final CarriedNumbers carried;
    private final int udpPort;

    FrameRewriter(Mapping mapping, CarriedNumbers carried, int udpPort) {
        this.mapping = mapping;
        this.carried = carried;
        this.udpPort = udpPort;
    }

    /**
     * @param captured a whole frame
     * @param parsed what it is
     * @param flow the requests that it is one of or answers; {@code null} where that is not known
     */
    Rewritten roce(CapturedPacket captured, RoceFrame parsed, Flow flow) {
        MemorySegment bytes = EthernetRewriter.rewrite(mapping, parsed, captured.length());
        RoceFrame frame = (RoceFrame) FrameParser.parse(bytes, 0, (int) bytes.byteSize(), LinkType.ETHERNET, udpPort);
        int icrcXor = parsed.icrc() ^ parsed.expectedIcrc();
        ChecksumDamage damage = icrcXor == 0 ? ChecksumDamage.NONE : ChecksumDamage.of(parsed);
        Gid from = parsed.source();
        Gid to = parsed.destination();
        NetworkAddresses.write(frame, mapping.address(from), mapping.address(to));
        if (frame.encapsulation().hasUdp()) {
            ports(frame);
        }
        packet(frame, from, to, flow);
        carried.rewrite(frame, from, to);
        Icrc.write(bytes, frame.icrcOffset(), frame.expectedIcrc() ^ icrcXor);
        damage.writeChecksums(frame);
        return new Rewritten(bytes, frame, icrcXor);
    }

    /** Another frame that holds TCP: its addresses, and what tools tell each other. */
    Rewritten tcp(CapturedPacket captured, TcpFrame parsed) {
        MemorySegment bytes = EthernetRewriter.rewrite(mapping, captured);
        if (FrameParser.parse(bytes, 0, (int) bytes.byteSize(), LinkType.ETHERNET, udpPort) instanceof TcpFrame frame) {
            carried.rewrite(frame);
            NetworkAddresses.write(frame, mapping.address(parsed.source()), mapping.address(parsed.destination()));
        }
        return new Rewritten(bytes, null, 0);
    }

    /** Any frame else: only its Ethernet header changes. */
    Rewritten other(CapturedPacket captured) {
        return new Rewritten(EthernetRewriter.rewrite(mapping, captured), null, 0);
    }

    private void ports(RoceFrame frame) {
        MemorySegment bytes = frame.segment();
        long udp = frame.bthOffset() - UdpHeader.LENGTH;
        UdpHeader.write(
                bytes,
                udp,
                mapping.sourcePort(UdpHeader.sourcePort(bytes, udp)),
                mapping.destinationPort(UdpHeader.destinationPort(bytes, udp)),
                UdpHeader.udpLength(bytes, udp),
                UdpHeader.checksum(bytes, udp));
    }

    /** BTH and the headers behind it. */
    private void packet(RoceFrame frame, Gid from, Gid to, Flow flow) {
        MemorySegment bytes = frame.segment();
        long bth = frame.bthOffset();
        int opcode = Bth.opcode(bytes, bth);
        boolean isResponse = Opcode.isResponse(opcode);
        Bth.setDestQp(bytes, bth, mapping.qpn(Bth.destQp(bytes, bth), to));
        Bth.setPsn(bytes, bth, mapping.psn(Bth.psn(bytes, bth), isResponse ? to : from, flow));
        if (Opcode.isReserved(opcode) || frame.transportLength() < Opcode.headerLength(opcode)) {
            return; // a damaged one
        }
        if (Opcode.hasDeth(opcode)) {
            long deth = bth + Opcode.dethOffset(opcode);
            Deth.setSourceQp(bytes, deth, mapping.qpn(Deth.sourceQp(bytes, deth), from));
        }
        if (Opcode.hasReth(opcode)) {
            long reth = bth + Opcode.rethOffset(opcode);
            Reth.setVirtualAddress(bytes, reth, mapping.virtualAddress(Reth.virtualAddress(bytes, reth), to));
            Reth.setRKey(bytes, reth, mapping.rKey(Reth.rKey(bytes, reth), to));
        }
        if (Opcode.hasAtomicEth(opcode)) {
            long atomic = bth + Opcode.atomicEthOffset(opcode);
            AtomicEth.setVirtualAddress(
                    bytes, atomic, mapping.virtualAddress(AtomicEth.virtualAddress(bytes, atomic), to));
            AtomicEth.setRKey(bytes, atomic, mapping.rKey(AtomicEth.rKey(bytes, atomic), to));
        }
        if (Opcode.hasIeth(opcode)) {
            long ieth = bth + Opcode.iethOffset(opcode);
            Ieth.write(bytes, ieth, mapping.rKey(Ieth.rKey(bytes, ieth), to));
        }
    }
}
