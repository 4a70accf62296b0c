package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.link.tap.LadderTap;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

/** Two ends, the network between them, and a clock that only moves when nobody has anything to do, or by chance. */
final class World {

    /** Nothing legal takes this long: the longest chain of timeouts is far below. */
    private static final long TOO_LONG = 60_000_000_000L;

    private static final long STEP = 1_000;

    private static final int LADDER_LINES = 150;

    private long now = 1_000_000;
    private LadderTap drawing;

    long now() {
        return now;
    }

    /**
     * Runs a schedule to its end.
     *
     * @param met counts the decisions that packets met, by rule
     * @return false where a connection broke, which a lossy network may do
     */
    static boolean run(long seed, long[] met) {
        return new World().play(Schedule.of(seed), met);
    }

    /** Runs a schedule once more and draws it: the last packets that arrived, and what was decided about them. */
    static String ladderOf(long seed) {
        ArrayDeque<String> lines = new ArrayDeque<>();
        World world = new World();
        world.drawing = new LadderTap(new Ladder(line -> {
            if (lines.size() == LADDER_LINES) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }));
        try {
            world.play(Schedule.of(seed), new long[Rule.values().length]);
        } catch (AssertionError | RuntimeException e) {
            // The failure that this is about.
        }
        return String.join("\n", lines);
    }

    private boolean play(Schedule schedule, long[] met) {
        Random random = new Random(schedule.seed() ^ 0x5DEECE66DL);
        LoopNetwork network = new LoopNetwork();
        boolean ipv6 = random.nextInt(4) == 0;
        try (End left = new End("left", network.join(gid(ipv6, 1)), schedule, random, this);
                End right = new End("right", network.join(gid(ipv6, 2)), schedule, random, this)) {
            left.connect(right);
            right.connect(left);
            if (drawing != null) {
                left.device.tap(drawing.arrivals());
                right.device.tap(drawing.arrivals());
            }
            Traffic there = new Traffic(left, right, random);
            Traffic back = new Traffic(right, left, random);
            long deadline = now + TOO_LONG;
            while (!(there.isDone() && back.isDone()) && !there.isBroken() && !back.isBroken()) {
                step(left, there, random, schedule);
                step(right, back, random, schedule);
                now += STEP + random.nextInt(20_000);
                assertTrue(now < deadline, () -> "stalled: " + there + "; " + back);
            }
            there.check();
            back.check();
            assertTrue(left.guardsAreWhole() && right.guardsAreWhole(), "a guard zone was written to");
            for (Rule rule : Rule.values()) {
                met[rule.ordinal()] += left.device.decisions(rule) + right.device.decisions(rule);
            }
            met[Rule.ICRC_MISMATCH.ordinal()] +=
                    left.device.linkCounters().icrcErrors + right.device.linkCounters().icrcErrors;
            return !there.isBroken() && !back.isBroken();
        }
    }

    private static void step(End end, Traffic traffic, Random random, Schedule schedule) {
        traffic.postReceive();
        traffic.post();
        if (random.nextDouble() >= schedule.pause()) {
            end.device.progress();
        }
        traffic.poll();
    }

    private static Gid gid(boolean ipv6, int host) {
        return ipv6 ? new Gid(0xFD00_0000_0000_0000L, host) : Gid.ofIpv4(0x0A00_0000 | host);
    }
}
