package org.rdma4j.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** What counts as the same answer, and what does not. */
class AnswersTest {

    private static final int OWN = 0xFF_FFFE; // wraps inside of each story
    private static final int PEER = 500;
    private static final int LIVE_OWN = 70;
    private static final int LIVE_PEER = 0xFF_FFFF;

    private Answers answers = answers(Set.of());

    private static Answers answers(Set<Ignored> ignored) {
        Answers made = new Answers(
                new CapturedConnection.End(Gid.ofIpv4(1), 0x11, OWN, 0, 0),
                new CapturedConnection.End(Gid.ofIpv4(2), 0x12, PEER, 0, 0),
                ignored);
        made.startWith(LIVE_OWN, LIVE_PEER);
        return made;
    }

    private static Packet packet(int opcode, int psn, int payload, int seed, ExtensionHeader... headers) {
        byte[] bytes = new byte[payload];
        Arrays.fill(bytes, (byte) seed);
        Bth bth = new Bth(opcode, false, true, 0, 0, 0xFFFF, false, false, 0, 0x11, false, 0, psn & Psn.MASK);
        return Packet.of(bth, List.of(headers), MemorySegment.ofArray(bytes));
    }

    private static Packet ack(int first, int psn, int syndrome, int msn) {
        return packet(Opcode.RC_ACKNOWLEDGE, first + psn, 0, 0, new Aeth(syndrome, msn));
    }

    private static Packet response(int opcode, int first, int psn, int seed) {
        return opcode == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE
                ? packet(opcode, first + psn, 256, seed)
                : packet(opcode, first + psn, 256, seed, new Aeth(Syndrome.ACK_UNLIMITED, 1));
    }

    /** The capture: so many SENDs of a packet each, and an ACK for each. */
    private void sends(int count) {
        for (int psn = 0; psn < count; psn++) {
            answers.requested(packet(Opcode.RC_SEND_ONLY, OWN + psn, 8, 0));
            answers.captured(psn, ack(OWN, psn, Syndrome.ACK_UNLIMITED, psn + 1));
        }
        answers.prepared();
    }

    private void live(Packet... packets) {
        for (Packet packet : packets) {
            answers.arrived(packet);
        }
    }

    private void assertDiffers(String... lines) {
        assertEquals(List.of(lines), answers.differences());
    }

    @Test
    void oneAckForThreeIsTheSame() {
        sends(3);
        live(ack(LIVE_OWN, 2, Syndrome.ACK_UNLIMITED, 3));
        assertDiffers();
    }

    @Test
    void anAckMoreIsTheSameIfItsMsnIsThatOfItsPsn() {
        for (int psn = 0; psn < 3; psn++) {
            answers.requested(packet(Opcode.RC_SEND_ONLY, OWN + psn, 8, 0));
        }
        answers.captured(9, ack(OWN, 2, Syndrome.ACK_UNLIMITED, 3));
        answers.prepared();
        live(ack(LIVE_OWN, 0, Syndrome.ack(7), 1), ack(LIVE_OWN, 2, Syndrome.ack(8), 3));
        assertDiffers();
        live(ack(LIVE_OWN, 1, Syndrome.ACK_UNLIMITED, 3));
        assertDiffers("answer to PSN +1: the capture has none, the peer sent ACK MSN 3");
    }

    @Test
    void anAckOfMoreThanTheCaptureAcknowledgesIsNot() {
        sends(2);
        live(ack(LIVE_OWN, 2, Syndrome.ACK_UNLIMITED, 2));
        assertDiffers("answer to PSN +2: the capture has none, the peer sent ACK MSN 2");
    }

    @Test
    void aNakInPlaceOfAnAckIsNamedOnceAndThereIsNothingLeftToWaitFor() {
        sends(2);
        Answers.Expected last = answers.captured(77, ack(OWN, 1, Syndrome.ACK_UNLIMITED, 2));
        assertFalse(answers.isSettled(last));
        live(ack(LIVE_OWN, 1, Syndrome.NAK_REMOTE_ACCESS, 1));
        assertTrue(answers.isSettled(last));
        assertDiffers(
                "answer to PSN +1: the capture has ACK MSN 2 (frame 1), the peer sent NAK remote access error MSN 1");
    }

    /** A NAK acknowledges what is in front of its PSN (9.7.5.1.1). */
    @Test
    void aNakGivesTheAcksInFrontOfIt() {
        sends(2);
        answers.captured(8, ack(OWN, 2, Syndrome.NAK_PSN_SEQUENCE, 2));
        live(ack(LIVE_OWN, 2, Syndrome.NAK_PSN_SEQUENCE, 2));
        assertDiffers();
    }

    @Test
    void whatDoesNotComeIsNamedOnceHoweverOftenTheCaptureHasIt() {
        answers.captured(3, ack(OWN, 0, Syndrome.rnrNak(12), 0));
        answers.captured(4, ack(OWN, 0, Syndrome.rnrNak(12), 0));
        answers.prepared();
        assertDiffers("answer to PSN +0: the capture has RNR NAK 0.64 ms MSN 0 (frame 3), the peer did not send it");
    }

    @Test
    void whetherTheReceiverWasReadyCanBeIgnored() {
        answers = answers(EnumSet.of(Ignored.RNR));
        sends(1);
        answers.captured(4, ack(OWN, 0, Syndrome.rnrNak(12), 0));
        live(ack(LIVE_OWN, 0, Syndrome.ACK_UNLIMITED, 1), ack(LIVE_OWN, 0, Syndrome.rnrNak(14), 0));
        assertDiffers();
    }

    @Test
    void theMsnCanBeIgnored() {
        answers = answers(EnumSet.of(Ignored.MSN));
        sends(1);
        live(ack(LIVE_OWN, 0, Syndrome.ACK_UNLIMITED, 5));
        assertDiffers();
    }

    @Test
    void requestsOfThePeersAreCountedFromItsOwnFirstPsn() {
        answers.captured(5, packet(Opcode.RC_SEND_ONLY, PEER + 1, 100, 7));
        live(packet(Opcode.RC_SEND_ONLY, LIVE_PEER + 1, 100, 7));
        assertDiffers();
        live(packet(Opcode.RC_SEND_ONLY, LIVE_PEER + 2, 100, 7));
        assertDiffers("the peer's request PSN +2: the capture has none, the peer sent RC SEND only 100 B");
    }

    @Test
    void anotherByteIsNamedUnlessPayloadsAreIgnored() {
        answers.captured(5, packet(Opcode.RC_SEND_ONLY, PEER, 100, 7));
        live(packet(Opcode.RC_SEND_ONLY, LIVE_PEER, 100, 8));
        assertDiffers(
                "the peer's request PSN +0: the capture has RC SEND only 100 B (frame 5), the peer sent RC SEND only"
                        + " 100 B: byte 0 is 0x08 and was 0x07");
        answers = answers(EnumSet.of(Ignored.PAYLOAD));
        answers.captured(5, packet(Opcode.RC_SEND_ONLY, PEER, 100, 7));
        live(packet(Opcode.RC_SEND_ONLY, LIVE_PEER, 100, 8));
        assertDiffers();
        live(packet(Opcode.RC_SEND_ONLY, LIVE_PEER, 96, 8));
        assertEquals(1, answers.differences().size());
    }

    /** In the capture the middle one of three responses is lost, and the rest is read again. */
    private void readAfterLoss() {
        answers.requested(packet(Opcode.RC_RDMA_READ_REQUEST, OWN, 0, 0, new Reth(0, 7, 768)));
        answers.captured(2, response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OWN, 0, 1));
        answers.captured(3, response(Opcode.RC_RDMA_READ_RESPONSE_LAST, OWN, 2, 3));
        answers.requested(packet(Opcode.RC_RDMA_READ_REQUEST, OWN + 1, 0, 0, new Reth(256, 7, 512)));
        answers.captured(5, response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OWN, 1, 2));
        answers.captured(6, response(Opcode.RC_RDMA_READ_RESPONSE_LAST, OWN, 2, 3));
        answers.prepared();
        live(
                response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, LIVE_OWN, 0, 1),
                response(Opcode.RC_RDMA_READ_RESPONSE_LAST, LIVE_OWN, 2, 3),
                response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, LIVE_OWN, 1, 2));
    }

    @Test
    void aResponseThatTheCaptureLostIsTheSame() {
        readAfterLoss();
        live(response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, LIVE_OWN, 1, 2));
        assertDiffers();
    }

    @Test
    void aResponseThatNoReadAsksForOrWithOtherBytesIsNot() {
        readAfterLoss();
        live(response(Opcode.RC_RDMA_READ_RESPONSE_LAST, LIVE_OWN, 1, 2));
        assertEquals(1, answers.differences().size(), answers.differences().toString());
        live(response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, LIVE_OWN, 1, 9));
        assertEquals(2, answers.differences().size(), answers.differences().toString());
    }
}
