package org.rdma4j.tools.conform.craft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;

/** A device that answers somebody whom nobody knows is heard by all that have spoken with it. */
class AstrayTest {

    /** More than it takes until nobody has anything to do. */
    private static final int TURNS = 5;

    private static final int NOBODYS = 0x00_0002;

    private final LoopNetwork network = new LoopNetwork();
    private final Wire wire = new Wire(network.join(Gid.ofIpv4(0x0A00_0001)), () -> 0);
    private final Wire device = new Wire(network.join(Gid.ofIpv4(0x0A00_0002)), () -> 0);
    private final Line far = device.open();
    private final Line speaking = connected();
    private final Line silent = connected();

    private Line connected() {
        Line line = wire.open();
        line.connect(device.gid(), far.qpn());
        return line;
    }

    private void deviceSendsTo(int qpn) {
        speaking.send(new Crafted(Opcode.RC_SEND_ONLY, 0));
        far.connect(wire.gid(), qpn);
        far.send(new Crafted(Opcode.RC_SEND_ONLY, 7));
        for (int turn = 0; turn < TURNS; turn++) {
            wire.turn();
            device.turn();
        }
    }

    @Test
    void packetToNobodyIsSeenByWhoHasSpoken() {
        deviceSendsTo(NOBODYS);
        Seen astray = speaking.poll();
        assertEquals(7, astray.psn());
        assertFalse(speaking.isMeant(astray));
        assertNull(silent.poll());
    }

    @Test
    void packetToOneIsSeenByNobodyElse() {
        deviceSendsTo(silent.qpn());
        assertTrue(silent.isMeant(silent.poll()));
        assertNull(speaking.poll());
    }

    /** What a run before this one has left behind at the peer: it comes when nobody here has spoken yet, and again. */
    @Test
    void packetToAQueuePairBeforeThisRunIsLate() {
        far.connect(wire.gid(), NOBODYS);
        far.send(new Crafted(Opcode.RC_SEND_ONLY, 7));
        device.turn();
        wire.turn();
        deviceSendsTo(NOBODYS);
        assertNull(speaking.poll());
        deviceSendsTo(NOBODYS + 1);
        assertFalse(speaking.isMeant(speaking.poll()));
    }

    /** So is one to the queue pairs that a line's connections are said to have. */
    @Test
    void packetToAClosedLineIsLate() {
        int qpn = silent.qpn();
        silent.close();
        deviceSendsTo(qpn);
        deviceSendsTo(qpn + 6);
        assertNull(speaking.poll());
    }
}
