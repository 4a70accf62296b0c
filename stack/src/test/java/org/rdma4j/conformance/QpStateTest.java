package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nak;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeOnly;
import static org.rdma4j.conformance.Packets.writeOnlyImm;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group QPS: what a queue pair does in each state (10.3.1). */
class QpStateTest extends RcScene {

    private WirePacket write(int psn) {
        return writeOnly(psn).at(region, 0, 8).payload(8).ackReq();
    }

    private void openIn(QpState state) {
        open(new Setup());
        if (state == QpState.RESET) {
            return;
        }
        device.toInit();
        if (state == QpState.INIT) {
            return;
        }
        device.toRtr();
        if (state == QpState.RTR) {
            return;
        }
        device.toRts();
        if (state != QpState.RTS) {
            device.to(state);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT"})
    @DisplayName("QPS-01: before RTR packets are dropped in silence")
    void notReadyToReceive(QpState state) {
        openIn(state);
        peer.sends(write(n), sendOnly(n).payload(8), ack(m));
        peer.expectsNothing();
        device.counted(Rule.QP_NOT_READY, 3);
        memory.isUntouched();
    }

    @Test
    @DisplayName("QPS-02: in RTR requests are answered, and COMM_EST says so once")
    void readyToReceive() {
        openIn(QpState.RTR);
        device.receives(1, 1024, 64);
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n).msn(1));
        device.completes(1);
        device.raises(AsyncEventType.COMM_EST);
        peer.sends(write(plus(n, 1)));
        peer.expects(ack(plus(n, 1)).msn(2));
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-03: in RTR responses are dropped: nothing was asked")
    void responsesInRtr() {
        openIn(QpState.RTR);
        peer.sends(ack(m), readResponseOnly(m).payload(8), nak(m, Syndrome.NAK_REMOTE_ACCESS));
        device.counted(Rule.QP_NOT_READY, 3);
        device.isIn(QpState.RTR);
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-04: in ERR packets are dropped in silence")
    void packetsInErr() {
        openIn(QpState.ERR);
        peer.sends(write(n), Packets.read(n).at(region, 0, 8), ack(m));
        peer.expectsNothing();
        device.counted(Rule.QP_NOT_READY, 3);
        memory.isUntouched();
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "RTR"})
    @DisplayName("QPS-05: before RTS a send is refused when posted")
    void sendTooEarly(QpState state) {
        openIn(state);
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.posts(WrOpcode.RDMA_WRITE, 1, 8));
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains(state.name()), refusal::getMessage);
    }

    @Test
    @DisplayName("QPS-06: a receive is refused in RESET")
    void receiveTooEarly() {
        openIn(QpState.RESET);
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.receives(1, 0, 8));
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
    }

    @Test
    @DisplayName("QPS-06: a receive is taken in INIT, and used from RTR on")
    void receiveInInit() {
        openIn(QpState.INIT);
        device.receives(1, 0, 64);
        device.toRtr();
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n, 0).msn(1));
        device.completes(1);
    }

    @Test
    @DisplayName(
            "QPS-07: ERR flushes all requests of both queues, each queue in its order, started or not, signaled or not")
    void flushes() {
        connect(new Setup().withRdAtomic(1, 1));
        device.posts(WrOpcode.RDMA_READ, 1, 8);
        device.posts(WrOpcode.RDMA_READ, 2, 8); // waits for the first
        device.qp.postSend(Host.unsignaled(WrOpcode.RDMA_WRITE, 3).sge(region, 0, 8));
        device.posts(WrOpcode.SEND, 4, 8);
        for (int i = 11; i <= 13; i++) {
            device.receives(i, 0, 300);
        }
        peer.sends(sendFirst(n).payload(256)); // takes the first receive
        device.to(QpState.ERR);
        for (int id : new int[] {1, 2, 3, 4, 11, 12, 13}) {
            device.completes(id, WcStatus.WR_FLUSH_ERR);
        }
        device.completesNothing();
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-08: what is posted in ERR is flushed too")
    void postedInErr() {
        openIn(QpState.ERR);
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.completes(1, WcStatus.WR_FLUSH_ERR);
        device.receives(2, 0, 8);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("QPS-09: a queue pair is used anew over RESET, with no completion of its former life")
    void usedAnew() {
        connect(new Setup());
        device.posts(WrOpcode.RDMA_READ, 1, 1000);
        device.receives(2, 0, 600);
        peer.sends(sendFirst(n).payload(256), write(plus(n, 5)));
        peer.getsAll();
        device.to(QpState.RESET);
        device.completesNothing();
        passes(timeout(20));
        peer.expectsNothing();
        device.toInit();
        device.receives(3, 1024, 64);
        device.toRtr();
        device.toRts();
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n, 0).msn(1));
        device.completes(3);
        device.posts(WrOpcode.RDMA_WRITE, 4, 8);
        peer.expects(writeOnly(m));
        peer.sends(ack(m).msn(1));
        device.completes(4);
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-09: a response to the former life's request is one to nothing")
    void staleResponses() {
        connect(new Setup());
        device.posts(WrOpcode.RDMA_READ, 1, 8);
        device.to(QpState.ERR);
        device.completes(1, WcStatus.WR_FLUSH_ERR);
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        peer.sends(readResponseOnly(m).payload(8), ack(m));
        device.counted(Rule.ACK_AHEAD, 2);
        memory.isUntouched();
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-13: an error NAK ends in ERR; without a receive an event tells, QP_ACCESS_ERR or QP_REQ_ERR")
    void eventWithoutReceive() {
        connect(new Setup());
        peer.sends(writeOnly(n).reth(1, 2, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-13: with a receive that the message has taken its completion tells, and there is no event")
    void completionWithReceive() {
        connect(new Setup());
        device.receives(1, 0, 64);
        device.receives(2, 0, 64);
        peer.sends(writeOnlyImm(n, 7).reth(1, 2, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, null);
        device.completes(1, WcStatus.LOC_ACCESS_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-13: what comes behind the refused packet, before the NAK is out, is not executed")
    void nothingBehindARefusal() {
        connect(new Setup());
        device.receives(1, 0, 64);
        peer.sendsTogether(
                writeOnly(n).reth(1, 2, 8).payload(8),
                write(plus(n, 1)),
                sendOnly(plus(n, 2)).payload(8));
        peer.expects(nak(n, Syndrome.NAK_REMOTE_ACCESS));
        peer.expectsNothing();
        memory.isUntouched();
        device.completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("QPS-14: likewise one whose region has no LOCAL_WRITE")
    void receiveWithoutRight() {
        connect(new Setup());
        MemoryRegion constant = device.pd.register(memory.inside(), AccessFlags.REMOTE_READ);
        device.qp.postReceive(new ReceiveWorkRequest().reset(1).sge(constant, 0, 64));
        peer.sends(sendOnly(n).payload(8));
        refused(Rule.RECEIVE_FAULT, n, Syndrome.NAK_REMOTE_OPERATIONAL, null);
        device.completes(1, WcStatus.LOC_PROT_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName(
            "QPS-14: a receive that names memory it may not write: NAK Remote Operational Error, LOC_PROT_ERR, flush")
    void malformedReceive() {
        connect(new Setup());
        device.qp.postReceive(new ReceiveWorkRequest().reset(1).sge(region.address(), 64, region.lKey() + 1));
        device.receives(2, 0, 64);
        peer.sends(sendOnly(n).payload(8));
        refused(Rule.RECEIVE_FAULT, n, Syndrome.NAK_REMOTE_OPERATIONAL, null);
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        memory.isUntouched();
    }
}
