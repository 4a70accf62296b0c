package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Packet;

/** Group QPS: destroying a queue pair in whatever list of the engine it stands (10.2.4.5). */
class DestroyTest extends RcScene {

    @Test
    @DisplayName("QPS-16: once destroyed it touches no memory, sends nothing, completes nothing")
    void destroyedUnderTraffic() {
        connect(new Setup());
        device.posts(WrOpcode.RDMA_READ, 1, 8);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.receives(3, 64, 64);
        peer.getsAll();
        peer.hands(
                writeOnly(n).at(region, 128, 8).payload(8).ackReq(),
                readResponseOnly(m).payload(8),
                read(plus(n, 1)).at(region, 0, 64));
        device.qp.close();
        settle();
        passes(timeout(20));
        peer.expectsNothing();
        device.completesNothing();
        memory.isUntouched();
        device.counted(Rule.UNKNOWN_QP, 3);
    }

    @Test
    @DisplayName("QPS-16: destroyed with its doorbell rung, or with a turn to come, it is forgotten")
    void destroyedBeforeItsTurn() {
        connect(new Setup());
        device.qp.postSend(Host.request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, 8));
        device.qp.close();
        settle();
        peer.expectsNothing();
        assertFalse(device.context.progress(), "nothing is left to do");
    }

    @Test
    @DisplayName("QPS-16: owing responses that take many turns, it stops between two of them")
    void destroyedWhileItResponds() {
        connect(new Setup());
        peer.hands(read(n).at(region, 0, SIZE));
        device.context.progress();
        device.context.progress();
        int sent = peer.getsAll().size();
        assertTrue(sent > 0 && sent < SIZE / 256, () -> sent + " responses went out");
        device.qp.close();
        settle();
        peer.expectsNothing();
    }

    @Test
    @DisplayName("QPS-16: those that wait for room behind a destroyed one get their turn")
    void destroyedWhileItWaitsForRoom() {
        connect(new Setup().withPathMtu(4096).withReceiveBuffer(64 << 10));
        List<QueuePair> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(device.another(Peer.QPN + 1 + i));
        }
        device.posts(WrOpcode.RDMA_WRITE, 1, SIZE); // fills the window
        int before = peer.getsAll().size();
        assertTrue(before < SIZE / 4096, () -> before + " packets went out");
        SendWorkRequest write = Host.request(WrOpcode.RDMA_WRITE, 2).sge(region, 0, SIZE);
        for (QueuePair other : others) {
            other.postSend(write);
        }
        settle();
        peer.expectsNothing();
        others.get(0).close();
        others.get(2).close();
        others.get(3).close();
        device.qp.close();
        settle();
        List<Packet> packets = peer.getsAll();
        assertTrue(!packets.isEmpty(), "the window is free, so the last one sends");
        for (Packet packet : packets) {
            assertEquals(Peer.QPN + 2, packet.bth().destQp(), "the only one that is left");
        }
    }

    @Test
    @DisplayName("QPS-16: a destroyed queue pair cannot be modified or posted to")
    void noWayBack() {
        connect(new Setup());
        device.qp.close();
        QpAttributes init =
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0);
        assertThrows(VerbsException.class, () -> device.qp.modify(init));
        assertThrows(VerbsException.class, () -> device.posts(WrOpcode.SEND, 1, 8));
        assertThrows(VerbsException.class, () -> device.receives(1, 0, 8));
        peer.sends(ack(m));
        device.counted(Rule.UNKNOWN_QP, 1);
    }
}
