package org.rdma4j.link.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.TestPackets;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;

class FaultyLinkTest {

    private static final MemoryBlock PATTERN = TestPackets.pattern(8192);
    private static final int MANY = 10_000;

    private final LoopNetwork network = new LoopNetwork();
    private final Link right = network.join(Gid.ofIpv4(0x0A000002));
    private FaultyLink left;
    private Route route;

    private void faults(Faults faults, long seed) {
        left = new FaultyLink(network.join(Gid.ofIpv4(0x0A000001)), faults, new Random(seed));
        route = TestPackets.route(left, right);
    }

    private void send(int first, int count) {
        for (int psn = first; psn < first + count; psn++) {
            TestPackets.send(left, route, psn, PATTERN, psn % 200, 0);
        }
    }

    private static List<Integer> psns(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void changesNothingWithoutFaults() {
        faults(Faults.NONE, 1);
        send(0, 100);
        left.transmitter().flush(0);
        assertEquals(
                psns(0, 100).stream()
                        .map(psn -> TestPackets.expected(psn, PATTERN, psn % 200))
                        .toList(),
                TestPackets.receiveAll(right, 0));
    }

    @Test
    void losesTheShareThatItIsTold() {
        faults(Faults.NONE.withLoss(0.05), 2);
        send(0, MANY);
        left.transmitter().flush(0);
        List<Integer> arrived = TestPackets.receivePsns(right, 0);
        long lost = left.sentFaults().lost;
        assertEquals(MANY - lost, arrived.size());
        assertTrue(lost > 400 && lost < 600, "lost " + lost);
        assertEquals(arrived.stream().sorted().toList(), arrived);
    }

    @Test
    void doublesPackets() {
        faults(Faults.NONE.withDuplicate(1), 3);
        send(0, 3);
        left.transmitter().flush(0);
        assertEquals(List.of(0, 0, 1, 1, 2, 2), TestPackets.receivePsns(right, 0));
    }

    @Test
    void letsPacketsBeOvertakenByAFew() {
        faults(Faults.NONE.withReorder(0.1), 4);
        send(0, MANY);
        left.transmitter().flush(0);
        left.transmitter().flush(1_000_000);
        List<Integer> arrived = TestPackets.receivePsns(right, 0);
        assertNotEquals(psns(0, MANY), arrived);
        assertEquals(psns(0, MANY), arrived.stream().sorted().toList());
        for (int i = 0; i < MANY; i++) {
            assertTrue(Math.abs(arrived.get(i) - i) < 20, "packet " + arrived.get(i) + " came at place " + i);
        }
        long reordered = left.sentFaults().reordered;
        assertTrue(reordered > 900 && reordered < 1100, "reordered " + reordered);
    }

    @Test
    void sendsAReorderedPacketThoughNothingOvertakesIt() {
        faults(Faults.NONE.withReorder(1), 5);
        send(7, 1);
        left.transmitter().flush(1000);
        assertEquals(List.of(), TestPackets.receivePsns(right, 1000));
        long next = left.nextEvent();
        assertTrue(next > 1000 && next < Long.MAX_VALUE);
        left.poll((segment, offset, length, info) -> Rule.ACCEPTED, next);
        assertEquals(List.of(7), TestPackets.receivePsns(right, next));
        assertEquals(Long.MAX_VALUE, left.nextEvent());
    }

    @Test
    void damagesPacketsSoThatTheReceiverRefusesThem() {
        faults(Faults.NONE.withCorrupt(1), 6);
        send(0, MANY);
        left.transmitter().flush(0);
        assertEquals(List.of(), TestPackets.receivePsns(right, 0));
        assertEquals(MANY, right.counters().icrcErrors);
        assertEquals(MANY, left.sentFaults().corrupted);
    }

    @Test
    void delaysAndKeepsTheOrder() {
        faults(Faults.NONE.withDelay(10_000, 5_000), 7);
        List<Integer> arrived = new ArrayList<>();
        send(0, 50);
        left.transmitter().flush(100);
        while (left.nextEvent() != Long.MAX_VALUE) {
            long now = left.nextEvent();
            assertTrue(now >= 10_100 && now <= 15_100, "next event at " + now);
            left.poll((segment, offset, length, info) -> Rule.ACCEPTED, now);
            arrived.addAll(TestPackets.receivePsns(right, now));
        }
        assertEquals(psns(0, 50), arrived);
    }

    @Test
    void dropsWhatTheScriptSays() {
        faults(Faults.NONE, 8);
        left.dropSent(PacketFilter.numbers(2));
        send(0, 5);
        left.transmitter().flush(0);
        assertEquals(List.of(0, 1, 3, 4), TestPackets.receivePsns(right, 0));
        left.dropSent((number, packet, offset, length) -> Bth.psn(packet, offset) == 2);
        send(0, 5);
        left.transmitter().flush(0);
        assertEquals(List.of(0, 1, 3, 4), TestPackets.receivePsns(right, 0));
        assertEquals(2, left.sentFaults().filtered);
    }

    @Test
    void keepsAnIcrcThatWasWrongOnPurpose() {
        faults(Faults.NONE, 9);
        TestPackets.send(left, route, 1, PATTERN, 10, 0x40);
        left.transmitter().flush(0);
        assertEquals(List.of(), TestPackets.receivePsns(right, 0));
        assertEquals(1, right.counters().icrcErrors);
    }

    @Test
    void worksOnTheWayInAsWell() {
        faults(Faults.NONE, 10);
        Faults incoming = Faults.NONE.withLoss(0.2).withDuplicate(0.2).withCorrupt(0.2);
        FaultyLink bad = new FaultyLink(right, Faults.NONE, incoming, new Random(11));
        bad.dropReceived(PacketFilter.numbers(0));
        send(0, 1000);
        left.transmitter().flush(0);
        List<Integer> arrived = TestPackets.receivePsns(bad, 0);
        FaultCounters counters = bad.receivedFaults();
        assertEquals(1000, counters.packets);
        assertEquals(1, counters.filtered);
        assertTrue(counters.lost > 100 && counters.corrupted > 100 && counters.duplicated > 70);
        assertEquals(counters.corrupted, bad.counters().icrcErrors);
        assertEquals(
                1000 - counters.filtered - counters.lost - counters.corrupted + counters.duplicated, arrived.size());
        assertThrows(
                IllegalArgumentException.class,
                () -> new FaultyLink(right, Faults.NONE, Faults.NONE.withReorder(0.1), new Random(1)));
    }

    @Test
    void theSameSeedGivesTheSameBytes() {
        assertEquals(run(77), run(77));
        assertNotEquals(run(77), run(78));
    }

    /** All frames that reach the receiver's side, with their times, of a run under every fault. */
    private static List<String> run(long seed) {
        Faults all = Faults.parse("loss=5%,reorder=10%,duplicate=5%,corrupt=5%,delay=10us,jitter=8us");
        LoopNetwork network = new LoopNetwork();
        List<String> frames = new ArrayList<>();
        try (Link to = network.join(Gid.ofIpv4(2));
                FaultyLink from = new FaultyLink(network.join(Gid.ofIpv4(1)), all, new Random(seed))) {
            to.tap(new FrameTap() {
                @Override
                public void sent(long now, MemorySegment frame, long offset, int length) {}

                @Override
                public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
                    frames.add(now + " " + decision + " " + TestPackets.hex(frame, offset, length));
                }
            });
            PacketHandler accept = (segment, offset, length, info) -> Rule.ACCEPTED;
            Route route = TestPackets.route(from, to);
            for (int round = 0; round < 200; round++) {
                long now = round * 1000L;
                TestPackets.send(from, route, round, PATTERN, round, 0);
                from.transmitter().flush(now);
                from.poll(accept, now);
                to.poll(accept, now);
            }
        }
        return frames;
    }
}
