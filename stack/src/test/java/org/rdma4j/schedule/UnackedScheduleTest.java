package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpType;

/**
 * UC and UD under random schedules of loss, reorder, duplication, damage and pauses: what is delivered is a message as it
 * was sent, whole and never mixed with another; every send completes; a good network delivers all. {@code -Dseed=N} runs
 * one schedule, {@code -Dschedules=N} another number of them.
 */
class UnackedScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("schedules", 20_000);

    /** What the schedules are there to provoke: a run without one of these would prove nothing about it. */
    private static Set<Rule> mustBeMet(QpType type) {
        Set<Rule> rules = EnumSet.of(Rule.ACCEPTED, Rule.ICRC_MISMATCH, Rule.RECEIVE_MISSING);
        if (type == QpType.UC) {
            rules.addAll(Set.of(Rule.UC_GAP, Rule.UC_NO_MESSAGE));
        }
        return rules;
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void deliversWholeMessagesOrNone(QpType type) {
        long[] met = new long[Rule.values().length];
        Long only = Long.getLong("seed");
        long first = only == null ? 1 : only;
        long last = only == null ? SCHEDULES : only;
        for (long seed = first; seed <= last; seed++) {
            Schedule schedule = Schedule.of(seed);
            try (UnackedWorld world = new UnackedWorld(type, schedule)) {
                world.play(met);
            } catch (AssertionError | RuntimeException e) {
                fail(type + " schedule with -Dseed=" + seed + " " + schedule, e);
            }
        }
        for (Rule rule : mustBeMet(type)) {
            assertTrue(
                    only != null || met[rule.ordinal()] > 0, () -> "no schedule led to " + rule + ": " + rule.text());
        }
    }
}
