package org.rdma4j.conformance;

import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.atomicAck;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WrOpcode;

/** Group QPS: a completion queue that is full (11.6.3.1). Whatever packet brings it about, nothing is done twice. */
class CompletionOverrunTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup().withCompletions(1));
    }

    private void failsForGood() {
        device.raises(AsyncEventType.CQ_ERR);
        device.raises(AsyncEventType.QP_FATAL);
        device.isIn(QpState.ERR);
        peer.getsAll();
        passes(1_000_000_000_000L);
        peer.expectsNothing();
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        isAlive(n);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-15: an ACK that completes more than the CQ holds: CQ_ERR, QP_FATAL, and the QP can be used anew")
    void overrunByAnAcknowledgement() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.posts(WrOpcode.RDMA_WRITE, 3, 8);
        peer.sends(ack(plus(m, 1)));
        failsForGood();
        device.completes(1);
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-15: a NAK that completes more than the CQ holds")
    void overrunByANak() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.posts(WrOpcode.RDMA_WRITE, 3, 8);
        peer.sends(nakSequence(plus(m, 2)));
        failsForGood();
    }

    @Test
    @DisplayName("QPS-15: a READ response that completes more than the CQ holds writes nothing")
    void overrunByAReadResponse() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.posts(WrOpcode.RDMA_READ, 3, 8);
        peer.sends(readResponseOnly(plus(m, 2)).payload(8));
        failsForGood();
        memory.isUntouched(8, 64);
    }

    @Test
    @DisplayName("QPS-15: an atomic's response that completes more than the CQ holds writes nothing")
    void overrunByAnAtomicsResponse() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.posts(WrOpcode.ATOMIC_FETCH_AND_ADD, 3, 8);
        peer.sends(atomicAck(plus(m, 2), 77));
        failsForGood();
    }

    @Test
    @DisplayName("QPS-15: a message that is received when the CQ is full")
    void overrunByAReceive() {
        device.receives(1, 0, 64);
        device.receives(2, 64, 64);
        device.receives(3, 128, 64);
        peer.sends(sendOnly(n).payload(8), sendOnly(plus(n, 1)).payload(8).ackReq());
        peer.expectsNothing(); // above all no acknowledgement of what was lost
        failsForGood();
        device.completes(1);
        device.completesNothing();
    }
}
