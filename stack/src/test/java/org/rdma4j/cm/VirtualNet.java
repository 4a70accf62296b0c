package org.rdma4j.cm;

import java.util.PriorityQueue;
import java.util.Random;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.Gid;

/** The network between two machines, and the only clock: datagrams and things to do, in the order of their time. */
final class VirtualNet {

    /** How bad it is. */
    record Weather(double loss, double duplicate, long delay) {}

    private record Due(long at, long order, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final Random random;
    private final Weather weather;
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private final StringBuilder story = new StringBuilder();
    private final Side[] sides = new Side[2];
    private long now = 1;
    private long order;

    VirtualNet(Random random, Weather weather) {
        this.random = random;
        this.weather = weather;
    }

    void join(Side side, int index) {
        sides[index] = side;
    }

    long now() {
        return now;
    }

    void after(long nanos, Runnable action) {
        due.add(new Due(now + nanos, order++, action));
    }

    void carry(Gid from, Gid to, CmMad mad) {
        CmMad copy = (CmMad) CmMad.parse(java.lang.foreign.MemorySegment.ofArray(mad.toBytes()), 0, 256);
        int copies = random.nextDouble() < weather.loss ? 0 : random.nextDouble() < weather.duplicate ? 2 : 1;
        note(from + " → " + to + " " + mad.message() + (copies == 1 ? "" : " × " + copies));
        for (int copyIndex = 0; copyIndex < copies; copyIndex++) {
            long delay = 1000 + (weather.delay == 0 ? 0 : (long) (random.nextDouble() * weather.delay));
            after(delay, () -> {
                for (Side side : sides) {
                    if (side.gid().equals(to)) {
                        side.machine().receive(copy, from, now);
                    }
                }
            });
        }
    }

    void note(String line) {
        story.append(String.format("%14.6f ms %s%n", now / 1e6, line));
    }

    void forgetStory() {
        story.setLength(0);
    }

    String story() {
        return story.toString();
    }

    /** Until nothing is left to happen. */
    void run() {
        while (true) {
            long next = due.isEmpty() ? Long.MAX_VALUE : due.peek().at;
            for (Side side : sides) {
                next = Math.min(next, side.machine().nextDeadline());
            }
            if (next == Long.MAX_VALUE) {
                return;
            }
            now = Math.max(now, next);
            for (Side side : sides) {
                side.machine().progress(now);
            }
            while (!due.isEmpty() && due.peek().at <= now) {
                due.poll().action.run();
            }
        }
    }
}
