package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;

/**
 * Reliable connections under random schedules of loss, reorder, duplication, damage and pauses: every completion exactly
 * once and in order, memory equal to a plain model's, no byte outside touched, no stall. {@code -Dseed=N} runs one
 * schedule, {@code -Dschedules=N} another number of them.
 */
class RcScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("schedules", 20_000);
    private static final long FIRST_SEED = 1;

    /** With at most 8 % loss a connection breaks once in many thousand schedules; more often means a fault of ours. */
    private static final double BROKEN_AT_MOST = 0.01;

    /** What the schedules are there to provoke: a run without one of these would prove nothing about it. */
    private static final List<Rule> MUST_BE_MET = List.of(
            Rule.ACCEPTED,
            Rule.ACCEPTED_ACK,
            Rule.DUPLICATE_ANSWERED,
            Rule.ICRC_MISMATCH,
            Rule.PSN_SEQUENCE,
            Rule.PSN_SEQUENCE_WAITING,
            Rule.RECEIVE_NOT_READY,
            Rule.GHOST_ACK,
            Rule.RESPONSE_GAP,
            Rule.NAK_RECEIVED,
            Rule.RNR_NAK_RECEIVED,
            Rule.RECOVERING);

    @Test
    void keepsEveryPromiseUnderAHostileNetwork() {
        long[] met = new long[Rule.values().length];
        Long only = Long.getLong("seed");
        if (only != null) {
            World.run(only, met);
            return;
        }
        int broken = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            try {
                if (!World.run(seed, met)) {
                    broken++;
                }
            } catch (AssertionError | RuntimeException e) {
                fail("schedule with -Dseed=" + seed + " " + Schedule.of(seed) + "\n" + World.ladderOf(seed), e);
            }
        }
        int count = broken;
        assertTrue(count <= SCHEDULES * BROKEN_AT_MOST, () -> count + " of " + SCHEDULES + " connections broke");
        for (Rule rule : MUST_BE_MET) {
            assertTrue(met[rule.ordinal()] > 0, () -> "no schedule led to " + rule + ": " + rule.text());
        }
    }
}
