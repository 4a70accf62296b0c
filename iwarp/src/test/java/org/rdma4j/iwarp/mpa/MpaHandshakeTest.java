package org.rdma4j.iwarp.mpa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Hex;
import org.rdma4j.iwarp.wire.MpaFrame;

class MpaHandshakeTest {

    private static final MpaSettings PLAIN = MpaSettings.defaults();
    private static final byte[] NOTHING = {};

    private static byte[] sent(MpaHandshake side) {
        ByteBuffer out = side.toSend();
        byte[] bytes = new byte[out.remaining()];
        out.get(bytes);
        return bytes;
    }

    /** Feeds bytes in one chunk. @return how many were taken */
    private static int feed(MpaHandshake side, byte[] bytes) {
        return side.feed(MemorySegment.ofArray(bytes), 0, bytes.length, 1);
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] hex(String digits) {
        return bytes(Hex.segment(digits));
    }

    /** Two ends that have told each other everything, the responder's yes with these depths. */
    private static MpaHandshake[] connected(MpaSettings client, MpaSettings server, int ird, int ord) {
        MpaHandshake initiator = MpaHandshake.initiator(client, NOTHING, 0);
        MpaHandshake responder = MpaHandshake.responder(server, 0);
        feed(responder, sent(initiator));
        assertEquals(MpaState.AWAITS_DECISION, responder.state(), () -> "" + responder.refusal());
        responder.accept(ird, ord, NOTHING);
        feed(initiator, sent(responder));
        return new MpaHandshake[] {initiator, responder};
    }

    @Test
    void saysWhatRpingSaysAndTakesWhatSiwAnswers() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withDepths(1, 1), NOTHING, 0);
        assertEquals("4d504120494420526571204672616d65100200040001" + "0001", Hex.of(sent(initiator)));
        assertEquals(24, feed(initiator, hex("4d504120494420526570204672616d65 1002 0004 0001 0001")));
        assertEquals(MpaState.ESTABLISHED, initiator.state());
        assertTrue(initiator.maySend());
        assertEquals(1, initiator.ird());
        assertEquals(1, initiator.ord());
        assertFalse(initiator.crc());
        assertNull(initiator.rtr());
        assertEquals(MpaHandshake.NEVER, initiator.nextDeadline());
    }

    @Test
    void thePrivateDataOfBothArrives() {
        byte[] question = "who is there?".getBytes(StandardCharsets.US_ASCII);
        byte[] answer = "me".getBytes(StandardCharsets.US_ASCII);
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, question, 0);
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, sent(initiator));
        assertArrayEquals(question, bytes(responder.privateData()));
        responder.accept(4, 4, answer);
        feed(initiator, sent(responder));
        assertArrayEquals(answer, bytes(initiator.privateData()));
    }

    @ParameterizedTest
    @DisplayName("MPA-03: private data fills the frame and no more")
    @CsvSource({"true, 508", "false, 512"})
    void privateDataFillsTheFrame(boolean enhanced, int room) {
        assertEquals(room, MpaHandshake.maxPrivateData(enhanced));
        MpaSettings settings = PLAIN.withEnhanced(enhanced);
        MpaHandshake initiator = MpaHandshake.initiator(settings, new byte[room], 0);
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        byte[] request = sent(initiator);
        assertEquals(MpaFrame.MAX_LENGTH, request.length);
        feed(responder, request);
        assertEquals(room, responder.privateData().byteSize());
        responder.accept(1, 1, new byte[room]);
        feed(initiator, sent(responder));
        assertEquals(room, initiator.privateData().byteSize());
        assertThrows(IllegalArgumentException.class, () -> MpaHandshake.initiator(settings, new byte[room + 1], 0));
    }

    @Test
    @DisplayName("MPA-11: frames arrive byte by byte")
    void framesArriveByteByByte() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, new byte[] {1, 2, 3}, 0);
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        for (byte b : sent(initiator)) {
            assertEquals(MpaState.AWAITS_REQUEST, responder.state());
            assertEquals(1, feed(responder, new byte[] {b}));
        }
        responder.accept(1, 1, NOTHING);
        for (byte b : sent(responder)) {
            assertEquals(MpaState.AWAITS_REPLY, initiator.state());
            assertEquals(1, feed(initiator, new byte[] {b}));
        }
        assertEquals(MpaState.ESTABLISHED, initiator.state());
    }

    @Test
    @DisplayName("MPA-11: what lies behind the reply belongs to the stream")
    void whatLiesBehindTheReplyBelongsToTheStream() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        byte[] reply = hex("4d504120494420526570204672616d65 1002 0004 0001 0001" + "0012 4143");
        assertEquals(24, feed(initiator, reply));
        assertFalse(initiator.takesFrames());
        assertEquals(0, feed(initiator, reply));
    }

    @ParameterizedTest
    @DisplayName("MPA-04: CRCs are used where either side asks, or by the rule of siw")
    @CsvSource({
        // asked by the request, wanted by the responder, its rule, the initiator's: used or refused
        "false, false, RFC, RFC, false",
        "true,  false, RFC, RFC, true",
        "false, true,  RFC, RFC, true",
        "true,  true,  RFC, RFC, true",
        "true,  false, SIW, SIW, true",
        "false, true,  SIW, SIW, false",
        "false, true,  SIW, RFC, false",
        "true,  true,  SIW, RFC, true",
    })
    void crcsAreUsedByTheRule(boolean asked, boolean wanted, CrcRule rule, CrcRule initiatorRule, boolean used) {
        MpaHandshake[] ends = connected(PLAIN.withCrc(asked, initiatorRule), PLAIN.withCrc(wanted, rule), 1, 1);
        assertEquals(used, ends[0].crc());
        assertEquals(used, ends[1].crc());
    }

    @Test
    @DisplayName("MPA-04: under the rule of siw a reply without the flag is refused")
    void underSiwsRuleAReplyWithoutTheFlagIsRefused() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withCrc(true, CrcRule.SIW), NOTHING, 0);
        feed(initiator, hex("4d504120494420526570204672616d65 1002 0004 0001 0001"));
        assertEquals(MpaRefusal.CRC_REFUSED, initiator.refusal());
        MpaHandshake byTheRfc = MpaHandshake.initiator(PLAIN.withCrc(true, CrcRule.RFC), NOTHING, 0);
        feed(byTheRfc, hex("4d504120494420526570204672616d65 1002 0004 0001 0001"));
        assertTrue(byTheRfc.crc());
    }

    @ParameterizedTest
    @DisplayName("MPA-06: each direction has markers where its receiver asks for them")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void eachDirectionHasMarkersWhereItsReceiverAsks(boolean client, boolean server) {
        MpaHandshake[] ends = connected(PLAIN.withMarkers(client, true), PLAIN.withMarkers(server, true), 1, 1);
        assertEquals(client, ends[1].sendsMarkers());
        assertEquals(client, ends[0].receivesMarkers());
        assertEquals(server, ends[0].sendsMarkers());
        assertEquals(server, ends[1].receivesMarkers());
    }

    @Test
    @DisplayName("MPA-06: who sends no markers rejects the request, as siw does")
    void whoSendsNoMarkersRejectsTheRequestAsSiwDoes() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN.withMarkers(false, false), 0);
        feed(responder, sent(MpaHandshake.initiator(PLAIN.withMarkers(true, true), NOTHING, 0)));
        assertEquals(MpaRefusal.MARKERS_UNSUPPORTED, responder.refusal());
        assertEquals("4d504120494420526570204672616d65300200040000" + "0000", Hex.of(sent(responder)));
    }

    @Test
    @DisplayName("MPA-18: ORD is what the other side takes on, where that is less")
    void depthsAreTheLowerOfBoth() {
        MpaHandshake[] ends = connected(PLAIN.withDepths(16, 40), PLAIN, 8, 64);
        assertEquals(16, ends[0].ird());
        assertEquals(8, ends[0].ord());
        assertEquals(8, ends[1].ird());
        assertEquals(16, ends[1].ord());
        assertTrue(ends[0].isNegotiated() && ends[1].isNegotiated());
    }

    @Test
    @DisplayName("MPA-18: a responder that wants more READs than fit is refused by a Terminate, MPA 6")
    void aResponderThatWantsMoreReadsThanFitIsRefusedByATerminate() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withDepths(4, 4), NOTHING, 0);
        feed(initiator, hex("4d504120494420526570204672616d65 1002 0004 0004 0005"));
        assertEquals(MpaRefusal.INSUFFICIENT_IRD, initiator.refusal());
        assertEquals(6, initiator.refusal().terminateCode().errorCode());
    }

    @Test
    @DisplayName("MPA-18: a depth of all ones is none")
    void aDepthOfAllOnesIsNoDepth() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withDepths(4, 4), NOTHING, 0);
        feed(initiator, hex("4d504120494420526570204672616d65 1002 0004 3fff 3fff"));
        assertEquals(MpaState.ESTABLISHED, initiator.state());
        assertEquals(4, initiator.ord());
        assertThrows(IllegalArgumentException.class, () -> PLAIN.withDepths(EnhancedData.UNNEGOTIATED, 1));
    }

    @ParameterizedTest
    @DisplayName("MPA-19: a peer-to-peer connection starts with the message that both know")
    @EnumSource(RtrKind.class)
    void aPeerToPeerConnectionStartsWithTheMessageThatBothKnow(RtrKind kind) {
        MpaSettings client = PLAIN.withPeerToPeer(true);
        MpaHandshake[] ends = connected(client, PLAIN.withRtrKinds(Set.of(kind)), 1, 1);
        assertEquals(kind, ends[0].rtr());
        assertEquals(kind, ends[1].rtr());
        assertEquals(MpaState.ESTABLISHED, ends[0].state());
        assertFalse(ends[1].maySend());
    }

    @Test
    @DisplayName("MPA-19: of several messages the Write is chosen, then the Read")
    void ofSeveralTheWriteIsChosenThenTheRead() {
        MpaSettings client = PLAIN.withPeerToPeer(true);
        assertEquals(RtrKind.WRITE, connected(client, PLAIN, 1, 1)[0].rtr());
        Set<RtrKind> others = Set.of(RtrKind.READ, RtrKind.SEND);
        assertEquals(RtrKind.READ, connected(client.withRtrKinds(others), PLAIN, 1, 1)[0].rtr());
    }

    @Test
    @DisplayName("MPA-19: with none in common the initiator terminates, MPA 7")
    void withNoneInCommonTheInitiatorTerminates() {
        MpaSettings client = PLAIN.withPeerToPeer(true).withRtrKinds(Set.of(RtrKind.SEND));
        MpaHandshake[] ends = connected(client, PLAIN.withRtrKinds(Set.of(RtrKind.WRITE, RtrKind.READ)), 1, 1);
        assertEquals(MpaRefusal.NO_MATCHING_RTR, ends[0].refusal());
        assertEquals(7, ends[0].refusal().terminateCode().errorCode());
    }

    @Test
    @DisplayName("MPA-19: a reply that is not peer-to-peer does not answer a request that is")
    void aReplyThatIsNotPeerToPeerDoesNotAnswerOneThatIs() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withPeerToPeer(true), NOTHING, 0);
        feed(initiator, hex("4d504120494420526570204672616d65 1002 0004 0001 0001"));
        assertEquals(MpaRefusal.NO_MATCHING_RTR, initiator.refusal());
    }

    @ParameterizedTest
    @DisplayName("MPA-19: the responder takes the message that was agreed on and no other")
    @CsvSource({
        "WRITE, c140 00000000 0000000000000000",
        "READ, 4141 00000000 00000001 00000001 00000000 00000000 0000000000000000 00000000 00000000 0000000000000000",
        "SEND, 4143 00000000 00000000 00000001 00000000",
        "SEND, ''",
    })
    void theResponderKnowsTheMessageThatStartsIt(RtrKind kind, String message) {
        MemorySegment ulpdu = Hex.segment(message);
        for (RtrKind agreed : RtrKind.values()) {
            MpaHandshake responder = connected(PLAIN.withPeerToPeer(true), PLAIN.withRtrKinds(Set.of(agreed)), 1, 1)[1];
            boolean right = responder.onFirstUlpdu(ulpdu, 0, (int) ulpdu.byteSize());
            assertEquals(agreed == kind, right, () -> agreed + " was agreed");
            assertEquals(right, responder.maySend());
            assertEquals(right ? null : MpaRefusal.WRONG_RTR, responder.refusal());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "c140 00000000 0000000000000000 11",
        "8140 00000000 0000000000000000",
        "4143 00000000 00000000 00000001 00000000 11",
        "4141 00000000 00000001 00000001 00000000 00000000 0000000000000000 00000001 00000000 0000000000000000",
        "41",
    })
    void aMessageOfSomeBytesDoesNotStartIt(String message) {
        MemorySegment ulpdu = Hex.segment(message);
        for (RtrKind kind : RtrKind.values()) {
            assertFalse(kind.matches(ulpdu, 0, (int) ulpdu.byteSize()), kind.name());
        }
    }

    @Test
    @DisplayName("MPA-09: the responder is silent until the first FPDU, unless told otherwise")
    void theResponderIsSilentUntilTheFirstFpdu() {
        MpaHandshake responder = connected(PLAIN, PLAIN, 1, 1)[1];
        assertEquals(MpaState.AWAITS_FIRST_FPDU, responder.state());
        assertFalse(responder.maySend());
        assertTrue(responder.onFirstUlpdu(Hex.segment("4143"), 0, 2));
        assertTrue(responder.maySend());
        assertTrue(connected(PLAIN, PLAIN.withSendsFirst(true), 1, 1)[1].maySend());
    }

    @Test
    @DisplayName("MPA-07: a no arrives with its private data")
    void theApplicationsNoArrivesWithItsReason() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, sent(initiator));
        responder.reject("full".getBytes(StandardCharsets.US_ASCII));
        assertEquals(MpaRefusal.REJECTED, responder.refusal());
        feed(initiator, sent(responder));
        assertEquals(MpaRefusal.REJECTED_BY_PEER, initiator.refusal());
        assertArrayEquals("full".getBytes(StandardCharsets.US_ASCII), bytes(initiator.privateData()));
    }

    @ParameterizedTest
    @DisplayName("MPA-02: revisions 1 and 2 are answered with the same, others are closed")
    @CsvSource({
        "0, REVISION, false",
        "1, , false",
        "2, , false",
        "3, REVISION, false",
        "1, , true",
        "2, REVISION, true",
    })
    void theResponderSpeaksTheRevisionsItKnows(int revision, MpaRefusal refusal, boolean old) {
        byte[] request = new byte[MpaFrame.LENGTH];
        MpaFrame.write(MemorySegment.ofArray(request), 0, true, false, false, false, false, revision, 0);
        MpaHandshake responder = MpaHandshake.responder(PLAIN.withEnhanced(!old), 0);
        feed(responder, request);
        assertEquals(refusal, responder.refusal());
        if (refusal == null) {
            responder.accept(1, 1, NOTHING);
            assertFalse(responder.isNegotiated());
            assertEquals(revision, MpaFrame.revision(MemorySegment.ofArray(sent(responder)), 0));
        }
    }

    @Test
    @DisplayName("MPA-20: the S flag of revision 1 is a reserved bit")
    void theSFlagOfRevision1IsAReservedBit() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, hex("4d504120494420526571204672616d65 1001 0002 aabb"));
        assertEquals(2, responder.privateData().byteSize());
        assertNull(responder.peerData());
        responder.accept(1, 1, NOTHING);
        assertEquals("4d504120494420526570204672616d65" + "00010000", Hex.of(sent(responder)));
    }

    @Test
    @DisplayName("MPA-20: an enhanced request too short for its data is rejected")
    void anEnhancedRequestTooShortForItsDataIsRejected() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, hex("4d504120494420526571204672616d65 1002 0003 aabbcc"));
        assertEquals(MpaRefusal.ENHANCED_DATA_MISSING, responder.refusal());
        assertTrue(MpaFrame.rejected(MemorySegment.ofArray(sent(responder)), 0));
    }

    @ParameterizedTest
    @DisplayName("MPA-03, MPA-20: a reply that promises too much or is not enhanced is refused")
    @CsvSource({
        "4d504120494420526570204672616d65 0002 0000, NOT_ENHANCED",
        "4d504120494420526570204672616d65 1001 0004 0001 0001, NOT_ENHANCED",
        "4d504120494420526570204672616d65 1002 0002 0001, ENHANCED_DATA_MISSING",
        "4d504120494420526570204672616d65 1003 0004 0001 0001, REVISION",
        "4d504120494420526570204672616d65 1002 0201, PRIVATE_DATA_TOO_LONG",
        "4d504120494420526571204672616d65, TWO_REQUESTS",
        "485454502f312e3120, NOT_MPA",
    })
    void aReplyThatDoesNotAnswerIsRefused(String reply, MpaRefusal refusal) {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        feed(initiator, hex(reply));
        assertEquals(refusal, initiator.refusal());
    }

    @Test
    @DisplayName("MPA-10: two sides that both ask both close")
    void twoSidesThatBothAskBothClose() {
        MpaHandshake one = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        MpaHandshake other = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        feed(one, sent(other));
        assertEquals(MpaRefusal.TWO_REQUESTS, one.refusal());
        assertEquals(0, one.toSend().limit() - MpaFrame.LENGTH - EnhancedData.LENGTH, "no more than its request");
    }

    @Test
    @DisplayName("MPA-01: what has not the key is known by its first wrong byte, and closed without an answer")
    void anHttpClientIsKnownByItsFirstByte() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        assertEquals(MpaRefusal.NOT_MPA, responder.refusal());
        assertEquals(0, sent(responder).length);
        MpaHandshake other = MpaHandshake.responder(PLAIN, 0);
        feed(other, "G".getBytes(StandardCharsets.US_ASCII));
        assertEquals(MpaRefusal.NOT_MPA, other.refusal());
        MpaHandshake third = MpaHandshake.responder(PLAIN, 0);
        feed(third, hex("4d504120494420526570")); // a reply's key
        assertEquals(MpaRefusal.NOT_MPA, third.refusal());
    }

    @ParameterizedTest
    @DisplayName("MPA-08: bytes behind a request that is not answered yet are refused")
    @CsvSource({"true", "false"})
    void bytesBehindTheRequestAreRefusedBeforeItIsAnswered(boolean sameChunk) {
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        byte[] request = sent(MpaHandshake.initiator(PLAIN, NOTHING, 0));
        if (sameChunk) {
            byte[] more = Arrays.copyOf(request, request.length + 1);
            feed(responder, more);
        } else {
            feed(responder, request);
            feed(responder, new byte[] {0});
        }
        assertEquals(MpaRefusal.EARLY_DATA, responder.refusal());
        assertThrows(IllegalStateException.class, () -> responder.accept(1, 1, NOTHING));
    }

    @Test
    @DisplayName("MPA-03, MPA-17: private data that never comes runs into the deadline")
    void privateDataThatLiesAboutItsLengthRunsIntoTheDeadline() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN.withTimeouts(100, 100), 0);
        feed(responder, hex("4d504120494420526571204672616d65 1002 0040 0001 0001"));
        assertEquals(MpaState.AWAITS_REQUEST, responder.state());
        assertEquals(100, responder.nextDeadline());
        responder.onTime(99);
        assertEquals(MpaState.AWAITS_REQUEST, responder.state());
        responder.onTime(100);
        assertEquals(MpaRefusal.REQUEST_TIMEOUT, responder.refusal());
    }

    @Test
    @DisplayName("MPA-17: a drip of bytes does not move the deadline")
    void aDripOfBytesDoesNotMoveTheDeadline() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN.withTimeouts(10, 10), 0);
        byte[] request = sent(MpaHandshake.initiator(PLAIN, NOTHING, 0));
        int now = 0;
        while (responder.state() == MpaState.AWAITS_REQUEST) {
            responder.feed(MemorySegment.ofArray(request), now, 1, now);
            now++;
        }
        assertEquals(MpaRefusal.REQUEST_TIMEOUT, responder.refusal());
        assertEquals(11, now);
    }

    @Test
    @DisplayName("MPA-17: without a reply the initiator gives up")
    void withoutAReplyTheInitiatorGivesUp() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN.withTimeouts(5, 70), NOTHING, 30);
        assertEquals(100, initiator.nextDeadline());
        initiator.onTime(100);
        assertEquals(MpaRefusal.REPLY_TIMEOUT, initiator.refusal());
        assertEquals(MpaHandshake.NEVER, initiator.nextDeadline());
    }

    @Test
    void theApplicationMayTakeItsTime() {
        MpaHandshake responder = MpaHandshake.responder(PLAIN, 0);
        feed(responder, sent(MpaHandshake.initiator(PLAIN, NOTHING, 0)));
        assertEquals(MpaHandshake.NEVER, responder.nextDeadline());
        responder.onTime(Long.MAX_VALUE - 1);
        assertEquals(MpaState.AWAITS_DECISION, responder.state());
    }

    @Test
    @DisplayName("MPA-21: a close during connection setup is told as one")
    void aCloseBeforeTheEndIsARefusalAndLaterItIsNone() {
        MpaHandshake initiator = MpaHandshake.initiator(PLAIN, NOTHING, 0);
        initiator.onClosed();
        assertEquals(MpaRefusal.CLOSED, initiator.refusal());
        MpaHandshake abandoned = MpaHandshake.responder(PLAIN, 0);
        abandoned.abandon();
        assertEquals(MpaRefusal.ABANDONED, abandoned.refusal());
        MpaHandshake established = connected(PLAIN, PLAIN, 1, 1)[0];
        established.onClosed();
        established.abandon();
        assertEquals(MpaState.ESTABLISHED, established.state());
    }
}
