package org.rdma4j.ibsim.rmpp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.mad.Mad;

/** Both ends against each other, over a way that loses, doubles and turns round what it carries. */
class RmppTest {

    private static final int CLASS_HEADER = 20;
    private static final int ROOM = RmppHeader.PAYLOAD_ROOM - CLASS_HEADER;
    private static final long TIMEOUT = 1000;
    private static final int WINDOW = 8;

    private static byte[] message(int length) {
        byte[] data = new byte[length];
        new SplittableRandom(length).nextBytes(data);
        return data;
    }

    @Property(tries = 300)
    void aMessageArrivesWholeOverAWayThatLosesOneDatagramInTen(
            @ForAll @IntRange(max = 6000) int length, @ForAll long seed) {
        byte[] data = message(length);
        SplittableRandom random = new SplittableRandom(seed);
        List<Mad> way = new ArrayList<>();
        List<Mad> back = new ArrayList<>();
        RmppSender sender = new RmppSender(new Mad(), CLASS_HEADER, data, TIMEOUT, way::add);
        RmppReceiver receiver = new RmppReceiver(CLASS_HEADER, back::add);
        RmppSender.Outcome outcome = sender.start(0);
        long now = 0;
        while (outcome == RmppSender.Outcome.GOING_ON && now < 1000 * TIMEOUT) {
            now += TIMEOUT / 10;
            deliver(way, random, receiver::received);
            for (Mad ack : drain(back, random)) {
                outcome = sender.received(ack, now);
            }
            outcome = sender.onTime(now);
        }
        // Where the last acknowledgement is lost too often the sender gives up on what has arrived.
        assertTrue(receiver.isComplete(), "seed " + seed);
        assertArrayEquals(data, receiver.data());
    }

    private static void deliver(List<Mad> way, SplittableRandom random, Consumer<Mad> to) {
        drain(way, random).forEach(to);
    }

    /** What gets through, some of it twice, some out of order. */
    private static List<Mad> drain(List<Mad> way, SplittableRandom random) {
        List<Mad> through = new ArrayList<>();
        for (Mad mad : way) {
            int fate = random.nextInt(10);
            if (fate > 0) {
                through.add(random.nextInt(10) == 0 ? through.size() / 2 : through.size(), mad);
            }
            if (fate == 9) {
                through.add(mad);
            }
        }
        way.clear();
        return through;
    }

    @Test
    @DisplayName(
            "SMP-08 the first segment tells the length of all, the last its own; the window opens with the first ACK")
    void segments() {
        List<Mad> way = new ArrayList<>();
        RmppSender sender = new RmppSender(new Mad(), CLASS_HEADER, message(2 * ROOM + 7), TIMEOUT, way::add);
        sender.start(0);
        assertEquals(1, way.size(), "the window at the start is one segment");
        Mad first = way.getFirst();
        assertEquals(RmppHeader.DATA, RmppHeader.type(first));
        assertEquals(RmppHeader.ACTIVE | RmppHeader.FIRST, RmppHeader.flags(first));
        assertEquals(1, RmppHeader.segment(first));
        assertEquals(3 * CLASS_HEADER + 2 * ROOM + 7, RmppHeader.data2(first));
        Mad ack = new Mad();
        RmppHeader.write(ack, RmppHeader.ACK, 0, 1, 2);
        sender.received(ack, 1);
        assertEquals(2, way.size(), "NewWindowLast is 2");
        assertEquals(RmppHeader.ACTIVE, RmppHeader.flags(way.get(1)));
        RmppHeader.write(ack, RmppHeader.ACK, 0, 2, 9);
        sender.received(ack, 2);
        Mad last = way.get(2);
        assertEquals(RmppHeader.ACTIVE | RmppHeader.LAST, RmppHeader.flags(last));
        assertEquals(CLASS_HEADER + 7, RmppHeader.data2(last));
        RmppHeader.write(ack, RmppHeader.ACK, 0, 3, 3);
        assertEquals(RmppSender.Outcome.DONE, sender.received(ack, 3));
    }

    /** Each segment behind a lost one is answered by the same acknowledgement: one of them is enough to go back. */
    @Test
    void aLostSegmentCostsAWindow() {
        int segments = 64;
        byte[] data = message(segments * ROOM);
        List<Mad> way = new ArrayList<>();
        List<Mad> back = new ArrayList<>();
        RmppSender sender = new RmppSender(new Mad(), CLASS_HEADER, data, TIMEOUT, way::add);
        RmppReceiver receiver = new RmppReceiver(CLASS_HEADER, back::add);
        sender.start(0);
        int sent = 0;
        boolean lost = false;
        for (long now = 1; !receiver.isComplete() && now < 1000 * TIMEOUT; now += TIMEOUT / 100) {
            List<Mad> arriving = List.copyOf(way);
            way.clear();
            sent += arriving.size();
            for (Mad mad : arriving) {
                if (RmppHeader.segment(mad) == 5 && !lost) {
                    lost = true;
                } else {
                    receiver.received(mad);
                }
            }
            for (Mad ack : List.copyOf(back)) {
                sender.received(ack, now);
            }
            back.clear();
            sender.onTime(now);
        }
        assertArrayEquals(data, receiver.data());
        assertTrue(lost && sent <= segments + 2 * WINDOW, sent + " segments sent");
    }

    @Test
    void givesUpWithAnAbortWhereNobodyAcknowledges() {
        List<Mad> way = new ArrayList<>();
        RmppSender sender = new RmppSender(new Mad(), CLASS_HEADER, message(500), TIMEOUT, way::add);
        sender.start(0);
        long now = 0;
        RmppSender.Outcome outcome = RmppSender.Outcome.GOING_ON;
        while (outcome == RmppSender.Outcome.GOING_ON) {
            now = sender.deadline();
            outcome = sender.onTime(now);
        }
        assertEquals(RmppSender.Outcome.FAILED, outcome);
        assertEquals(RmppHeader.ABORT, RmppHeader.type(way.getLast()));
        RmppReceiver receiver = new RmppReceiver(CLASS_HEADER, mad -> {});
        way.forEach(receiver::received);
        assertTrue(receiver.hasFailed());
    }
}
