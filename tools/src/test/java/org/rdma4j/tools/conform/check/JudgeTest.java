package org.rdma4j.tools.conform.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.conform.report.HtmlReport;
import org.rdma4j.tools.conform.report.JsonReport;
import org.rdma4j.tools.conform.report.JunitReport;
import org.rdma4j.tools.conform.report.Report;

/** A check that fails is run again, and what the tries before found is not lost. */
class JudgeTest {

    private static final Check CHECK =
            Check.responder("PSN-01", "A gap gets one NAK").story(peer -> {});

    /** Each try ends as it is written. */
    private record Scripted(Iterator<Outcome> outcomes) implements RocePeer {

        @Override
        public String name() {
            return "scripted";
        }

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
        public int tries() {
            return 3;
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
}
