package org.rdma4j.ibsim.fabric;

import org.rdma4j.ibsim.time.Event;

/**
 * What waits for a port's lanes does not wait for ever: HOQLife at the head of its queue, LifeTimeValue in its switch (IBTA
 * volume 1, 18.2.5.4 and 18.2.5.5). A lane that drops VLStallCount packets in a row, and sends none between them, is stalled: for
 * eight times HOQLife it drops all that comes, so that the switches behind it do not wait as long for each single packet.
 */
final class QueueLives {

    /** HOQLife from which on nothing is ever too old (14.2.5.6). */
    private static final int INFINITE = 20;

    /** HOQLives that a lane is stalled for. */
    private static final int STALL = 8;

    private final Port port;
    private final OutputLane[] outputs;
    private final Event expiry = new Expiry();
    private final int[] drops = new int[Port.LANES]; // in a row
    private final long[] stalledUntil = new long[Port.LANES];

    QueueLives(Port port, OutputLane[] outputs) {
        this.port = port;
        this.outputs = outputs;
    }

    /** 4.096 µs times a power of two, ps. */
    static long ticks(int exponent) {
        return 4_096_000L << exponent;
    }

    /** An input's first packet has begun to wait. */
    void watch(InputLane input) {
        if (!expiry.isPlanned()) {
            long deadline = deadline(input);
            if (deadline != Long.MAX_VALUE) {
                port.events().plan(expiry, deadline);
            }
        }
    }

    /** A lane has sent a packet. */
    void sent(int lane) {
        drops[lane] = 0;
    }

    boolean isStalled(int lane, long now) {
        return now < stalledUntil[lane];
    }

    private void dropped(OutputLane lane, long now) {
        int most = port.settings().stallCount();
        if (most > 0 && lane.virtualLane != Port.MANAGEMENT_LANE && ++drops[lane.virtualLane] >= most) {
            drops[lane.virtualLane] = 0;
            stalledUntil[lane.virtualLane] = now + STALL * ticks(port.settings().headOfQueueLife());
        }
    }

    private long deadline(InputLane input) {
        return Math.min(queueDeadline(input), switchDeadline(input));
    }

    private long queueDeadline(InputLane input) {
        int life = port.settings().headOfQueueLife();
        return life >= INFINITE ? Long.MAX_VALUE : input.headSince + ticks(life);
    }

    private long switchDeadline(InputLane input) {
        long life = port.node().lifetime();
        return life == Long.MAX_VALUE ? Long.MAX_VALUE : input.head().received + life;
    }

    private final class Expiry extends Event {
        @Override
        protected void happen(long now) {
            dropWaiting(now);
            port.sender().trySend(now); // who was behind one that is gone may fit
            long earliest = Long.MAX_VALUE;
            for (OutputLane lane : outputs) {
                for (InputLane input = lane.firstWaiting(); input != null; input = input.nextWaiting) {
                    earliest = Math.min(earliest, deadline(input));
                }
            }
            if (earliest != Long.MAX_VALUE && !isPlanned()) {
                port.events().plan(this, earliest);
            }
        }
    }

    /** Drops each first packet whose time is over by then; of a link that is down, all of them. */
    void dropWaiting(long time) {
        for (OutputLane lane : outputs) {
            InputLane next;
            for (InputLane input = lane.firstWaiting(); input != null; input = next) {
                next = input.nextWaiting;
                FabricRule rule = expired(input, time);
                if (rule != null) {
                    port.sender().stopWaiting(input);
                    port.counters().xmitDiscards++;
                    long now = port.events().now();
                    if (rule == FabricRule.HEAD_OF_QUEUE) {
                        dropped(lane, now);
                    }
                    port.node().fabric().discarded(rule, port, input.head(), now);
                    input.giveUp(now);
                    next = lane.firstWaiting(); // what goes on behind it may have sent, or queued, anything
                }
            }
        }
    }

    /** @return {@code null} where a first packet may wait on */
    private FabricRule expired(InputLane input, long time) {
        if (port.state() == LinkState.DOWN) {
            return FabricRule.LINK_DOWN;
        }
        if (isStalled(input.waitsFor.virtualLane, time)) {
            return FabricRule.LANE_STALLED;
        }
        if (queueDeadline(input) <= time) {
            return FabricRule.HEAD_OF_QUEUE;
        }
        return switchDeadline(input) <= time ? FabricRule.SWITCH_LIFETIME : null;
    }
}
