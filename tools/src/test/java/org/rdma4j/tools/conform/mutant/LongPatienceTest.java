package org.rdma4j.tools.conform.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.suite.Suite;
import org.rdma4j.wire.CmReq;

/** A device whose REQ says that an answer may take hours does not hold the suite up for hours. */
class LongPatienceTest {

    /** Where a REQ says how long an answer may take, in its upper five bits: 4.096 µs · 2^code. */
    private static final int RESPONSE_TIMEOUT = 43;

    private static Result run(String id, int code) {
        Mutant patient = Mutant.sends(
                "patient",
                "a REQ waits for long",
                CmTampers.message(CmReq.ATTRIBUTE_ID),
                CmTampers.bits(RESPONSE_TIMEOUT, 0xF8, code << 3));
        Check check = Suite.checks().stream()
                .filter(it -> it.id().equals(id))
                .findFirst()
                .orElseThrow();
        try (MutantPeer peer = new MutantPeer(patient)) {
            return new Judge(peer, UnaryOperator.identity()).run(check, Variant.USUAL);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CM-03e", "CM-12b"})
    void isInconclusive(String id) {
        Result result = run(id, 31);
        assertEquals(Verdict.INCONCLUSIVE, result.verdict(), result.reason());
        assertTrue(result.reason().endsWith("s would have to be waited; no more than 60 s are"), result.reason());
    }

    /** Four times Linux' own patience: the MRA is for as much longer. */
    @Test
    void makesTheMraLonger() {
        Result result = run("CM-12b", 22);
        assertEquals(Verdict.PASS, result.verdict(), result.reason());
    }
}
