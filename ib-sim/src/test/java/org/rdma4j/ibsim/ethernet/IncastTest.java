package org.rdma4j.ibsim.ethernet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.topology.Topologies;

/** Sixteen hosts send to one: what PFC, ECN with DCQCN, both and neither make of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IncastTest {

    private static final long TEN_SECONDS = 10_000_000_000_000L;
    private static final long MESSAGE = 4 << 20;

    private static final RoceSettings NEITHER = RoceSettings.defaults();
    private static final RoceSettings PFC = NEITHER.withPfc(true);
    private static final RoceSettings DCQCN = NEITHER.withEcn(true).withDcqcn(true);

    private RoceFigures neither;
    private RoceFigures pfc;
    private RoceFigures dcqcn;
    private RoceFigures both;

    @BeforeAll
    void run() {
        neither = incast(NEITHER, 1, MESSAGE);
        pfc = incast(PFC, 1, MESSAGE);
        dcqcn = incast(DCQCN, 1, MESSAGE);
        both = incast(DCQCN.withPfc(true), 1, MESSAGE);
    }

    private static RoceFigures incast(RoceSettings settings, long seed, long bytes) {
        Fabric star = new Fabric(1);
        Topologies.build("star:17", star);
        try (RoceRun run = new RoceRun(star, settings, seed)) {
            run.traffic().incast(bytes);
            run.traffic().run(TEN_SECONDS);
            return run.figures();
        }
    }

    @Test
    void withPfcNothingIsLostAndTheLinkIsFull() {
        assertTrue(pfc.finished());
        assertEquals(0, pfc.tailDrops() + pfc.headroomDrops());
        assertEquals(0, pfc.resent());
        assertEquals(0, pfc.goBacks());
        assertTrue(pfc.pauses() > 0, pfc::toString);
        assertTrue(pfc.gigabits() > 95, pfc::toString);
    }

    @Test
    void withNeitherGoBackNCollapses() {
        assertTrue(neither.finished());
        assertTrue(neither.tailDrops() > 500, neither::toString);
        assertTrue(neither.resent() > neither.tailDrops(), "what was behind a lost packet is sent again with it");
        assertTrue(neither.timeouts() > 0, neither::toString);
        assertTrue(neither.nanos() > 10 * pfc.nanos(), neither::toString);
        assertEquals(0, neither.pauses() + neither.marked() + neither.cnpsSent());
    }

    @Test
    void withEcnAndDcqcnQueuesAreShorter() {
        assertTrue(dcqcn.finished());
        assertTrue(dcqcn.meanQueue() < pfc.meanQueue() / 10, dcqcn::toString);
        assertTrue(dcqcn.longestQueue() < pfc.longestQueue(), dcqcn::toString);
        assertTrue(dcqcn.tailDrops() < neither.tailDrops() / 2, dcqcn::toString);
        assertTrue(dcqcn.nanos() < neither.nanos() / 5, dcqcn::toString);
        assertTrue(dcqcn.marked() > 0 && dcqcn.cnpsSent() > 0, dcqcn::toString);
    }

    @Test
    void withAllThreeNothingIsLostAndQueuesAreShort() {
        assertTrue(both.finished());
        assertEquals(0, both.tailDrops() + both.headroomDrops() + both.resent());
        assertTrue(both.meanQueue() < pfc.meanQueue() / 10, both::toString);
        assertTrue(both.pauses() > 0 && both.pauses() < pfc.pauses() / 10, both::toString);
    }

    @Test
    void countersAgree() {
        for (RoceFigures figures : new RoceFigures[] {dcqcn, both}) {
            assertEquals(figures.cnpsSent(), figures.cnpsHandled(), "CNPs have a class of their own: none is lost");
            assertTrue(figures.marked() >= figures.cnpsSent(), figures::toString);
        }
    }

    @Test
    void figuresFollowFromTheSeed() {
        assertEquals(dcqcn, incast(DCQCN, 1, MESSAGE));
        assertFalse(dcqcn.equals(incast(DCQCN, 2, MESSAGE)));
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6, 7})
    void everySeedFinishes(long seed) {
        assertTrue(incast(NEITHER, seed, 256 << 10).finished());
        assertTrue(incast(DCQCN, seed, 256 << 10).finished());
        assertTrue(incast(DCQCN.withPortBuffer(64 << 10), seed, 256 << 10).finished());
        assertEquals(0, incast(PFC.withPortBuffer(64 << 10), seed, 256 << 10).resent());
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws IOException {
        assertArrayEquals(capture(9), capture(9));
        assertFalse(Arrays.equals(capture(9), capture(10)));
    }

    private static byte[] capture(long seed) throws IOException {
        Fabric tree = new Fabric(1);
        Topologies.build("fat-tree:4", tree);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (RoceRun run = new RoceRun(tree, DCQCN.withPfc(true), seed);
                EthernetCapture capture = new EthernetCapture(bytes)) {
            capture.watch(run.fabric());
            run.traffic().incast(100_000);
            assertTrue(run.traffic().run(TEN_SECONDS));
        }
        return bytes.toByteArray();
    }
}
