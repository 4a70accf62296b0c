package org.rdma4j.link.tap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.link.TestPackets.receiveAll;
import static org.rdma4j.link.TestPackets.send;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.Link;
import org.rdma4j.link.Route;
import org.rdma4j.link.TestPackets;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.link.fault.PacketFilter;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.RoceFrame;

class PcapngTapTest {

    private static final MemoryBlock PATTERN = TestPackets.pattern(8192);
    private static final long EPOCH = 1_700_000_000_000_000_000L;

    private final LoopNetwork network = new LoopNetwork();
    private final Link left = network.join(Gid.ofIpv4(0x0A000001));
    private final FaultyLink right = new FaultyLink(network.join(Gid.ofIpv4(0x0A000002)), Faults.NONE, new Random(1))
            .dropReceived(PacketFilter.numbers(1));
    private final Route toRight = TestPackets.route(left, right);
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    @Test
    void writesWhatIsSentAndReceivedWithTheReasonOfEachDrop() throws IOException {
        try (PcapngTap tap = new PcapngTap(file, EPOCH)) {
            left.tap(tap.of("left"));
            right.tap(tap.of("right"));
            send(left, toRight, 1, PATTERN, 100, 0);
            send(left, toRight, 2, PATTERN, 200, 0);
            send(left, toRight, 3, PATTERN, 300, 1);
            left.transmitter().flush(5);
            receiveAll(right, 7);
            assertEquals(6, tap.frames());
        }
        List<CapturedPacket> packets = packets();
        assertEquals(List.of(0, 0, 0, 1, 1, 1), map(packets, CapturedPacket::interfaceIndex));
        assertEquals(
                List.of(EPOCH + 5, EPOCH + 5, EPOCH + 5, EPOCH + 7, EPOCH + 7, EPOCH + 7),
                map(packets, CapturedPacket::timestamp));
        assertEquals(List.of(1, 2, 3, 1, 2, 3), map(packets, packet -> Bth.psn(packet.bytes(), bth(packet))));
        assertEquals(
                List.of(true, true, false, true, true, false),
                map(packets, packet -> frame(packet).icrcIsRight()));
        assertEquals(
                List.of(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Rule.INJECTED_LOSS),
                        Optional.of(Rule.ICRC_MISMATCH)),
                map(packets, packet -> RuleComment.find(packet.comments())));
        assertEquals(
                List.of("FLT-01: lost on purpose by the fault injector"),
                packets.get(4).comments());
    }

    @Test
    void ofTwoLinksThatTalkToEachOtherEachFrameIsThereOnce() throws IOException {
        try (PcapngTap tap = new PcapngTap(file, EPOCH)) {
            left.tap(tap.arrivalsAt("left"));
            right.tap(tap.arrivalsAt("right"));
            send(left, toRight, 1, PATTERN, 8, 0);
            left.transmitter().flush(0);
            receiveAll(right, 0);
            send(right, TestPackets.route(right, left), 2, PATTERN, 8, 0);
            right.transmitter().flush(0);
            receiveAll(left, 0);
        }
        assertEquals(List.of(1, 0), map(packets(), CapturedPacket::interfaceIndex));
    }

    @Test
    void everyRuleIsFoundAgainByItsComment() {
        for (Rule rule : Rule.values()) {
            assertEquals(Optional.of(rule), RuleComment.find(List.of("by hand", RuleComment.of(rule))));
        }
    }

    @Test
    void aFullDiskEndsTheTraceAndNotTheLink() throws IOException {
        PcapngTap tap = new PcapngTap(new FullDisk(1000), EPOCH);
        right.tap(tap.of("right"));
        for (int psn = 0; psn < 500; psn++) {
            send(left, toRight, psn, PATTERN, 4000, 0);
            left.transmitter().flush(0);
            receiveAll(right, 0);
        }
        assertEquals(500, right.counters().receivedPackets);
        IOException refused = assertThrows(IOException.class, tap::close);
        assertTrue(refused.getMessage().endsWith("missing from the trace: No space left on device"), refused::toString);
        assertTrue(tap.frames() < 500);
        tap.close();
    }

    private List<CapturedPacket> packets() throws IOException {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open("tap", new ByteArrayInputStream(file.toByteArray()))) {
            reader.forEachRemaining(packets::add);
        }
        return packets;
    }

    private static RoceFrame frame(CapturedPacket packet) {
        return assertInstanceOf(
                RoceFrame.class, FrameParser.parse(packet.bytes(), 0, packet.length(), packet.linkType()));
    }

    private static long bth(CapturedPacket packet) {
        return frame(packet).bthOffset();
    }

    private static <T> List<T> map(
            List<CapturedPacket> packets, java.util.function.Function<CapturedPacket, T> function) {
        return packets.stream().map(function).toList();
    }

    private static final class FullDisk extends OutputStream {

        private int left;

        FullDisk(int left) {
            this.left = left;
        }

        @Override
        public void write(int value) throws IOException {
            if (left-- <= 0) {
                throw new IOException("No space left on device");
            }
        }
    }
}
