package org.rdma4j.link.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.link.TestPackets.expected;
import static org.rdma4j.link.TestPackets.receiveAll;
import static org.rdma4j.link.TestPackets.send;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.TestPackets;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.RoceFrame;

class LoopNetworkTest {

    private static final MemoryBlock PATTERN = TestPackets.pattern(8192);

    private final LoopNetwork network = new LoopNetwork();
    private final Link left = network.join(Gid.ofIpv4(0x0A000001));
    private final Link right = network.join(Gid.ofIpv4(0x0A000002));
    private final Route toRight = TestPackets.route(left, right);

    @Test
    void deliversInOrder() {
        for (int psn = 0; psn < 200; psn++) {
            send(left, toRight, psn, PATTERN, psn * 20, 0);
        }
        left.transmitter().flush(0);
        assertEquals(
                IntStream.range(0, 200)
                        .mapToObj(psn -> expected(psn, PATTERN, psn * 20))
                        .toList(),
                receiveAll(right, 0));
        assertEquals(200, left.counters().sentPackets);
        assertEquals(200, right.counters().receivedPackets);
        assertEquals(left.counters().sentBytes, right.counters().receivedBytes);
    }

    @Test
    void sendsNothingBeforeTheFlush() {
        send(left, toRight, 1, PATTERN, 8, 0);
        assertEquals(List.of(), receiveAll(right, 0));
    }

    @Test
    void refusesAPacketWithAWrongIcrc() {
        send(left, toRight, 1, PATTERN, 64, 1);
        send(left, toRight, 2, PATTERN, 64, 0);
        left.transmitter().flush(0);
        assertEquals(List.of(expected(2, PATTERN, 64)), receiveAll(right, 0));
        assertEquals(1, right.counters().icrcErrors);
    }

    @Test
    void showsTapsTheFrameThatAWireWouldCarry() {
        List<String> sent = new ArrayList<>();
        List<String> received = new ArrayList<>();
        left.tap(new Recorder(sent));
        right.tap(new Recorder(received));
        Route marked = left.route(new RouteAttributes(right.gids().getFirst(), 0xC456, 0x1A, 17));
        send(left, marked, 5, PATTERN, 101, 0);
        send(left, toRight, 6, PATTERN, 101, 4);
        left.transmitter().flush(9);
        receiveAll(right, 10);

        assertEquals(List.of("sent", "sent"), kinds(sent));
        assertEquals(List.of(Rule.ACCEPTED.name(), Rule.ICRC_MISMATCH.name()), kinds(received));
        assertEquals(bytes(sent), bytes(received));
        RoceFrame frame = parse(bytes(sent).getFirst());
        assertTrue(frame.icrcIsRight());
        assertEquals(left.gids().getFirst(), frame.source());
        assertEquals(right.gids().getFirst(), frame.destination());
        assertEquals(0x1A, frame.trafficClass());
        assertEquals(17, frame.hopLimit());
        assertEquals(0xC456, frame.udpSourcePort());
        assertFalse(parse(bytes(sent).getLast()).icrcIsRight());
    }

    @Test
    void worksOverIpv6() {
        Link one = network.join(new Gid(0xFD77L << 48, 1));
        Link other = network.join(new Gid(0xFD77L << 48, 2));
        List<String> sent = new ArrayList<>();
        one.tap(new Recorder(sent));
        send(one, TestPackets.route(one, other), 3, PATTERN, 33, 0);
        one.transmitter().flush(0);
        assertEquals(List.of(expected(3, PATTERN, 33)), receiveAll(other, 0));
        assertTrue(parse(bytes(sent).getFirst()).icrcIsRight());
    }

    @Test
    void takesNothingForALinkThatIsNotThereOrIsFull() {
        Link small = network.join("loop:small", Gid.ofIpv4(0x0A000003), 100);
        send(left, left.route(RouteAttributes.to(Gid.ofIpv4(0x0A0000FF), 0)), 1, PATTERN, 8, 0);
        send(left, TestPackets.route(left, small), 2, PATTERN, 80, 0);
        send(left, TestPackets.route(left, small), 3, PATTERN, 80, 0);
        left.transmitter().flush(0);
        assertEquals(List.of(expected(2, PATTERN, 80)), receiveAll(small, 0));
        assertEquals(2, left.counters().sendErrors);
    }

    /** As the datagrams of a train do: what comes in one piece is answered as one. */
    @Test
    @Timeout(60)
    void framesOfOneFlushComeAtOnce() throws InterruptedException {
        int flushes = 2000;
        Thread sender = Thread.ofPlatform().start(() -> {
            for (int flush = 0; flush < flushes; flush++) {
                for (int psn = 0; psn < 4; psn++) {
                    send(left, toRight, psn, PATTERN, 8, 0);
                }
                left.transmitter().flush(0);
            }
        });
        int seen = 0;
        while (seen < 4 * flushes) {
            int polled = right.poll((memory, offset, length, info) -> Rule.ACCEPTED, 0);
            assertEquals(0, polled % 4, "frames of one poll");
            seen += polled;
        }
        sender.join();
    }

    @Test
    @Timeout(10)
    void wakesAWaitingThread() throws InterruptedException {
        Thread sender = Thread.ofVirtual().start(() -> {
            send(left, toRight, 1, PATTERN, 8, 0);
            left.transmitter().flush(0);
        });
        List<String> packets = new ArrayList<>();
        while (packets.isEmpty()) {
            right.await(TimeUnit.SECONDS.toNanos(60));
            packets.addAll(receiveAll(right, 0));
        }
        sender.join();
        Thread waker = Thread.ofVirtual().start(right::wakeup);
        right.await(TimeUnit.SECONDS.toNanos(60));
        waker.join();
    }

    @Test
    void refusesASecondLinkAtOneAddressUntilTheFirstIsClosed() {
        assertThrows(LinkException.class, () -> network.join(right.gids().getFirst()));
        right.close();
        network.join(right.gids().getFirst()).close();
    }

    @Test
    void opensByName() {
        try (Link one = Links.open("loop:one", LinkOptions.DEFAULT);
                Link other = Links.open("loop:other", LinkOptions.DEFAULT)) {
            send(one, TestPackets.route(one, other), 1, PATTERN, 8, 0);
            one.transmitter().flush(0);
            assertEquals(1, receiveAll(other, 0).size());
        }
        LinkException refused = assertThrows(LinkException.class, () -> Links.open("token:1", LinkOptions.DEFAULT));
        assertEquals(LinkException.Kind.UNKNOWN_DEVICE, refused.kind());
    }

    private static List<String> kinds(List<String> records) {
        return records.stream().map(each -> each.split(" ")[0]).toList();
    }

    private static List<String> bytes(List<String> records) {
        return records.stream().map(each -> each.split(" ")[1]).toList();
    }

    private static RoceFrame parse(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return assertInstanceOf(
                RoceFrame.class, FrameParser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, LinkType.ETHERNET));
    }

    private record Recorder(List<String> into) implements FrameTap {

        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            into.add("sent " + TestPackets.hex(frame, offset, length));
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            into.add(decision.name() + " " + TestPackets.hex(frame, offset, length));
        }
    }
}
