package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/** Group QPS, SQD: what was started is finished, nothing new starts (10.3.1.5). */
class SendQueueDrainTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    private void toSqd(boolean notify) {
        device.qp.modify(new QpAttributes().state(QpState.SQD).sqdAsyncNotify(notify));
        settle();
    }

    @Test
    @DisplayName("QPS-11: in SQD what is outstanding is finished, what is posted waits, SQ_DRAINED comes in between")
    void drains() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        peer.expects(writeOnly(m));
        toSqd(true);
        device.raisesNothing();
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        peer.expectsNothing();
        peer.sends(ack(m));
        device.completes(1);
        device.raises(AsyncEventType.SQ_DRAINED);
        passes(timeout(20));
        peer.expectsNothing();
        device.raisesNothing();
        device.to(QpState.RTS);
        peer.expects(writeOnly(plus(m, 1)));
        peer.sends(ack(plus(m, 1)));
        device.completes(2);
    }

    @Test
    @DisplayName("QPS-11: a message that was lost in part is sent again in SQD until it has arrived")
    void resendsWhileDraining() {
        device.posts(WrOpcode.SEND, 1, 600);
        peer.expects(sendFirst(m), sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        toSqd(true);
        peer.sends(nakSequence(plus(m, 1)));
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        passes(timeout(14));
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        peer.sends(ack(plus(m, 2)));
        device.completes(1);
        device.raises(AsyncEventType.SQ_DRAINED);
    }

    @Test
    @DisplayName("QPS-11: where nothing is outstanding SQ_DRAINED comes at once; unasked it does not come")
    void drainedAtOnce() {
        toSqd(true);
        device.raises(AsyncEventType.SQ_DRAINED);
        device.to(QpState.RTS);
        toSqd(false);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-11: a wish for SQ_DRAINED ends when SQD is left before it comes true")
    void wishEndsWithTheState() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        toSqd(true);
        device.to(QpState.RTS);
        toSqd(false);
        peer.sends(ack(m));
        device.completes(1);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-11: nor does it outlive ERR and RESET")
    void wishEndsWithTheLife() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        toSqd(true);
        device.to(QpState.ERR);
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        toSqd(false);
        peer.sends(ack(m));
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-11: in SQD the responder works on")
    void respondsInSqd() {
        toSqd(false);
        peer.sends(writeOnly(n).at(region, 0, 8).payload(8).ackReq());
        peer.expects(ack(n));
    }

    @Test
    @DisplayName("QPS-11: attributes are changed in SQD once it is drained, and hold for what follows")
    void changesWhenDrained() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        toSqd(false);
        Gid moved = Gid.ofIpv4(0x0A00_0009);
        QpAttributes change = new QpAttributes().av(AhAttributes.to(moved)).retryCount(0);
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.qp.modify(change));
        assertTrue(refusal.getMessage().contains("drained"), refusal::getMessage);
        assertEquals(3, device.qp.query().retryCount(), "nothing has changed");
        peer.sends(ack(m));
        device.completes(1);
        device.qp.modify(change);
        assertEquals(0, device.qp.query().retryCount());
        device.to(QpState.RTS);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        peer.sends(ack(plus(m, 1)));
        device.completesNothing();
        peer.sendsFrom(moved, ack(plus(m, 1)));
        device.completes(2);
    }
}
