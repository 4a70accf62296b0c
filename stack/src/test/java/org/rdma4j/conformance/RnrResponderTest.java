package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.rnrNak;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLastImm;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WorkCompletion;

/** Group RNR, the responder's half: no receive is posted (9.7.5.2.8). */
class RnrResponderTest extends RcScene {

    @ParameterizedTest(name = "min_rnr_timer {0}")
    @ValueSource(ints = {0, 1, 12, 31})
    @DisplayName("RNR-01: a SEND that finds no receive gets an RNR NAK with its PSN and our timer code")
    void sendWithoutReceive(int timer) {
        connect(new Setup().withMinRnrTimer(timer));
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(rnrNak(n, timer).msn(0));
        peer.expectsNothing();
        device.completesNothing();
        device.isIn(QpState.RTS);
        device.counted(Rule.RECEIVE_NOT_READY, 1);
    }

    @Test
    @DisplayName("RNR-01: a message of several packets gets it for the first one")
    void longSendWithoutReceive() {
        connect(new Setup());
        peer.sends(sendFirst(n).payload(256), sendLast(plus(n, 1)).payload(8).ackReq());
        peer.expects(rnrNak(n, 12));
        peer.expectsNothing();
    }

    @Test
    @DisplayName(
            "RNR-02: what follows the packet that got the RNR NAK is dropped in silence until that one comes again")
    void silenceBehindIt() {
        connect(new Setup());
        peer.sends(sendOnly(n).payload(8));
        peer.expects(rnrNak(n, 12));
        peer.sends(
                writeOnly(plus(n, 1)).at(region, 0, 8).payload(8).ackReq(),
                sendOnly(plus(n, 2)).payload(8).ackReq());
        peer.expectsNothing();
        device.counted(Rule.RECEIVE_NOT_READY_WAITING, 2);
        memory.isUntouched();
        peer.sends(sendOnly(n).payload(8));
        peer.expects(rnrNak(n, 12));
        device.receives(1, 0, 64);
        peer.sends(sendOnly(n).payload(8), sendOnly(plus(n, 2)).payload(8));
        peer.expects(nakSequence(plus(n, 1)));
    }

    @Test
    @DisplayName("RNR-03: a WRITE with immediate that finds no receive gets it at the packet with the immediate")
    void writeWithImmediate() {
        connect(new Setup());
        WirePacket first = writeFirst(n).at(region, 0, 300).payload(256);
        WirePacket last = writeLastImm(plus(n, 1), 77).payload(44).ackReq();
        peer.sends(first, last);
        peer.expects(rnrNak(plus(n, 1), 12).msn(0));
        memory.holds(0, first.bytes());
        memory.isUntouched(256, 44);
        device.receives(5, 1024, 64);
        peer.sends(last);
        peer.expects(ack(plus(n, 1)).msn(1));
        memory.holds(256, last.bytes());
        WorkCompletion completion = device.completes(5);
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(300, completion.byteLength());
        assertEquals(77, completion.immediate());
    }

    @Test
    @DisplayName("RNR-04: WRITE, READ and atomics need no receive")
    void othersNeedNone() {
        connect(new Setup());
        peer.sends(
                writeOnly(n).at(region, 0, 8).payload(8).ackReq(),
                read(plus(n, 1)).at(region, 0, 8));
        peer.expects(ack(n), readResponseOnly(plus(n, 1)));
        peer.sends(Packets.fetchAdd(plus(n, 2)).atomic(region.address(), region.rKey(), 1, 0));
        peer.expects(Packets.atomicAck(plus(n, 2), memory.getLong(0) - 1));
    }

    @Test
    @DisplayName("RNR-05: once a receive is posted the SEND that comes again is taken, once")
    void comesAgain() {
        connect(new Setup());
        WirePacket send = sendOnly(n).payload(8).ackReq();
        peer.sends(send);
        peer.expects(rnrNak(n, 12));
        device.receives(1, 0, 64);
        device.receives(2, 64, 64);
        peer.sends(send);
        peer.expects(ack(n, 1).msn(1));
        device.completes(1);
        peer.sends(send);
        peer.expects(ack(n, 1).msn(1));
        device.completesNothing();
        memory.isUntouched(64, 64);
    }

    @Test
    @DisplayName("RNR-17: READs up to max_dest_rd_atomic are queued while others are being answered, never refused")
    void readsAreQueued() {
        connect(new Setup());
        int packets = SIZE / 256;
        peer.sendsTogether(
                read(n).at(region, 0, SIZE),
                read(plus(n, packets)).at(region, 0, 8),
                read(plus(n, packets + 1)).at(region, 8, 8),
                read(plus(n, packets + 2)).at(region, 16, 8));
        assertEquals(packets + 3, peer.getsAll().size());
        isAlive(plus(n, packets + 3));
    }
}
