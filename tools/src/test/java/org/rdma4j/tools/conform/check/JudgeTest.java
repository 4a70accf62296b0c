package org.rdma4j.tools.conform.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.conform.craft.Frame;
import org.rdma4j.tools.conform.report.HtmlReport;
import org.rdma4j.tools.conform.report.JsonReport;
import org.rdma4j.tools.conform.report.JunitReport;
import org.rdma4j.tools.conform.report.Report;

/** A check that fails is run again, and what the tries before found is not lost. */
class JudgeTest {

    private static final Check CHECK =
            Check.responder("PSN-01", "A gap gets one NAK").story(peer -> {});

    /** Each try ends as it is written. */
    private record Scripted(Iterator<Outcome> outcomes) implements OwnPeer, RocePeer {

        @Override
        public Connection accept(Check check, Variant variant) {
            throw outcomes.next();
        }

        @Override
        public Connection ask(Check check, Variant variant) {
            throw outcomes.next();
        }

        @Override
        public String excludes(Check check, Variant variant) {
            return null;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static Result judged(Outcome... outcomes) {
        Peer peer = new Scripted(List.of(outcomes).iterator());
        return new Judge(peer, UnaryOperator.identity()).run(CHECK, Variant.USUAL);
    }

    @Test
    void everyReportTellsOfTheTriesThatFailed() {
        Result result = judged(new Outcome.Failed("two NAKs came"), new Outcome.NotApplicable("no way"));
        assertEquals(Verdict.NOT_APPLICABLE, result.verdict());
        assertTrue(result.isUnsteady());
        assertEquals("try 2, after FAIL: two NAKs came", result.history());
        Report report = Report.of("scripted", Instant.EPOCH, 0, List.of(result));
        for (String text : List.of(JsonReport.of(report), JunitReport.of(report), HtmlReport.of(report))) {
            assertTrue(text.contains("two NAKs came"), text);
        }
    }

    @Test
    void threeFailuresAreAFailure() {
        Outcome failed = new Outcome.Failed("two NAKs came");
        Result result = judged(failed, failed, failed);
        assertEquals(Verdict.FAIL, result.verdict());
        assertFalse(result.isUnsteady());
        assertEquals(2, result.failures().size());
    }

    /** Hundreds of others have results that must not be lost. */
    @Test
    void checkThatBreaksOffIsInconclusive() {
        Check check = Check.responder("PSN-01", "A gap").course((peer, self, variant, trial) -> {
            throw new IndexOutOfBoundsException("byte 12 of 4");
        });
        Result result = new Judge(new Scripted(Collections.emptyIterator()), UnaryOperator.identity())
                .run(check, Variant.USUAL);
        assertEquals(Verdict.INCONCLUSIVE, result.verdict());
        assertTrue(
                result.reason().startsWith(Judge.BROKE_OFF) && result.reason().contains("byte 12 of 4"),
                result.reason());
    }

    /** To a real device it is left; rdma4j's own does the first of what is left open, unless it was late. */
    @Test
    void ownDeviceIsAskedAgainWhereItChoseAnother() {
        Peer own = new Scripted(Collections.emptyIterator());
        assertEquals("first", chosen(own, "second", "first"));
        assertEquals("second", chosen(new Other(), "second", "first"));
        assertEquals("second", chosen(own, "second", "second", "second"));
    }

    /** A peer's choice. */
    private static final class Chosen extends Stage {

        Chosen(String choice) {
            records(choice);
        }

        @Override
        public List<Frame> frames() {
            return List.of();
        }
    }

    /** A device of somebody else's. */
    private record Other() implements Peer {

        @Override
        public String name() {
            return "other";
        }

        @Override
        public int tries() {
            return 3;
        }

        @Override
        public String excludes(Check check, Variant variant) {
            return null;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static String chosen(Peer peer, String... choices) {
        Iterator<String> choice = List.of(choices).iterator();
        Check check = Check.responder("RDA-09", "One READ too many")
                .open("first", "second")
                .course((any, self, variant, trial) -> trial.play(new Chosen(choice.next()), () -> {}));
        return new Judge(peer, UnaryOperator.identity())
                .run(check, Variant.USUAL)
                .reason();
    }
}
