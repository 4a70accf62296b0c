package org.rdma4j.tools.conform.mutant;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
                sees("roce-any-version", "RoCE v1 is taken for v2", FrameMutants::asVersion2),
                sends("ip-sent-options", "packets have IPv4 options", FrameMutants::withOptions),
                sends("ip-sent-df", "packets may be fragmented", frame -> set16(frame, IP + 6, 0)),
                sends("ip-sent-mf", "packets are first fragments", frame -> set16(frame, IP + 6, 0x6000)),
                sends("ip-sent-ttl", "packets have no time to live", frame -> {
                    frame[IP + Ipv4Header.TIME_TO_LIVE_OFFSET] = 0;
                    return frame;
                }),
                sends("ip-sent-protocol", "packets are UDP-Lite's", frame -> {
                    frame[IP + Ipv4Header.PROTOCOL_OFFSET] = (byte) 136;
                    return frame;
                }),
                Mutant.tampered(
                        "ip-sent-checksum",
                        "packets have a wrong IPv4 header checksum",
                        () -> sent(frame -> {
                            frame[IP + Ipv4Header.CHECKSUM_OFFSET]++;
                            return frame;
                        })),
                sends("udp-sent-port", "packets go to UDP port 4790", frame -> set16(frame, UDP + 2, 4790)),
                sends(
                        "ip-sent-length",
                        "IP's total length has the Ethernet header in it",
                        frame -> set16(frame, IP + 2, get16(frame, IP + 2) + EthernetHeader.LENGTH)),
                sends(
                        "udp-sent-length",
                        "UDP's length is without the ICRC",
                        frame -> set16(frame, UDP + 4, get16(frame, UDP + 4) - ICRC)),
                sends(
                        "udp-sent-pad",
                        "UDP's length is without the pad",
                        frame -> set16(frame, UDP + 4, get16(frame, UDP + 4) - (frame[BTH + 1] >> 4 & 3))));
    }

    /** What the device sends looks like this; the header's checksum is right. */
    private static Mutant sends(String id, String what, UnaryOperator<byte[]> change) {
        return Mutant.tampered(id, what, () -> sent(frame -> withRightChecksum(change.apply(frame))));
    }

    private static Tamper sent(UnaryOperator<byte[]> change) {
        return new Tamper() {
            @Override
            public byte[] frameFromDevice(byte[] frame) {
                return type(frame) == EthernetHeader.IPV4 ? change.apply(frame) : frame;
            }
        };
    }

    private static byte[] set16(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 8);
        frame[at + 1] = (byte) value;
        return frame;
    }

    /** A word of NOPs. */
    private static byte[] withOptions(byte[] frame) {
        byte[] longer = new byte[frame.length + 4];
        System.arraycopy(frame, 0, longer, 0, UDP);
        Arrays.fill(longer, UDP, UDP + 4, (byte) 1);
        System.arraycopy(frame, UDP, longer, UDP + 4, frame.length - UDP);
        longer[IP]++;
        return set16(longer, IP + 2, get16(longer, IP + 2) + 4);
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
