package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.atomicAck;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseLast;
import static org.rdma4j.conformance.Packets.readResponseMiddle;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** Group RDA, the requester of READs and atomics (9.7.5.1.4, 9.7.3.3). */
class ReadRequesterTest extends RcScene {

    private void posts(int id, int length) {
        device.posts(WrOpcode.RDMA_READ, id, length);
    }

    private WirePacket add(int id) {
        device.posts(Host.request(WrOpcode.ATOMIC_FETCH_AND_ADD, id)
                .sge(region, 0, 8)
                .fetchAdd(1));
        return fetchAdd(plus(m, 0)).atomic(Peer.ADDRESS, Peer.R_KEY, 1, 0);
    }

    /** Packet {@code index} of the response to a READ of 1000 bytes that has PSN {@code m}. */
    private WirePacket response(int index) {
        int psn = plus(m, index);
        return switch (index) {
            case 0 -> readResponseFirst(psn).payload(256);
            case 3 -> readResponseLast(psn).payload(232);
            default -> readResponseMiddle(psn).payload(256);
        };
    }

    @Test
    @DisplayName(
            "RDA-10: no more than max_rd_atomic READs and atomics are outstanding; the next one waits, and all behind")
    void neverTooMany() {
        connect(new Setup().withRdAtomic(2, 4));
        posts(1, 8);
        add(2);
        posts(3, 8);
        device.posts(WrOpcode.RDMA_WRITE, 4, 8);
        peer.expects(read(m), fetchAdd(plus(m, 1)));
        peer.expectsNothing();
        peer.sends(readResponseOnly(m).payload(8));
        peer.expects(read(plus(m, 2)), writeOnly(plus(m, 3)));
        device.completes(1);
    }

    @Test
    @DisplayName("RDA-10: with max_rd_atomic 0 a READ fails where it stands")
    void noneAllowed() {
        connect(new Setup().withRdAtomic(0, 0));
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        posts(2, 8);
        peer.expects(writeOnly(m));
        device.completesNothing();
        peer.sends(ack(m));
        device.completes(1);
        device.completes(2, WcStatus.LOC_QP_OP_ERR);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RDA-11: a hole in the response is asked for again at its PSN and address, for the rest and no more")
    void hole() {
        connect(new Setup());
        posts(1, 1000);
        peer.expects(read(m));
        peer.sends(response(0), response(2));
        peer.expects(read(plus(m, 1)).reth(Peer.ADDRESS + 256, Peer.R_KEY, 744));
        peer.expectsNothing();
        peer.sends(response(3));
        peer.expectsNothing();
        memory.isUntouched(512, 512);
        peer.sends(response(1), response(2), response(3));
        device.completes(1);
        for (int i = 0; i < 4; i++) {
            memory.holds(256 * i, response(i).bytes());
        }
        memory.isUntouched(1000, 200);
    }

    @Test
    @DisplayName("RDA-12: a hole in every round is survived as long as each round brings something")
    void holeInEveryRound() {
        connect(new Setup().withRetryCount(1));
        posts(1, 1000);
        peer.expects(read(m));
        for (int i = 0; i < 3; i++) {
            peer.sends(response(i), i == 2 ? readResponseOnly(plus(m, 9)) : response(3));
            if (i == 2) {
                passes(timeout(14));
            }
            peer.expects(read(plus(m, i + 1)));
            peer.expectsNothing();
        }
        peer.sends(readResponseOnly(plus(m, 3)).payload(232));
        device.completes(1);
    }

    @Test
    @DisplayName("RDA-13: a response that comes again is ignored, and writes nothing")
    void duplicateResponse() {
        connect(new Setup());
        posts(1, 1000);
        peer.sends(response(0), response(1));
        memory.put(0, HandPlayedLink.bytes(9, 512));
        peer.sends(response(0), response(1));
        device.counted(Rule.GHOST_ACK, 2);
        peer.sends(response(2), response(3), response(3), response(0));
        memory.holds(0, HandPlayedLink.bytes(9, 512));
        device.completes(1);
        device.completesNothing();
    }

    @Test
    @DisplayName("RDA-14: FIRST and MIDDLE are not told apart, the PSN says which it is: peers start tails with MIDDLE")
    void middleBeforeFirst() {
        connect(new Setup());
        posts(1, 600);
        peer.sends(
                readResponseMiddle(m).payload(256),
                readResponseFirst(plus(m, 1)).payload(256),
                readResponseOnly(plus(m, 2)).payload(88));
        device.completes(1);
    }

    @ParameterizedTest(name = "opcode {0}")
    @ValueSource(ints = {Opcode.RC_RDMA_READ_RESPONSE_LAST, Opcode.RC_RDMA_READ_RESPONSE_ONLY})
    @DisplayName("RDA-14, RDA-16: a response that ends too early fails the READ")
    void endsEarly(int opcode) {
        connect(new Setup());
        posts(1, 1000);
        peer.sends(response(0), new WirePacket(opcode, plus(m, 1)).payload(256));
        failed(Rule.RESPONSE_LENGTH);
        memory.isUntouched(256, 1000);
    }

    @Test
    @DisplayName(
            "RDA-14, RDA-16: a response that does not end where it must fails the READ, nothing is written behind it")
    void endsLate() {
        connect(new Setup());
        posts(1, 512);
        peer.sends(response(0), readResponseMiddle(plus(m, 1)).payload(256));
        failed(Rule.RESPONSE_LENGTH);
        memory.isUntouched(256, 1000);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 255, 257, 260})
    @DisplayName("RDA-15: a FIRST or MIDDLE that has not exactly the path MTU fails the READ")
    void wrongSize(int length) {
        connect(new Setup());
        posts(1, 1000);
        peer.sends(response(0), readResponseMiddle(plus(m, 1)).payload(length));
        failed(Rule.RESPONSE_LENGTH);
        memory.isUntouched(256, 1000);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 231, 233, 256})
    @DisplayName("RDA-16: a response of another length than asked for fails the READ")
    void wrongTotal(int length) {
        connect(new Setup());
        posts(1, 1000);
        peer.sends(
                response(0),
                response(1),
                response(2),
                readResponseLast(plus(m, 3)).payload(length));
        failed(Rule.RESPONSE_LENGTH);
        memory.isUntouched(768, 1000);
    }

    @Test
    @DisplayName("RDA-17: a READ response where a SEND waits for its ACK fails the SEND")
    void responseToASend() {
        connect(new Setup());
        device.posts(WrOpcode.SEND, 1, 8);
        peer.expects(sendOnly(m));
        peer.sends(readResponseOnly(m).payload(8));
        failed(Rule.RESPONSE_UNEXPECTED);
        memory.isUntouched();
    }

    @Test
    @DisplayName("RDA-17: an atomic's response to a READ, and a READ's to an atomic, fail the request")
    void responsesMixedUp() {
        connect(new Setup());
        posts(1, 8);
        peer.sends(atomicAck(m, 7));
        failed(Rule.RESPONSE_UNEXPECTED);
        memory.isUntouched();
    }

    private void failed(Rule rule) {
        assertEquals(rule, peer.decision());
        device.completes(1, WcStatus.BAD_RESP_ERR);
        device.completesNothing();
        device.isIn(QpState.ERR);
    }

    @ParameterizedTest(name = "syndrome {0}")
    @ValueSource(ints = {Syndrome.NAK_REMOTE_ACCESS, 0x20, 0xFF})
    @DisplayName("RDA-18: what the AETH of a READ response says besides is not looked at: the data counts")
    void oddAeth(int syndrome) {
        connect(new Setup());
        posts(1, 8);
        peer.sends(readResponseOnly(m).payload(8).syndrome(syndrome).msn(0xABCDEF));
        device.completes(1);
        memory.holds(0, readResponseOnly(m).payload(8).bytes());
    }

    @Test
    @DisplayName("RDA-19: each response starts the timer anew; when no more come the rest is asked for")
    void timerRestarts() {
        long t = timeout(14);
        connect(new Setup());
        posts(1, 1000);
        peer.expects(read(m));
        for (int i = 0; i < 3; i++) {
            passes(t - 1);
            peer.sends(response(i));
        }
        passes(t - 1);
        peer.expectsNothing();
        passes(1);
        peer.expects(read(plus(m, 3)).reth(Peer.ADDRESS + 768, Peer.R_KEY, 232));
    }

    @Test
    @DisplayName("RDA-28: an atomic whose answer was lost is sent again with its PSN, and completes once")
    void atomicAnswerLost() {
        connect(new Setup());
        WirePacket request = add(1).ackReq();
        peer.expects(request);
        passes(timeout(14));
        peer.expects(request);
        peer.sends(atomicAck(m, 41), atomicAck(m, 41));
        device.completes(1);
        device.completesNothing();
        assertEquals(41, memory.getLong(0));
        device.counted(Rule.GHOST_ACK, 1);
    }

    @Test
    @DisplayName("RDA-20: compare and swap sends both operands, and gets back what was there")
    void compareAndSwap() {
        connect(new Setup());
        device.posts(
                Host.request(WrOpcode.ATOMIC_CMP_AND_SWP, 1).sge(region, 0, 8).compareSwap(11, 22));
        peer.expects(Packets.compareSwap(m).atomic(Peer.ADDRESS, Peer.R_KEY, 22, 11));
        peer.sends(atomicAck(m, 33));
        device.completes(1);
        assertEquals(33, memory.getLong(0));
    }

    @Test
    @DisplayName("RDA-29: an atomic's result is in the host's byte order in memory")
    void resultByteOrder() {
        connect(new Setup());
        add(1);
        peer.sends(atomicAck(m, 0x0102030405060708L));
        device.completes(1);
        assertEquals(0x0102030405060708L, memory.getLong(0));
        memory.isUntouched(8, 64);
    }

    @Test
    @DisplayName("RDA-30: a fenced request waits until all READs and atomics before it are complete")
    void fence() {
        connect(new Setup());
        posts(1, 600);
        add(2);
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 3).sge(region, 0, 8).fence());
        peer.expects(read(m), fetchAdd(plus(m, 3)));
        peer.sends(
                readResponseFirst(m).payload(256),
                readResponseMiddle(plus(m, 1)).payload(256),
                readResponseLast(plus(m, 2)).payload(88));
        peer.expectsNothing();
        peer.sends(atomicAck(plus(m, 3), 0));
        peer.expects(writeOnly(plus(m, 4)));
    }

    @Test
    @DisplayName("RDA-31: a request without a fence does not wait for a READ before it")
    void noFence() {
        connect(new Setup());
        device.posts(WrOpcode.SEND, 1, 8);
        peer.expects(sendOnly(m));
        peer.sends(ack(m, Syndrome.NO_CREDITS).msn(1)); // no limit
        posts(2, 600);
        device.posts(WrOpcode.SEND, 3, 8);
        peer.expects(read(plus(m, 1)), sendOnly(plus(m, 4)));
    }
}
