package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.rnrNak;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeOnlyImm;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Syndrome;

/** A shared receive queue behind a reliable connection (10.2.9): rows of the groups RNR, ACK, QPS. */
class SrqTest extends RcScene {

    private static final int NO_CREDITS = 0x1F;

    @Test
    @DisplayName("RNR-16: a SEND that finds the shared queue empty gets an RNR NAK, and the limit event comes with it")
    void emptySharedQueue() {
        connect(new Setup().withSrq(8));
        device.srq.armLimit(1);
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(rnrNak(n, 12).msn(0));
        device.counted(Rule.RECEIVE_NOT_READY, 1);
        assertEquals(device.srq, device.raises(AsyncEventType.SRQ_LIMIT_REACHED).srq());
        device.receives(1, 0, 64);
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n));
        device.completes(1);
        device.raisesNothing();
    }

    @Test
    @DisplayName("RNR-16: the limit event comes once for each arming, when fewer are left than the limit")
    void limitEventOnce() {
        connect(new Setup().withSrq(8));
        for (int id = 0; id < 4; id++) {
            device.receives(id, 0, 64);
        }
        device.srq.armLimit(3);
        peer.sends(sendOnly(n).payload(8));
        device.raisesNothing(); // three are left, that is not fewer
        peer.sends(writeOnlyImm(plus(n, 1), 7).at(region, 0, 8).payload(8));
        device.raises(AsyncEventType.SRQ_LIMIT_REACHED);
        assertEquals(0, device.srq.query().limit());
        peer.sends(sendOnly(plus(n, 2)).payload(8));
        device.raisesNothing();
        device.srq.armLimit(1);
        peer.sends(sendOnly(plus(n, 3)).payload(8));
        device.raises(AsyncEventType.SRQ_LIMIT_REACHED);
    }

    @Test
    @DisplayName("ACK-11: with a shared queue every AETH says 31: its receives are promised to nobody")
    void noCredits() {
        connect(new Setup().withSrq(8));
        device.receives(1, 0, 64);
        device.receives(2, 0, 64);
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n, NO_CREDITS));
        peer.sends(read(plus(n, 1)).at(region, 0, 8));
        peer.expects(Packets.readResponseOnly(plus(n, 1)).syndrome(NO_CREDITS));
        peer.sends(fetchAdd(plus(n, 2)).atomic(region.address(), region.rKey(), 1, 0));
        assertEquals(
                NO_CREDITS,
                Syndrome.value(peer.gets().extension(Aeth.class).orElseThrow().syndrome()));
    }

    @Test
    @DisplayName(
            "QPS-17: in ERR the receive in hand is flushed, LAST_WQE_REACHED comes, and the shared queue keeps its own")
    void lastWqeReached() {
        connect(new Setup().withSrq(8));
        device.receives(1, 0, 1024);
        device.receives(2, 0, 1024);
        peer.sends(sendFirst(n).payload(256));
        device.to(QpState.ERR);
        device.completes(1, WcStatus.WR_FLUSH_ERR);
        device.completesNothing();
        assertEquals(
                device.qp, device.raises(AsyncEventType.QP_LAST_WQE_REACHED).qp());
        device.raisesNothing();
        assertEquals(8, device.srq.query().maxWr());
        settle();
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-17: what one queue pair leaves in the shared queue the next one takes")
    void leftForTheNext() {
        connect(new Setup().withSrq(8));
        device.receives(1, 0, 64);
        device.to(QpState.ERR);
        device.raises(AsyncEventType.QP_LAST_WQE_REACHED);
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        WirePacket send = sendOnly(n).payload(8).ackReq();
        peer.sends(send);
        peer.expects(ack(n));
        device.completes(1);
        memory.holds(0, send.bytes());
    }

    @Test
    @DisplayName("QPS-17: a refused request raises its own event or completion first, then LAST_WQE_REACHED")
    void refusedRequest() {
        connect(new Setup().withSrq(8));
        device.receives(1, 0, 8);
        peer.sends(sendFirst(n).payload(256));
        peer.expects(Packets.nak(n, Syndrome.NAK_INVALID_REQUEST));
        device.completes(1, WcStatus.LOC_LEN_ERR);
        device.raises(AsyncEventType.QP_LAST_WQE_REACHED);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-14: the receives' memory is checked against the shared queue's own protection domain")
    void otherDomain() {
        connect(new Setup().withSrq(8));
        var foreign = device.context.allocPd().register(memory.inside(), Setup.ALL_ACCESS);
        device.srq.post(new ReceiveWorkRequest().reset(1).sge(foreign, 0, 64));
        peer.sends(sendOnly(n).payload(8));
        peer.expects(Packets.nak(n, Syndrome.NAK_REMOTE_OPERATIONAL));
        device.completes(1, WcStatus.LOC_PROT_ERR);
        memory.isUntouched();
    }
}
