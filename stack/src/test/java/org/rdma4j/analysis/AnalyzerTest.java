package org.rdma4j.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.analysis.TestFrames.acknowledge;
import static org.rdma4j.analysis.TestFrames.request;
import static org.rdma4j.analysis.TestFrames.response;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;

class AnalyzerTest {

    private final Analyzer analyzer = new Analyzer();
    private long frames;

    private PacketPlace place(RoceFrame frame) {
        frames++;
        return analyzer.packet(frames, 2_000_000 * frames, frame);
    }

    private PacketPlace send(int psn) {
        return place(request(Opcode.RC_SEND_ONLY, psn, 8));
    }

    @Test
    void countsPsnsAcrossTheWrap() {
        assertEquals(0, send(0xFFFFFF).relativePsn());
        assertEquals(1, send(0).relativePsn());
        assertEquals(1, place(acknowledge(0, Syndrome.ACK_UNLIMITED, 2)).relativePsn());
        assertEquals(0, send(0).missing());
    }

    /** Queue pairs of many connections may end in the same bits, and old ones may be used anew. */
    @Test
    void keepsConnectionsApartWhoseQueuePairsLookAlike() {
        int likeness = 1 << 12;
        for (int psn = 0; psn < 5; psn++) {
            for (int connection = 1; connection <= 3; connection++) {
                int first = 1000 * connection;
                RoceFrame request = TestFrames.frame(
                        TestFrames.LEFT,
                        TestFrames.RIGHT,
                        connection * likeness,
                        Opcode.RC_SEND_ONLY,
                        first + psn,
                        true,
                        8);
                PacketPlace asked = place(request);
                assertEquals(connection, asked.flow().number());
                assertEquals(psn, asked.relativePsn());
                RoceFrame response = TestFrames.frame(
                        TestFrames.RIGHT,
                        TestFrames.LEFT,
                        (connection + 3) * likeness,
                        Opcode.RC_ACKNOWLEDGE,
                        first + psn,
                        false,
                        0,
                        new Aeth(Syndrome.ACK_UNLIMITED, psn + 1));
                PacketPlace answered = place(response);
                assertEquals(connection, answered.flow().number());
                assertEquals(psn, answered.relativePsn());
            }
        }
        assertEquals(
                List.of(4 * likeness, 5 * likeness, 6 * likeness),
                analyzer.flows().stream().map(Flow::answerQp).toList());
    }

    /** A connection in use is remembered, however many others there were since it began. */
    @Test
    void forgetsNoConnectionThatIsInUse() {
        int busy = 0x10_0000;
        int psn = 0;
        for (int other = 1; other <= 5000; other++) {
            exchange(busy, psn);
            psn++;
            if ((other & 0xFF) != 0) {
                exchange(busy + other, 0);
            }
        }
        exchange(2 * busy, 0); // whose number ends as that of the busy one does
        PacketPlace asked = exchange(busy, psn);
        assertEquals(1, asked.flow().number());
        assertEquals(psn, asked.relativePsn());
    }

    /** A request and its answer, which is for the queue pair with the same number. */
    private PacketPlace exchange(int queuePair, int psn) {
        PacketPlace asked = place(
                TestFrames.frame(TestFrames.LEFT, TestFrames.RIGHT, queuePair, Opcode.RC_SEND_ONLY, psn, true, 8));
        PacketPlace answered = place(TestFrames.frame(
                TestFrames.RIGHT,
                TestFrames.LEFT,
                queuePair,
                Opcode.RC_ACKNOWLEDGE,
                psn,
                false,
                0,
                new Aeth(Syndrome.ACK_UNLIMITED, psn + 1)));
        assertEquals(asked.flow(), answered.flow());
        return asked;
    }

    @Test
    void tellsResentFromOvertakenAndMissing() {
        send(100);
        assertEquals(2, send(103).missing());
        assertTrue(send(102).isLate());
        assertEquals(1, send(102).again());
        assertEquals(1, send(103).again());
        assertEquals(2, send(102).again());
        PacketPlace next = send(104);
        assertEquals(0, next.again());
        assertFalse(next.isLate());
    }

    @Test
    void forgetsWhatWasResentLongAgoButNotThatItWas() {
        for (int psn = 0; psn < 10_000; psn++) {
            send(psn);
        }
        assertEquals(1, send(10).again());
        assertEquals(1, send(9_999).again());
    }

    @Test
    void aNewQueuePairWithAnOldNumberStartsAnew() {
        send(5);
        PacketPlace first = send(8_000_000);
        assertTrue(first.isFirst());
        assertEquals(0, first.relativePsn());
        assertEquals(0, place(acknowledge(8_000_000, Syndrome.ACK_UNLIMITED, 1)).relativePsn());
    }

    @Test
    void theRestOfAReadIsTheSameReadAgain() {
        place(request(Opcode.RC_RDMA_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2500)));
        assertEquals(
                1024, place(read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 10, 1024)).messageBytes());
        PacketPlace rest = place(request(Opcode.RC_RDMA_READ_REQUEST, 11, 0, new Reth(0x1400, 7, 1476)));
        assertEquals(1, rest.again());
        PacketPlace middle = place(response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 11, 1024));
        assertEquals(2048, middle.messageBytes());
        assertEquals(
                2500, place(read(Opcode.RC_RDMA_READ_RESPONSE_LAST, 12, 452)).messageBytes());
        assertEquals(0, send(13).missing());
        assertEquals(
                1, place(read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 10, 1024)).again());
    }

    @Test
    void behindAReadItIsNotYetKnownHowManyPsnsItTakes() {
        place(request(Opcode.RC_RDMA_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2500)));
        assertEquals(0, send(13).missing());
        assertEquals(1, send(15).missing());
    }

    @Test
    void aSendIsAsLongAsItsPacketsOnceItsLastOneWasSeen() {
        assertEquals(
                PacketPlace.UNKNOWN,
                place(request(Opcode.RC_SEND_FIRST, 0, 256)).messageLength());
        assertEquals(512, place(request(Opcode.RC_SEND_MIDDLE, 1, 256)).messageBytes());
        assertEquals(600, place(request(Opcode.RC_SEND_LAST, 2, 88)).messageLength());
        PacketPlace again = place(request(Opcode.RC_SEND_MIDDLE, 1, 256));
        assertEquals(512, again.messageBytes());
        assertEquals(600, again.messageLength());
    }

    @Test
    void ofManyMessagesAResendBelongsToTheOneThatHoldsItsPsn() {
        for (int message = 0; message < 100; message++) {
            place(request(Opcode.RC_SEND_FIRST, 0xFFFF00 + 3 * message & 0xFFFFFF, 256));
            place(request(Opcode.RC_SEND_MIDDLE, 0xFFFF01 + 3 * message & 0xFFFFFF, 256));
            place(request(Opcode.RC_SEND_LAST, 0xFFFF02 + 3 * message & 0xFFFFFF, message + 4 & ~3));
        }
        PacketPlace middle = place(request(Opcode.RC_SEND_MIDDLE, 0xFFFF01 + 3 * 40, 256));
        assertEquals(512, middle.messageBytes());
        assertEquals(512 + 44, middle.messageLength());
        PacketPlace last = place(request(Opcode.RC_SEND_LAST, 2 + 3 * 90 - 0x100, 92));
        assertEquals(512 + 92, last.messageBytes());
        assertEquals(512 + 92, last.messageLength());
    }

    @Test
    void ofAMessageWhoseStartWasMissedNothingIsClaimed() {
        assertEquals(
                PacketPlace.UNKNOWN, place(request(Opcode.RC_SEND_LAST, 7, 88)).messageBytes());
        assertFalse(place(acknowledge(700, Syndrome.ACK_UNLIMITED, 1)).isKnown());
    }

    private List<String> findings() {
        return analyzer.findings().stream().map(Finding::line).toList();
    }

    private void findsOne(FindingKind kind, String part) {
        assertEquals(1, analyzer.findings().size(), findings().toString());
        assertEquals(kind, analyzer.findings().getFirst().kind());
        assertTrue(findings().getFirst().contains(part), findings().toString());
    }

    @Test
    void aNakSaysWhatIsMissingAndTheResendWhatAskedForIt() {
        send(0);
        send(2);
        findsOne(FindingKind.GAP, "PSN 1 is missing");
        place(acknowledge(1, Syndrome.NAK_PSN_SEQUENCE, 1));
        findsOne(FindingKind.NAK, "the responder expects PSN 1; missing in front of frame 2");
        PacketPlace resent = send(1);
        assertEquals(Resend.NAK, resent.resend());
        assertEquals(3, resent.cause());
        findsOne(FindingKind.RETRANSMISSION, "back to PSN 1: the NAK in frame 3 asked for it");
        assertEquals(Resend.NAK, send(2).resend());
        assertEquals(List.of(), findings());
        assertEquals(Resend.NONE, send(3).resend());
    }

    @Test
    void anRnrNakIsFollowedAndAnImpatientRequesterFound() {
        send(0);
        place(acknowledge(0, Syndrome.rnrNak(20), 0));
        findsOne(FindingKind.RNR, "no receive was posted for PSN 0 (frame 1): again after 10.24 ms at least");
        assertEquals(Resend.RNR, send(0).resend());
        assertEquals(
                List.of(FindingKind.RETRANSMISSION, FindingKind.RNR_TIMER),
                analyzer.findings().stream().map(Finding::kind).toList());
    }

    @Test
    void whatNobodyAskedForIsATimeoutWhereTimeWentBy() {
        send(0);
        RoceFrame again = request(Opcode.RC_SEND_ONLY, 0, 8);
        assertEquals(Resend.TIMEOUT, analyzer.packet(2, 70_000_000, again).resend());
        findsOne(FindingKind.RETRANSMISSION, "a timeout (inferred)");
    }

    @Test
    void whatWasAcknowledgedIsSentAgainInVain() {
        send(0);
        place(acknowledge(0, Syndrome.ACK_UNLIMITED, 1));
        analyzer.packet(3, 70_000_000, request(Opcode.RC_SEND_ONLY, 0, 8));
        findsOne(FindingKind.SPURIOUS_RETRANSMISSION, "frame 2 had acknowledged it");
    }

    @Test
    void aCopyOfTheNetworksIsNoResend() {
        send(0);
        assertEquals(
                Resend.COPY,
                analyzer.packet(2, 2_010_000, request(Opcode.RC_SEND_ONLY, 0, 8))
                        .resend());
        findsOne(FindingKind.DUPLICATE, "in frame 1 too");
    }

    @Test
    void aMissingResponseIsAnImpliedNak() {
        place(request(Opcode.RC_RDMA_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2500)));
        place(read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 10, 1024));
        place(read(Opcode.RC_RDMA_READ_RESPONSE_LAST, 12, 452));
        findsOne(FindingKind.RESPONSE_GAP, "the response PSN 1 to frame 1 is missing");
        PacketPlace rest = place(request(Opcode.RC_RDMA_READ_REQUEST, 11, 0, new Reth(0x1400, 7, 1476)));
        assertEquals(Resend.IMPLIED, rest.resend());
        assertEquals(3, rest.cause());
    }

    @Test
    void findsResponsesThatCannotBe() {
        send(0);
        place(acknowledge(0, Syndrome.ACK_UNLIMITED, 1));
        send(1);
        send(2);
        place(acknowledge(1, Syndrome.ACK_UNLIMITED, 0));
        findsOne(FindingKind.MSN_JUMP, "MSN 0 behind MSN 1 in frame 2: it never falls");
        place(acknowledge(3, Syndrome.ACK_UNLIMITED, 1));
        findsOne(FindingKind.ACK_AHEAD, "acknowledges PSN 3, which was not sent or not captured");
        place(acknowledge(2, 0x80, 3));
        findsOne(FindingKind.SYNDROME, "the syndrome 0x80 is reserved");
        place(acknowledge(1, Syndrome.NAK_REMOTE_ACCESS, 1));
        findsOne(FindingKind.NAK_FATAL, "NAK remote access error for PSN 1 (frame 3)");
    }

    @Test
    void findsRequestsThatBreakRules() {
        place(request(Opcode.RC_SEND_FIRST, 0, 256));
        place(request(Opcode.RC_SEND_MIDDLE, 1, 252));
        findsOne(FindingKind.PATH_MTU, "RC SEND_MIDDLE of 252 bytes: no path MTU");
        place(request(Opcode.RC_SEND_ONLY, 2, 8));
        findsOne(FindingKind.OPCODE_SEQUENCE, "RC SEND_ONLY within a message that is at RC SEND_MIDDLE");
        place(request(Opcode.RC_RDMA_WRITE_MIDDLE, 3, 252));
        assertTrue(findings().toString().contains("RC RDMA_WRITE_MIDDLE where no message is open"));
        place(request(Opcode.RC_RDMA_WRITE_ONLY, 4, 8, new Reth(0x1000, 7, 9)));
        assertTrue(
                findings().toString().contains("the WRITE has 8 bytes, its RETH says 9"),
                findings().toString());
    }

    @Test
    void holdsWhatWasAnnouncedAgainstWhatIsSent() {
        analyzer.announce(
                new Announcement(
                        TestFrames.LEFT,
                        TestFrames.RIGHT,
                        0x12,
                        0x11,
                        98,
                        1024,
                        4_000_000,
                        1,
                        7,
                        0x1000,
                        true,
                        "perftest",
                        1),
                0);
        assertEquals(2, send(100).missing());
        place(request(Opcode.RC_SEND_FIRST, 101, 512));
        findsOne(FindingKind.PATH_MTU, "full packets have 512 bytes, perftest had agreed on 1024");
        place(request(Opcode.RC_SEND_LAST, 102, 8));
        place(request(Opcode.RC_RDMA_READ_REQUEST, 103, 0, new Reth(0x1000, 8, 8)));
        findsOne(FindingKind.R_KEY_UNKNOWN, "R_Key 0x00000008; the perftest exchange named 0x00000007");
        place(request(Opcode.RC_RDMA_READ_REQUEST, 104, 0, new Reth(0x1000, 7, 8)));
        findsOne(FindingKind.READ_OVERCOMMIT, "2 READs and atomics outstanding, the responder takes 1");
        analyzer.packet(9, 50_000_000, request(Opcode.RC_RDMA_READ_REQUEST, 103, 0, new Reth(0x1000, 8, 8)));
        assertTrue(
                findings().toString().contains("T_tr is 4.000 ms"), findings().toString());
    }

    @Test
    void countsAreThoseOfTheFlow() {
        send(0);
        send(2);
        place(acknowledge(1, Syndrome.NAK_PSN_SEQUENCE, 1));
        send(1);
        send(2);
        place(acknowledge(2, Syndrome.ACK_UNLIMITED, 3));
        FlowFigures figures = analyzer.flows().getFirst().figures();
        assertEquals(4, figures.packets());
        assertEquals(2, figures.resent());
        assertEquals(1, figures.lost());
        assertEquals(1, figures.naks());
        assertEquals(1, figures.acks());
        assertEquals(16, figures.payloadBytes());
        assertEquals(0, figures.ackLatency().count(), "of a packet that was sent twice it is not known");
    }

    @Test
    void datagramsAreNeverResent() {
        RoceFrame datagram = request(Opcode.UD_SEND_ONLY, 5, 8, new Deth(1, 9));
        place(datagram);
        PacketPlace same = place(datagram);
        assertEquals(0, same.again());
        assertFalse(same.isLate());
    }

    private static RoceFrame read(int opcode, int psn, int payload) {
        return response(opcode, psn, payload, new Aeth(31, 1));
    }
}
