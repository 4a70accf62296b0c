package org.rdma4j.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;

class FlowTest {

    /** A queue pair that does nothing. */
    private static final class Idle extends IbQp {
        Idle(int qpn) {
            super(null, qpn, new QpParts(0, false, null, null, null, null, null));
        }

        @Override
        public void rerouted() {}

        @Override
        public void notifyWhenDrained() {}

        @Override
        public boolean isDrained() {
            return true;
        }

        @Override
        void entered(State previous, long now) {}

        @Override
        int service() {
            return 0;
        }

        @Override
        Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
            return Rule.ACCEPTED;
        }

        @Override
        protected Turn transmit(long now, int budget) {
            return Turn.DONE;
        }

        @Override
        protected void onDeadline(long now) {}

        @Override
        void updateDeadline() {}
    }

    @Property(tries = 100)
    void waitsInTurnWhoeverLeavesTheLine(@ForAll long seed) {
        Random random = new Random(seed);
        Flow flow = new Flow(1 << 20, new Crowd());
        ArrayDeque<IbQp> line = new ArrayDeque<>();
        List<IbQp> all = new ArrayList<>();
        for (int qpn = 0; qpn < 8; qpn++) {
            all.add(new Idle(qpn));
        }
        for (int step = 0; step < 200; step++) {
            IbQp qp = all.get(random.nextInt(all.size()));
            switch (random.nextInt(3)) {
                case 0 -> {
                    flow.block(qp, 100);
                    if (!line.contains(qp)) {
                        line.addLast(qp);
                    }
                }
                case 1 -> {
                    flow.unblock(qp);
                    line.remove(qp);
                }
                default -> assertSame(line.pollFirst(), flow.takeBlocked(Long.MAX_VALUE));
            }
            assertEquals(!line.isEmpty(), flow.isCrowded());
        }
    }

    @Test
    void leavesTheLineWithItsFlow() {
        Flow first = new Flow(1 << 20, new Crowd());
        IbQp qp = new Idle(1);
        qp.join(first);
        first.block(qp, 100);
        qp.join(new Flow(1 << 20, new Crowd()));
        assertFalse(qp.isBlocked);
        assertNull(first.takeBlocked(Long.MAX_VALUE));
    }
}
