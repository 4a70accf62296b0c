package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Gid;

/** The UDP source port that a path gives its packets: rdma-core's {@code ibv_flow_label_to_udp_sport}. */
class AhAttributesTest {

    private static AhAttributes of(int flowLabel) {
        return new AhAttributes(Gid.ofIpv4(1), flowLabel, 0, 0, 0);
    }

    @Test
    void flowLabelIsFoldedIntoTheDynamicPorts() {
        assertEquals(0xC000 | 0x2345 ^ 0x4, of(0x12345).udpSourcePort(1, 2));
        assertEquals(0xC001, of(1).udpSourcePort(1, 2));
        assertEquals(0xFFC0, of(0xF_FFFF).udpSourcePort(1, 2));
    }

    @Test
    void withoutOneTheQueuePairsDecide() {
        assertNotEquals(of(0).udpSourcePort(0x1234, 0x5678), of(0).udpSourcePort(0x1234, 0x5679));
        assertEquals(of(0).udpSourcePort(0x1234, 0x5678), of(0).udpSourcePort(0x5678, 0x1234));
    }
}
