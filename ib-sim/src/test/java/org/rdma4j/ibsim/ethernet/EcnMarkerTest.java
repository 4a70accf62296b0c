package org.rdma4j.ibsim.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Ecn;

/** Which packets a switch marks. */
class EcnMarkerTest {

    private static final int FROM = 10_000;
    private static final int ALL = 110_000;
    private static final double MOST = 0.2;

    private static EcnMarker marker(boolean ecn) {
        RoceSettings settings = RoceSettings.defaults().withEcn(ecn).withMarks(FROM, ALL, MOST);
        return new EcnMarker(settings, new SplittableRandom(1));
    }

    @Test
    @DisplayName("ECN-06: what is not capable of ECN is not marked, however long the queue")
    void onlyWhoIsCapable() {
        EcnMarker marker = marker(true);
        assertFalse(marker.marks(0xC0 | Ecn.NOT_CAPABLE, ALL + 1));
        assertTrue(marker.marks(Ecn.CAPABLE, ALL + 1));
        assertTrue(marker.marks(Ecn.CAPABLE_1, ALL + 1));
        assertTrue(marker.marks(Ecn.CONGESTED, ALL + 1));
    }

    @Test
    void noneWhereItIsOff() {
        assertFalse(marker(false).marks(Ecn.CAPABLE, ALL + 1));
    }

    @Test
    void moreOfLongerQueues() {
        assertEquals(0, part(FROM));
        assertEquals(MOST / 4, part(FROM + (ALL - FROM) / 4), 0.01);
        assertEquals(MOST, part(ALL), 0.01);
        assertEquals(1, part(ALL + 1));
    }

    private static double part(int queued) {
        EcnMarker marker = marker(true);
        int marked = 0;
        for (int packet = 0; packet < 20_000; packet++) {
            marked += marker.marks(Ecn.CAPABLE, queued) ? 1 : 0;
        }
        return marked / 20_000.0;
    }
}
