package org.rdma4j.tools.conform.mutant;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.UdpHeader;

/** Devices that are wrong about what stands in front of the BTH: they take a frame for the one that it should have been. */
final class FrameMutants {

    private static final int IP = EthernetHeader.LENGTH;
    private static final int UDP = IP + Ipv4Header.LENGTH;
    private static final int BTH = UDP + UdpHeader.LENGTH;
    private static final int ICRC = 4;

    private FrameMutants() {}

    static List<Mutant> all() {
        return List.of(
                sees("ip-any-length", "IP and UDP lengths are not looked at", FrameMutants::withRightLengths),
                sees("ip-checksum", "the IPv4 header's checksum is not looked at", FrameMutants::withRightChecksum),
                sees(
                        "ip-fragments",
                        "fragments are taken for whole packets",
                        frame -> isUdp(frame) && (get16(frame, IP + 6) & 0x3FFF) != 0 ? again(frame) : frame),
                sees(
                        "ip-no-fragment-bit",
                        "packets without DF are lost",
                        frame -> (frame[IP + 6] & 0x40) == 0 && type(frame) == EthernetHeader.IPV4 ? null : frame),
                sees("ip-options", "IPv4 options are skipped", FrameMutants::withoutOptions),
                sees(
                        "ip-any-address",
                        "the IPv4 address is not looked at",
                        frame -> isUdp(frame) && (frame[UDP - 1] & 0xFF) == 99 ? again(frame) : frame),
                sees(
                        "udp-no-checksum",
                        "packets without a UDP checksum are lost",
                        frame -> isUdp(frame) && checksum(frame) == 0 ? null : frame),
                sees(
                        "udp-checksum",
                        "packets with a UDP checksum are lost",
                        frame -> isUdp(frame) && checksum(frame) != 0 ? null : frame),
                sees("mac-any", "the MAC address is not looked at", frame -> {
                    frame[5] = 1;
                    return frame;
                }),
                sees(
                        "vlan-any",
                        "VLANs are not looked at",
                        frame -> type(frame) == 0x8100 && (frame[15] & 0xFF) != 0 ? untagged(frame) : frame),
                sees("vlan-none", "tagged frames are lost", frame -> type(frame) == 0x8100 ? null : frame),
                sees("roce-any-version", "RoCE v1 is taken for v2", FrameMutants::asVersion2));
    }

    /** {@code null} for a frame that it does not see. */
    private static Mutant sees(String id, String what, UnaryOperator<byte[]> change) {
        return Mutant.tampered(id, what, () -> new Tamper() {
            @Override
            public byte[] frameToDevice(byte[] frame) {
                return change.apply(frame);
            }
        });
    }

    private static int get16(byte[] frame, int at) {
        return (frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF;
    }

    private static int type(byte[] frame) {
        return get16(frame, EthernetHeader.ETHER_TYPE_OFFSET);
    }

    private static boolean isUdp(byte[] frame) {
        return type(frame) == EthernetHeader.IPV4 && (frame[IP] & 0x0F) == 5;
    }

    private static int checksum(byte[] frame) {
        return get16(frame, UDP + 6);
    }

    /** The packet of an IPv4 frame in a frame that is right. */
    private static byte[] again(byte[] frame) {
        return type(frame) == EthernetHeader.IPV4 && (frame[IP] & 0x0F) == 5 ? build(frame, BTH) : frame;
    }

    private static byte[] build(byte[] frame, int bth) {
        Gid device = Gid.ofIpv4(0xC000_0201);
        Gid line = Gid.ofIpv4(0xC000_0202);
        FrameBuilder builder = FrameBuilder.roceV2(line)
                .gids(line, device)
                .macs(0x0200_0000_0002L, 0x0200_0000_0001L)
                .udpPorts(0xC111, LinkOptions.ROCE_V2_PORT);
        return builder.build(MemorySegment.ofArray(frame), bth, frame.length - bth - ICRC);
    }

    private static byte[] withRightLengths(byte[] frame) {
        boolean wrong = isUdp(frame)
                && (get16(frame, IP + Ipv4Header.TOTAL_LENGTH_OFFSET) != frame.length - IP
                        || get16(frame, UDP + UdpHeader.UDP_LENGTH_OFFSET) != frame.length - UDP);
        return wrong ? again(frame) : frame;
    }

    private static byte[] withRightChecksum(byte[] frame) {
        if (isUdp(frame)) {
            MemorySegment memory = MemorySegment.ofArray(frame);
            int right = Ipv4Header.expectedChecksum(memory, IP);
            frame[IP + 10] = (byte) (right >> 8);
            frame[IP + 11] = (byte) right;
        }
        return frame;
    }

    private static byte[] withoutOptions(byte[] frame) {
        return type(frame) == EthernetHeader.IPV4 && (frame[IP] & 0x0F) == 6 ? build(frame, BTH + 4) : frame;
    }

    private static byte[] untagged(byte[] frame) {
        return build(frame, BTH + 4);
    }

    private static byte[] asVersion2(byte[] frame) {
        int grh = new FrameBuilder(Encapsulation.ROCE_V1).headerLength();
        return type(frame) == EthernetHeader.ROCE ? build(frame, grh) : frame;
    }
}
