package org.rdma4j.tools.conform.suite;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.craft.Framing;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.FrameBytes;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;

/** HDR: what stands in front of the BTH, in frames that no socket and no link would make. All of them are over IPv4. */
final class FrameChecks {

    private static final int IP = EthernetHeader.LENGTH;
    private static final int UDP = IP + Ipv4Header.LENGTH;
    private static final int FLAGS = IP + 6;
    private static final int CHECKSUM = IP + 10;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int OFFSET_8 = 1;
    private static final int VLAN = 5;
    private static final String TAKEN = "taken";
    private static final String DROPPED = "dropped";

    private FrameChecks() {}

    static List<Check> all() {
        return List.of(
                never(
                        "HDR-10a",
                        "A UDP length that goes beyond the IP packet is not believed",
                        "a WRITE whose UDP length is 8 too much",
                        (builder, packet) -> add16(right(builder, packet), UDP + UdpHeader.UDP_LENGTH_OFFSET, 8)),
                never(
                        "HDR-10b",
                        "A UDP length that ends inside of the packet is not believed",
                        "a WRITE whose UDP length is 4 too little",
                        (builder, packet) -> add16(right(builder, packet), UDP + UdpHeader.UDP_LENGTH_OFFSET, -4)),
                never(
                        "HDR-10c",
                        "An IP length that goes beyond the frame is not believed",
                        "a WRITE whose IP total length is 8 too much",
                        (builder, packet) ->
                                checksummed(add16(right(builder, packet), IP + Ipv4Header.TOTAL_LENGTH_OFFSET, 8))),
                open(
                        "HDR-11",
                        "IPv4 options are none of RoCE's, and do no harm",
                        "a WRITE whose IPv4 header has 24 bytes, the last four of them options",
                        FrameChecks::withOptions,
                        DROPPED,
                        TAKEN),
                never(
                        "HDR-12a",
                        "A first fragment is no packet",
                        "a WRITE with More Fragments set",
                        (builder, packet) -> flags(right(builder, packet), MORE_FRAGMENTS)),
                never(
                        "HDR-12b",
                        "A later fragment is no packet",
                        "a WRITE with fragment offset 8",
                        (builder, packet) -> flags(right(builder, packet), OFFSET_8)),
                open(
                        "HDR-12c",
                        "Don't Fragment is to be set; where it is clear devices differ",
                        "a WRITE with DF 0",
                        (builder, packet) -> right(builder.dontFragment(false), packet),
                        TAKEN,
                        DROPPED),
                never(
                        "HDR-14",
                        "A wrong IPv4 header checksum is found",
                        "a WRITE with one bit of the header's checksum flipped",
                        (builder, packet) -> add16(right(builder, packet), CHECKSUM, 1)),
                framed(
                        "HDR-15a",
                        "A UDP checksum of 0, none that is, is fine",
                        "a WRITE without a UDP checksum",
                        "its ACK",
                        FrameChecks::right,
                        List.of(TAKEN)),
                framed(
                        "HDR-15b",
                        "A right UDP checksum is fine",
                        "a WRITE with its UDP checksum",
                        "its ACK",
                        FrameChecks::withUdpChecksum,
                        List.of(TAKEN)),
                open(
                        "HDR-15c",
                        "A wrong UDP checksum on a packet whose ICRC is right",
                        "a WRITE with a wrong UDP checksum",
                        (builder, packet) -> add16(withUdpChecksum(builder, packet), UDP + 6, 0x1234),
                        TAKEN,
                        DROPPED),
                never(
                        "HDR-19",
                        "A packet to another address is not the peer's",
                        "a WRITE to 192.0.2.99, in a frame to the peer's station",
                        (builder, packet) ->
                                right(builder.gids(source(builder, packet), Gid.ofIpv4(0xC000_0263)), packet)),
                never(
                        "HDR-20",
                        "A frame to another station is not the peer's",
                        "a WRITE in a frame to another MAC address",
                        (builder, packet) -> station(right(builder, packet), 0x77)),
                open(
                        "HDR-21a",
                        "A packet of a VLAN to an address that is in none",
                        "a WRITE in a frame with VLAN 5",
                        (builder, packet) -> right(builder.vlan(0, VLAN), packet),
                        DROPPED,
                        TAKEN),
                open(
                        "HDR-21b",
                        "A tag with a priority and no VLAN",
                        "a WRITE in a frame with a tag of priority 3 and VLAN 0",
                        (builder, packet) -> right(builder.vlan(3, 0), packet),
                        TAKEN,
                        DROPPED),
                never(
                        "HDR-24",
                        "RoCE v1 is nothing to an address of v2",
                        "a WRITE in a frame of RoCE v1, between the same GIDs",
                        FrameChecks::version1));
    }

    private static Check never(String id, String title, String stimulus, Framing framing) {
        return framed(id, title, stimulus, "silence; the PSN is still expected", framing, List.of(DROPPED));
    }

    private static Check open(String id, String title, String stimulus, Framing framing, String ours, String other) {
        return framed(id, title, stimulus, "its ACK, or silence", framing, List.of(ours, other))
                .open(ours, other);
    }

    /** @param allowed what may become of the WRITE */
    private static Check framed(
            String id, String title, String stimulus, String answer, Framing framing, List<String> allowed) {
        return Check.responder(id, title)
                .clause("A17")
                .framed()
                .stimulus(stimulus)
                .answer(answer)
                .story(peer -> {
                    peer.send(peer.good(0).in(framing));
                    String found = became(peer);
                    peer.require(allowed.contains(found), "the packet was " + found);
                    if (allowed.size() > 1) {
                        peer.records(found);
                    }
                    peer.alive(found.equals(TAKEN) ? 1 : 0);
                });
    }

    private static String became(Responder peer) {
        Seen answer = Shapes.firstAnswer(peer);
        if (answer == null) {
            return DROPPED;
        }
        String mismatch = peer.ack(0).msn(peer.msn(1)).mismatch(answer.packet());
        peer.require(mismatch == null, "it got " + peer.describe(answer));
        return TAKEN;
    }

    private static byte[] right(FrameBuilder builder, byte[] packet) {
        return builder.build(MemorySegment.ofArray(packet), 0, packet.length);
    }

    private static byte[] add16(byte[] frame, int at, int more) {
        int value = ((frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF) + more;
        frame[at] = (byte) (value >> 8);
        frame[at + 1] = (byte) value;
        return frame;
    }

    private static byte[] station(byte[] frame, int last) {
        frame[5] ^= (byte) last;
        return frame;
    }

    /** With the header checksum that the IPv4 header should have. */
    private static byte[] checksummed(byte[] frame) {
        int words = frame[IP] & 0x0F;
        frame[CHECKSUM] = 0;
        frame[CHECKSUM + 1] = 0;
        int sum = 0;
        for (int at = IP; at < IP + 4 * words; at += 2) {
            sum += (frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF;
        }
        sum = (sum & 0xFFFF) + (sum >> 16);
        return add16(frame, CHECKSUM, ~(sum + (sum >> 16)) & 0xFFFF);
    }

    /** Header checksum and ICRC are right again. */
    private static byte[] flags(byte[] frame, int flagsAndOffset) {
        frame[FLAGS] = (byte) (flagsAndOffset >> 8);
        frame[FLAGS + 1] = (byte) flagsAndOffset;
        checksummed(frame);
        int bth = UDP + UdpHeader.LENGTH;
        RoceFrame whole = new RoceFrame(
                FrameBytes.of(frame),
                0,
                frame.length,
                Encapsulation.ROCE_V2_IPV4,
                0,
                IP,
                bth,
                frame.length - bth - Icrc.LENGTH);
        Icrc.write(MemorySegment.ofArray(frame), whole.icrcOffset(), Icrc.of(whole));
        return frame;
    }

    /** Three NOPs and an end of the list of options. */
    private static byte[] withOptions(FrameBuilder builder, byte[] packet) {
        byte[] plain = right(builder, packet);
        byte[] frame = new byte[plain.length + 4];
        System.arraycopy(plain, 0, frame, 0, UDP);
        Arrays.fill(frame, UDP, UDP + 3, (byte) 1);
        System.arraycopy(plain, UDP, frame, UDP + 4, plain.length - UDP);
        frame[IP]++;
        return checksummed(add16(frame, IP + Ipv4Header.TOTAL_LENGTH_OFFSET, 4));
    }

    private static byte[] withUdpChecksum(FrameBuilder builder, byte[] packet) {
        byte[] frame = right(builder, packet);
        builder.writeUdpChecksum(MemorySegment.ofArray(frame), 0);
        return frame;
    }

    private static RoceFrame parsed(byte[] frame) {
        return (RoceFrame) FrameParser.parse(MemorySegment.ofArray(frame), 0, frame.length, LinkType.ETHERNET);
    }

    private static Gid source(FrameBuilder builder, byte[] packet) {
        return parsed(right(builder, packet)).source();
    }

    private static byte[] version1(FrameBuilder builder, byte[] packet) {
        byte[] frame = right(builder, packet);
        RoceFrame plain = parsed(frame);
        MemorySegment memory = MemorySegment.ofArray(frame);
        FrameBuilder other = new FrameBuilder(Encapsulation.ROCE_V1)
                .gids(plain.source(), plain.destination())
                .macs(EthernetHeader.source(memory, 0), EthernetHeader.destination(memory, 0));
        return right(other, packet);
    }
}
