package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Packet;

/** Group RTX: timeouts, and what is sent again (9.7.6). */
class RetransmissionTest extends RcScene {

    private static final long T = timeout(14);

    private void write(long id) {
        device.posts(WrOpcode.RDMA_WRITE, id, 8);
    }

    @ParameterizedTest(name = "T = {0}")
    @ValueSource(ints = {1, 5, 14, 18, 31})
    @DisplayName("RTX-01: without an answer the first resend comes between one and four times 4.096 us * 2^T")
    void firstResend(int code) {
        connect(new Setup().withTimeout(code));
        write(1);
        peer.expects(writeOnly(m));
        passes(timeout(code) - 1);
        peer.expectsNothing();
        passes(3 * timeout(code) + 1);
        peer.expects(writeOnly(m));
    }

    /** How long the requester waits the first time, the second: it doubles, up to the four times that it may be. */
    private static long wait(int round) {
        return T << Math.min(round, 2);
    }

    @Test
    @DisplayName("RTX-01: what is sent later does not put the timer of the oldest packet off")
    void laterRequestsDoNotDelay() {
        connect(new Setup());
        write(1);
        passes(T / 2);
        write(2);
        peer.expects(writeOnly(m), writeOnly(plus(m, 1)));
        passes(T / 2);
        peer.expects(writeOnly(m), writeOnly(plus(m, 1)));
    }

    @Test
    @DisplayName("RTX-02: with T = 0 there is no timeout")
    void noTimeout() {
        connect(new Setup().withTimeout(0));
        write(1);
        peer.expects(writeOnly(m));
        passes(86_400_000_000_000L);
        peer.expectsNothing();
        peer.sends(ack(m));
        device.completes(1);
    }

    @Test
    @DisplayName(
            "RTX-03, RTX-06: a READ that nobody answers is sent again retry_cnt times, T to 4 T apart, and then fails")
    void givesUp() {
        connect(new Setup().withRetryCount(3));
        device.posts(WrOpcode.RDMA_READ, 1, 8);
        write(2);
        peer.expects(read(m), writeOnly(plus(m, 1)));
        for (int resend = 0; resend < 3; resend++) {
            passes(wait(resend) - 1);
            peer.expectsNothing();
            passes(1);
            peer.expects(read(m), writeOnly(plus(m, 1)));
            peer.expectsNothing();
        }
        passes(wait(3));
        device.completes(1, WcStatus.RETRY_EXC_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.ERR);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RTX-03: retry_cnt 7 is seven, not for ever")
    void sevenIsSeven() {
        connect(new Setup().withRetryCount(7));
        write(1);
        for (int packet = 0; packet < 8; packet++) {
            peer.expects(writeOnly(m));
            passes(wait(packet));
        }
        device.completes(1, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("RTX-04: with retry_cnt 0 nothing is sent again")
    void noResendAtAll() {
        connect(new Setup().withRetryCount(0));
        write(1);
        peer.expects(writeOnly(m));
        passes(T);
        peer.expectsNothing();
        device.completes(1, WcStatus.RETRY_EXC_ERR);
    }

    @ParameterizedTest(name = "retry_cnt {0}")
    @ValueSource(ints = {0, 1, 7})
    @DisplayName("RTX-05: the error comes after (retry_cnt + 1) timeouts; four times that is allowed")
    void timeToTheError(int retries) {
        connect(new Setup().withRetryCount(retries));
        write(1);
        for (int round = 0; round < retries; round++) {
            passes(wait(round));
        }
        passes(wait(retries) - 1);
        device.completesNothing();
        passes(1);
        device.completes(1, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("RTX-07: an ACK of anything new starts the count anew")
    void progressResets() {
        connect(new Setup().withRetryCount(1));
        for (int i = 0; i < 4; i++) {
            write(i);
        }
        for (int i = 0; i < 4; i++) {
            passes(T);
            peer.getsAll();
            peer.sends(ack(plus(m, i)));
            device.completes(i);
        }
    }

    @Test
    @DisplayName("RTX-08: a lost last packet costs a timeout; any other one is known from the NAK at once")
    void lastOrOther() {
        connect(new Setup());
        device.posts(WrOpcode.SEND, 1, 600);
        peer.getsAll();
        peer.sends(nakSequence(m)); // the first was lost
        peer.expects(sendFirst(m), sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        peer.sends(nakSequence(plus(m, 1))); // the middle
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        passes(T - 1); // the last: nobody says anything
        peer.expectsNothing();
        passes(1);
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
    }

    @Test
    @DisplayName("RTX-09: a lost NAK is made good by the timeout")
    void lostNak() {
        connect(new Setup());
        write(1);
        write(2);
        peer.getsAll(); // the peer saw the second only, and its NAK was lost
        passes(T);
        peer.expects(writeOnly(m), writeOnly(plus(m, 1)));
        peer.sends(ack(plus(m, 1)));
        device.completes(1);
        device.completes(2);
    }

    @Test
    @DisplayName("RTX-10: a lost ACK is made good by the next one, nothing is sent again")
    void lostAck() {
        connect(new Setup());
        write(1);
        write(2);
        peer.expects(writeOnly(m), writeOnly(plus(m, 1)));
        peer.sends(ack(plus(m, 1)).msn(2));
        device.completes(1);
        device.completes(2);
        passes(10 * T);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RTX-11: an ACK that comes after the resend completes once; the second one nothing")
    void lateAck() {
        connect(new Setup());
        write(1);
        passes(T);
        peer.expects(writeOnly(m), writeOnly(m));
        peer.sends(ack(m).msn(1), ack(m).msn(1));
        device.completes(1);
        device.completesNothing();
        device.counted(Rule.GHOST_ACK, 1);
        passes(10 * T);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RTX-12: what is sent again has the same bytes; AckReq alone may differ")
    void sameBytes() {
        connect(new Setup());
        memory.put(0, HandPlayedLink.bytes(3, 700));
        device.posts(WrOpcode.RDMA_WRITE_WITH_IMM, 1, 700);
        device.posts(
                Host.request(WrOpcode.ATOMIC_CMP_AND_SWP, 2).sge(region, 0, 8).compareSwap(1, 2));
        device.posts(WrOpcode.RDMA_READ, 3, 300);
        List<Packet> first = peer.getsAll();
        passes(T);
        List<Packet> again = peer.getsAll();
        assertEquals(5, first.size());
        assertEquals(first.size(), again.size());
        for (int i = 0; i < first.size(); i++) {
            assertArrayEquals(withoutAckReq(first.get(i)), withoutAckReq(again.get(i)));
        }
    }

    private static byte[] withoutAckReq(Packet packet) {
        byte[] bytes = packet.toBytes();
        bytes[Bth.ACK_REQ_OFFSET] &= 0x7F;
        return bytes;
    }

    @Test
    @DisplayName("RTX-13: a buffer that the application changes before the ACK is sent again as it is by then")
    void changedBuffer() {
        connect(new Setup());
        memory.put(0, HandPlayedLink.bytes(1, 8));
        write(1);
        peer.expects(writeOnly(m).payload(HandPlayedLink.bytes(1, 8)));
        memory.put(0, HandPlayedLink.bytes(2, 8));
        passes(T);
        peer.expects(writeOnly(m).payload(HandPlayedLink.bytes(2, 8)));
    }

    @Test
    @DisplayName("RTX-13: inline data is the request's own: sent again as it was posted")
    void changedInlineSource() {
        connect(new Setup());
        memory.put(0, HandPlayedLink.bytes(1, 8));
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 1).inlineData(memory.inside(), 0, 8));
        peer.expects(writeOnly(m).payload(HandPlayedLink.bytes(1, 8)));
        memory.put(0, HandPlayedLink.bytes(2, 8));
        passes(T);
        peer.expects(writeOnly(m).payload(HandPlayedLink.bytes(1, 8)));
    }

    @Test
    @DisplayName("RTX-14: after a timeout it starts at the oldest packet that is not acknowledged")
    void fromTheOldest() {
        connect(new Setup());
        device.posts(WrOpcode.SEND, 1, 600);
        write(2);
        peer.getsAll();
        peer.sends(ack(m));
        passes(T);
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)), writeOnly(plus(m, 3)));
        peer.expectsNothing();
    }

    @ParameterizedTest(name = "{0} losses")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("RTX-15: the same packet may get lost retry_cnt times in a row")
    void repeatedLoss(int losses) {
        connect(new Setup().withRetryCount(3));
        write(1);
        for (int i = 0; i < losses; i++) {
            peer.expects(writeOnly(m));
            passes(wait(i));
        }
        peer.expects(writeOnly(m));
        peer.sends(ack(m));
        device.completes(1);
    }

    @Test
    @DisplayName("RTX-16: resends that a sequence NAK asks for count too")
    void naksCount() {
        connect(new Setup().withRetryCount(2));
        write(1);
        peer.expects(writeOnly(m));
        peer.sends(nakSequence(m));
        peer.expects(writeOnly(m));
        peer.sends(nakSequence(m), nakSequence(m), nakSequence(m));
        peer.expectsNothing();
        passes(T);
        peer.expects(writeOnly(m));
        device.completesNothing();
        peer.sends(nakSequence(m));
        device.completes(1, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("RTX-17: resends that an implied NAK asks for count too")
    void impliedNaksCount() {
        connect(new Setup().withRetryCount(2));
        device.posts(WrOpcode.RDMA_READ, 1, 8);
        write(2);
        peer.expects(read(m), writeOnly(plus(m, 1)));
        peer.sends(ack(plus(m, 1)), ack(plus(m, 1)));
        peer.expects(read(m), writeOnly(plus(m, 1)));
        passes(T);
        peer.expects(read(m), writeOnly(plus(m, 1)));
        peer.expectsNothing();
        device.completesNothing();
        peer.sends(ack(plus(m, 1)));
        device.completes(1, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("RTX-18: what a NAK asks for goes out in the next round, in no time")
    void resendsWithoutDelay() {
        connect(new Setup());
        write(1);
        peer.expects(writeOnly(m));
        peer.hands(nakSequence(m));
        device.context.progress();
        device.context.progress();
        peer.expects(writeOnly(m));
    }

    @Test
    @DisplayName("RTX-20: a queue pair that goes to ERR between two resends sends nothing more")
    void errorEndsIt() {
        connect(new Setup());
        write(1);
        passes(T);
        assertTrue(peer.getsAll().size() == 2);
        device.to(QpState.ERR);
        device.completes(1, WcStatus.WR_FLUSH_ERR);
        passes(10 * T);
        peer.expectsNothing();
        device.completesNothing();
    }
}
