package org.rdma4j.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.analysis.TestFrames.acknowledge;
import static org.rdma4j.analysis.TestFrames.request;
import static org.rdma4j.analysis.TestFrames.response;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.analysis.TestFrames;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.vectors.Captures;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;

class LadderTest {

    private final List<String> lines = new ArrayList<>();
    private final Ladder ladder = new Ladder(lines::add);

    @Test
    void drawsAConversationWithItsTroubles() {
        ladder.packet(1_000, request(Opcode.RC_SEND_ONLY, 0xFFFFFE, 16), Rule.RECEIVE_NOT_READY);
        ladder.packet(16_100, acknowledge(0xFFFFFE, Syndrome.rnrNak(1), 0), Rule.RNR_NAK_RECEIVED);
        ladder.packet(28_000, request(Opcode.RC_SEND_ONLY, 0xFFFFFE, 16), Rule.INJECTED_LOSS);
        ladder.packet(95_000, request(Opcode.RC_SEND_ONLY, 0xFFFFFE, 16), Rule.ACCEPTED);
        ladder.packet(96_000, acknowledge(0xFFFFFE, Syndrome.ack(8), 1), Rule.ACCEPTED_ACK);
        ladder.note("now a WRITE of three packets");
        ladder.packet(100_000, write(Opcode.RC_RDMA_WRITE_FIRST, 0xFFFFFF, 256, new Reth(0x1000, 7, 600)), null);
        ladder.packet(100_500, write(Opcode.RC_RDMA_WRITE_MIDDLE, 0, 256), null);
        ladder.packet(101_000, write(Opcode.RC_RDMA_WRITE_LAST, 1, 88), null);
        ladder.packet(110_000, request(Opcode.RC_RDMA_READ_REQUEST, 2, 0, new Reth(0x1000, 7, 300)), null);
        ladder.packet(120_000, read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 2, 256, new Aeth(31, 3)), null);
        ladder.packet(130_000, read(Opcode.RC_RDMA_READ_RESPONSE_LAST, 3, 44, new Aeth(31, 3)), null);
        ladder.packet(140_000, request(Opcode.RC_COMPARE_SWAP, 4, 0, new AtomicEth(8, 7, -1, 40)), null);
        ladder.packet(
                150_000, response(Opcode.RC_ATOMIC_ACKNOWLEDGE, 4, 0, new Aeth(31, 4), new AtomicAckEth(40)), null);
        ladder.packet(160_000, request(Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, 6, 0, new ImmDt(0xCAFE)), Rule.PSN_SEQUENCE);
        ladder.packet(170_000, acknowledge(5, Syndrome.NAK_PSN_SEQUENCE, 4), null);
        assertEquals("""
                         µs  10.0.0.1                  10.0.0.2 to QP       PSN
                      0.000  │── SEND only ──────────────────✕│ 0x000012      0  16 B  AckReq  PSN 0 is 16777214
                             └ RNR-01: no receive is posted: RNR NAK [9.7.5]
                """, first(3));
        assertEquals("""
                     15.100  │◀──────────── RNR NAK 0.01 ms ──│ 0x000011      0  MSN 0
                             └ RNR-06: the responder was not ready: resend after the time it named [9.7.5]
                     27.000  │╌╌ SEND only ╌╌╌╌╌╌╌╌╌╌╌╌╌✕     │ 0x000012      0  16 B  AckReq  again
                             └ FLT-01: lost on purpose by the fault injector
                     94.000  │╌╌ SEND only ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶│ 0x000012      0  16 B  AckReq  again ×2
                     95.000  │◀───────────── ACK credits 16 ──│ 0x000011      0  MSN 1
                             now a WRITE of three packets
                     99.000  │── WRITE first ────────────────▶│ 0x000012      1  256 of 600 B
                     99.500  │── WRITE middle ───────────────▶│ 0x000012      2  512 of 600 B
                    100.000  │── WRITE last ─────────────────▶│ 0x000012      3  600 of 600 B
                    109.000  │── READ req ───────────────────▶│ 0x000012      4  asks for 300 B  AckReq
                    119.000  │◀──────────── READ resp first ──│ 0x000011      4  256 of 300 B  MSN 3
                    129.000  │◀───────────── READ resp last ──│ 0x000011      5  300 of 300 B  MSN 3
                    139.000  │── COMPARE SWAP ───────────────▶│ 0x000012      6  if 40 then 18446744073709551615
                             └ AckReq
                    149.000  │◀───────────────── ATOMIC ACK ──│ 0x000011      6  was 40  MSN 4
                    159.000  │── SEND only imm ──────────────✕│ 0x000012      8  0 B  imm 0x0000cafe  AckReq
                             └ gap of 1
                             └ PSN-01: a packet is missing before this one: NAK with the PSN expected [9.7.1]
                    169.000  │◀───── NAK PSN sequence error ──│ 0x000011      7  MSN 4
                """, rest(3));
    }

    private static RoceFrame write(int opcode, int psn, int payload, Reth... reth) {
        return TestFrames.frame(TestFrames.LEFT, TestFrames.RIGHT, 0x12, opcode, psn, false, payload, reth);
    }

    private static RoceFrame read(int opcode, int psn, int payload, Aeth aeth) {
        return response(opcode, psn, payload, aeth);
    }

    @Test
    void breaksLongReasonsAtTheEdge() {
        ladder.packet(0, request(Opcode.RC_SEND_ONLY, 1, 16), Rule.PAYLOAD_LENGTH);
        assertEquals("""
                             └ LEN-01: the payload's length does not fit opcode, path MTU or message: NAK invalid
                               request [9.7.4]
                """, rest(2));
    }

    @Test
    void marksAFrameWithAWrongIcrcAndBelievesNothingOfIt() {
        byte[] bytes = request(Opcode.RC_SEND_ONLY, 7, 16).segment().toArray(ValueLayout.JAVA_BYTE);
        bytes[60] ^= 1;
        ladder.packet(0, TestFrames.parse(bytes), null);
        assertEquals("""
                      0.000  │── SEND only ──────────────────✕│ 0x000012     =7  16 B  AckReq
                             └ CRC-02: the ICRC is wrong [7.8]
                """, rest(1));
    }

    @Test
    void saysWhereAPacketIsTooShortForItsHeaders() {
        byte[] packet = new byte[Bth.LENGTH];
        packet[0] = Opcode.RC_RDMA_READ_REQUEST;
        byte[] bytes = org.rdma4j.wire.FrameBuilder.roceV2(TestFrames.LEFT)
                .gids(TestFrames.LEFT, TestFrames.RIGHT)
                .build(java.lang.foreign.MemorySegment.ofArray(packet), 0, packet.length);
        ladder.packet(0, TestFrames.parse(bytes), null);
        assertEquals("""
                      0.000  │── RC READ req ────────────────✕│
                             └ HDR-09: 12 bytes are shorter than the 28 bytes of headers and 0 of pad of RC
                               RDMA_READ_REQUEST
                """, rest(1));
    }

    @Test
    void namesTheEndsAnewWhenOthersTalk() {
        Gid long1 = new Gid(0xFE80_0000_0000_0000L, 0x5054_00FF_FE00_0001L);
        Gid long2 = new Gid(0xFE80_0000_0000_0000L, 0x5054_00FF_FE00_0002L);
        ladder.packet(0, request(Opcode.RC_SEND_ONLY, 0, 4), null);
        ladder.packet(1, TestFrames.frame(long2, long1, 5, Opcode.RC_SEND_ONLY, 0, false, 4), null);
        ladder.packet(2, TestFrames.frame(long1, long2, 6, Opcode.RC_SEND_ONLY, 0, false, 4), null);
        ladder.packet(3, TestFrames.frame(long1, long1, 6, Opcode.RC_SEND_ONLY, 0, false, 4), null);
        assertEquals("""

                             fe80::5054:ff:fe00:2
                         µs                fe80::5054:ff:fe00:1 to QP       PSN
                      0.001  │── SEND only ──────────────────▶│ 0x000005      0  4 B
                      0.002  │◀────────────────── SEND only ──│ 0x000006      0  4 B

                             fe80::5054:ff:fe00:1
                         µs                fe80::5054:ff:fe00:1 to QP       PSN
                      0.003  │── SEND only ──────────────────▶│ 0x000006      0  4 B
                """, rest(2));
    }

    /** The network was good, but the peers were so slow that timers ran out. */
    private static final Set<String> TIMED_OUT = Set.of("rxe-6.1-tools.pcap", "rxe-rc-pingpong.pcap");

    static List<Captures.Capture> captures() {
        return Captures.all();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void drawsOneLineForEachPacketOfRealPeers(Captures.Capture capture) throws IOException {
        try (CaptureReader reader = CaptureReader.open(capture.name(), new ByteArrayInputStream(capture.bytes()))) {
            while (reader.hasNext()) {
                CapturedPacket packet = reader.next();
                if (FrameParser.parse(packet.bytes(), 0, packet.length(), packet.linkType())
                        instanceof RoceFrame frame) {
                    ladder.packet(packet.timestamp(), frame, null);
                }
            }
        }
        List<String> arrows = lines.stream().filter(line -> line.contains("│")).toList();
        assertEquals(capture.roceFrames(), arrows.size());
        assertEquals(capture.naks(), count(arrows, " NAK "), "NAKs");
        int damaged = capture.name().equals(Captures.DAMAGED) ? Captures.DAMAGED_FRAMES : 0;
        assertEquals(damaged, count(arrows, "✕"));
        // Where the network was bad, something was sent again; elsewhere nothing was.
        boolean wasBad = capture.description().contains("over a network that") || TIMED_OUT.contains(capture.name());
        assertEquals(
                wasBad,
                count(lines, "again") + count(lines, "copy") + count(lines, "late") > 0,
                "packets sent again, doubled or overtaken");
        for (String line : lines) {
            assertTrue(line.length() <= Ladder.WIDTH, line);
        }
    }

    private static long count(List<String> lines, String part) {
        return lines.stream().filter(line -> line.contains(part)).count();
    }

    private String first(int count) {
        return String.join("\n", lines.subList(0, count)) + "\n";
    }

    private String rest(int from) {
        return String.join("\n", lines.subList(from, lines.size())) + "\n";
    }
}
