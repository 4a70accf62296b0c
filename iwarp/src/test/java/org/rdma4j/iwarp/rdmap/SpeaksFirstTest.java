package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** When the first FPDU of the side that was asked goes, and when the side that asks hears of its connection (ADR 12). */
class SpeaksFirstTest extends RdmapScene {

    private static final long REPLY_ALONE = 100_000_000L;
    private static final long SETTLING = 5_000_000L;
    private static final long LONGEST_SETTLING = 100_000_000L;

    /** What the looks of a scene that comes to rest take of the time, and more. */
    private static final long MARGIN = 1_000_000L;

    private static final long LONG = 60_000_000_000L;

    private boolean sendsFirst;

    @Override
    MpaSettings settings() {
        return MpaSettings.defaults().withSendsFirst(sendsFirst);
    }

    private void posts() {
        device.qp.postSend(request(WrOpcode.SEND, 1).sge(region, 0, 8));
    }

    @Test
    void theSideThatWasAskedWaitsForThePeersFirstMessage() {
        receives(2, 0, 64);
        peerConnects();
        posts();
        pass(LONG);
        assertNull(peer.next(), "it has spoken first");
        sends(Ulpdu.send(1, bytes(8, 1)));
        assertNotNull(peer.next());
        completes(2, WcStatus.SUCCESS);
        completes(1, WcStatus.SUCCESS);
    }

    @Test
    void whereItMaySendFirstItLeavesTheReplyAloneForAWhile() {
        sendsFirst = true;
        peerConnects();
        posts();
        pass(REPLY_ALONE - MARGIN);
        assertNull(peer.next(), "the reply has not been alone for long enough");
        pass(MARGIN);
        assertNotNull(peer.next());
        completes(1, WcStatus.SUCCESS);
    }

    @Test
    void thePeersFirstMessageEndsTheWhile() {
        sendsFirst = true;
        receives(2, 0, 64);
        peerConnects();
        posts();
        sends(Ulpdu.send(1, bytes(8, 1)));
        assertNotNull(peer.next());
    }

    @Test
    void theSideThatAsksIsToldALittleLater() {
        deviceConnects();
        pass(SETTLING - MARGIN);
        assertEquals(List.of(), device.events);
        pass(MARGIN);
        assertEquals(List.of("established"), device.events);
    }

    @Test
    void aPeerThatWasSlowWithItsReplyHasAsLongOnceMore() {
        deviceConnects(6 * SETTLING);
        pass(6 * SETTLING - MARGIN);
        assertEquals(List.of(), device.events);
        pass(2 * MARGIN);
        assertEquals(List.of("established"), device.events);
    }

    @Test
    void butNotForEver() {
        deviceConnects(LONGEST_SETTLING * 3);
        pass(LONGEST_SETTLING - MARGIN);
        assertEquals(List.of(), device.events);
        pass(MARGIN);
        assertEquals(List.of("established"), device.events);
    }

    @Test
    void whatEndsBeforeThatWasThereAllTheSame() {
        receives(1, 0, 64);
        deviceConnects();
        sends(Ulpdu.send(1, bytes(8, 1)));
        peer.finish();
        settle();
        assertEquals(List.of("established", "ended"), device.events);
        isOver(ConnectionEnd.Reason.DISCONNECTED, null);
        completes(1, WcStatus.SUCCESS);
        pass(SETTLING);
        assertEquals(List.of("established", "ended"), device.events);
    }
}
