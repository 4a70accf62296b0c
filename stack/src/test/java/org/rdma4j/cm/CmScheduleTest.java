package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/**
 * Two communication managers and a network that loses, duplicates and reorders: both sides of each connection end up in
 * states that agree, or with a timeout, and at last nothing is remembered. {@code -Dseed=N} runs one schedule,
 * {@code -Dschedules=N} another number of them.
 */
class CmScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("schedules", 20_000);

    /** What the schedules are there to provoke. */
    private static final List<String> MUST_BE_MET = List.of(
            "established on both sides",
            "rejected by the passive side",
            "rejected by the active side",
            "nobody listens",
            "unreachable",
            "the passive side gave up, the active side did not hear of it",
            "a request that came from the past",
            "a simultaneous connect",
            "a disconnect that nobody answered",
            "a long thought",
            "a resolution",
            "a resolution that nobody answered");

    private final Map<String, Integer> met = new TreeMap<>();

    @Test
    void bothSidesAgreeInTheEnd() {
        Long only = Long.getLong("seed");
        if (only != null) {
            play(only);
            return;
        }
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            play(seed);
        }
        for (String what : MUST_BE_MET) {
            assertTrue(met.containsKey(what), () -> "no schedule led to: " + what + "; met: " + met);
        }
    }

    private void play(long seed) {
        Random random = new Random(seed);
        VirtualNet.Weather weather = new VirtualNet.Weather(
                random.nextInt(4) == 0 ? 0 : random.nextDouble() * 0.5,
                random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.5,
                random.nextInt(3) == 0 ? 0 : random.nextInt(300_000_000));
        VirtualNet net = new VirtualNet(random, weather);
        int retries = 1 + random.nextInt(15);
        Side[] sides = {new Side(net, random, 0, retries), new Side(net, random, 1, retries)};
        try {
            connect(net, random, sides);
            net.run();
            for (Side side : sides) {
                for (Call call : side.calls()) {
                    checkStanding(call, sides);
                }
            }
            end(net, random, sides);
            net.run();
            endThoseLeftAlone(sides);
            net.run();
            for (Side side : sides) {
                for (Call call : side.calls()) {
                    checkOver(call);
                }
                assertEquals(0, side.machine().remembered(), "remembered at the end");
            }
        } catch (AssertionError | RuntimeException e) {
            fail("schedule with -Dseed=" + seed + " " + weather + "\n" + net.story(), e);
        }
    }

    private void connect(VirtualNet net, Random random, Side[] sides) {
        int count = 1 + random.nextInt(4);
        for (int index = 0; index < count; index++) {
            int from = random.nextInt(2);
            int port = random.nextInt(8) == 0 ? 1 : Side.LISTENING;
            int kind = random.nextInt(8);
            net.after(random.nextInt(50_000_000), () -> {
                if (kind == 0) {
                    resolve(net, sides[from], sides[1 - from], port);
                } else {
                    sides[from].connect(sides[1 - from], port, false, 4);
                }
            });
        }
        if (random.nextInt(4) == 0) {
            int depth = random.nextInt(4);
            net.after(random.nextInt(50_000_000), () -> sides[0].connect(sides[1], 99, true, depth));
            net.after(random.nextInt(50_000_000), () -> sides[1].connect(sides[0], 99, true, depth));
        }
    }

    private void resolve(VirtualNet net, Side from, Side to, int port) {
        int[] answers = new int[1];
        from.machine()
                .resolutions()
                .ask(
                        to.gid(),
                        0xFFFF,
                        org.rdma4j.wire.PortSpace.UDP.serviceId(port),
                        org.rdma4j.wire.PrivateData.EMPTY,
                        3,
                        CmTime.response(14, 13),
                        rep -> {
                            assertEquals(1, ++answers[0], "answers to one question");
                            if (rep == null) {
                                meet("a resolution that nobody answered");
                            } else {
                                boolean found = rep.status() == SidrStatus.VALID.number();
                                assertEquals(port == Side.LISTENING, found);
                                assertEquals(found ? 0x77 : 0, rep.qpn());
                                meet("a resolution");
                            }
                        },
                        net.now());
    }

    /** Nothing is on the way any more, and nobody has disconnected. */
    private void checkStanding(Call call, Side[] sides) {
        if (call.thoughtLong) {
            meet("a long thought");
        }
        switch (call.outcome) {
            case OPEN, DISCONNECTED -> fail("in the air: " + call);
            case ESTABLISHED -> {
                Call other = partner(call, sides);
                if (call.active && !call.yielded && other.outcome != Call.Outcome.ESTABLISHED) {
                    assertTrue(other.timedOut, () -> call + " stands alone, and " + other);
                    meet("the passive side gave up, the active side did not hear of it");
                    return;
                }
                assertEquals(Call.Outcome.ESTABLISHED, other.outcome, () -> call + " against " + other);
                assertEquals(call.localQpn, other.remoteQpn);
                assertEquals(call.localPsn, other.remotePsn);
                assertEquals(call.remoteQpn, other.localQpn);
                assertEquals(call.connection().remoteId(), other.connection().localId());
                meet(call.yielded ? "a simultaneous connect" : "established on both sides");
            }
            case REFUSED_BY_ME -> meet("rejected by the " + (call.active ? "active" : "passive") + " side");
            case REJECTED -> checkRejected(call, sides);
            case UNREACHABLE -> meet("unreachable");
        }
    }

    private void checkRejected(Call call, Side[] sides) {
        if (call.rejectReason == RejReason.INVALID_SERVICE_ID.number()) {
            assertTrue(call.active);
            meet("nobody listens");
        } else if (call.rejectReason == RejReason.CONSUMER_DEFINED.number()) {
            assertTrue(
                    others(call, sides).stream().anyMatch(other -> other.outcome == Call.Outcome.REFUSED_BY_ME),
                    () -> call + " says so, and nobody refused");
        } else if (call.rejectReason == RejReason.TIMEOUT.number()) {
            assertTrue(
                    call.connection().state() == ConnectionState.CLOSED
                            && others(call, sides).stream()
                                    .allMatch(other -> other.outcome != Call.Outcome.ESTABLISHED),
                    () -> call + " by a peer that has not timed out");
        } else {
            assertEquals(RejReason.INVALID_COMM_ID.number(), call.rejectReason, call::toString);
            assertTrue(!call.active || call.yielded, call::toString);
            meet("a request that came from the past");
        }
    }

    private static List<Call> others(Call call, Side[] sides) {
        List<Call> others = new ArrayList<>();
        for (Side side : sides) {
            for (Call other : side.calls()) {
                boolean names = other.connection().remoteId()
                                == call.connection().localId()
                        || call.connection().remoteId() == other.connection().localId();
                if (other != call && names) {
                    others.add(other);
                }
            }
        }
        return others;
    }

    private static Call partner(Call call, Side[] sides) {
        List<Call> partners = others(call, sides).stream()
                .filter(other ->
                        call.connection().remoteId() == other.connection().localId())
                .toList();
        assertEquals(1, partners.size(), () -> call + " stands with " + partners);
        return partners.getFirst();
    }

    private void end(VirtualNet net, Random random, Side[] sides) {
        for (Side side : sides) {
            for (Call call : side.calls()) {
                if (call.outcome == Call.Outcome.ESTABLISHED && (call.active || random.nextBoolean())) {
                    net.after(random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(100_000_000), call::disconnect);
                }
            }
        }
    }

    /** Where no DREQ came through the peer does not know yet; in life its next request to the queue pair would fail. */
    private void endThoseLeftAlone(Side[] sides) {
        for (Side side : sides) {
            for (Call call : side.calls()) {
                if (call.outcome == Call.Outcome.ESTABLISHED) {
                    Call other = partner(call, sides);
                    assertTrue(other.timedOut, () -> call + " still stands, and " + other);
                    call.disconnect();
                }
            }
        }
    }

    private void checkOver(Call call) {
        assertEquals(ConnectionState.CLOSED, call.connection().state(), call::toString);
        assertTrue(call.outcome != Call.Outcome.ESTABLISHED, () -> "still stands: " + call);
        if (call.stood) {
            assertTrue(call.timeWaitOver, () -> "no word of the end of timewait: " + call);
        }
        if (call.outcome == Call.Outcome.DISCONNECTED && call.timedOut) {
            meet("a disconnect that nobody answered");
        }
    }

    private void meet(String what) {
        met.merge(what, 1, Integer::sum);
    }

    @Test
    void tenThousandConnectionsLeaveNothingBehind() {
        Random random = new Random(1);
        VirtualNet net = new VirtualNet(random, new VirtualNet.Weather(0.02, 0.02, 2_000_000));
        Side[] sides = {new Side(net, random, 0, 15), new Side(net, random, 1, 15)};
        long before = 0;
        for (int round = 0; round < 100; round++) {
            for (int index = 0; index < 100; index++) {
                sides[index & 1].connect(sides[1 - (index & 1)], Side.LISTENING, false, 4);
            }
            net.run();
            end(net, random, sides);
            net.run();
            for (Side side : sides) {
                side.calls().forEach(this::checkOver);
                side.calls().clear();
                assertEquals(0, side.machine().remembered(), "remembered after round " + round);
            }
            net.forgetStory();
            if (round == 20) {
                before = usedMemory();
            }
        }
        long growth = usedMemory() - before;
        assertTrue(growth < 2 << 20, () -> "8 000 connections left " + growth + " bytes behind");
    }

    private static long usedMemory() {
        Runtime runtime = Runtime.getRuntime();
        for (int times = 0; times < 3; times++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
