package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.rdma4j.testing.Fuzz;
import org.rdma4j.trace.Rule;
import org.rdma4j.vectors.Captures;

/** Messages of connection management, against those of Linux peers and against noise. */
class CmMadTest {

    private static final int FUZZ_INPUTS = 400_000;

    private static final int[] ATTRIBUTES = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A};

    /** The management datagrams of all captures. */
    private static Stream<byte[]> mads() {
        return Captures.all().stream()
                .flatMap(CaptureFrames::roceFrames)
                .filter(frame -> Bth.destQp(frame.segment(), frame.bthOffset()) == MadHeader.GSI_QPN)
                .map(frame -> ((Packet) frame.packet()).payload().toArray(NetworkOrder.BYTE));
    }

    private static ParsedMad parse(byte[] bytes) {
        return CmMad.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static <T extends CmMessage> T first(String capture, Class<T> type) {
        return CaptureFrames.roceFrames(Captures.named(capture))
                .filter(frame -> Bth.destQp(frame.segment(), frame.bthOffset()) == MadHeader.GSI_QPN)
                .map(frame -> parse(((Packet) frame.packet()).payload().toArray(NetworkOrder.BYTE)))
                .map(mad -> ((CmMad) mad).message())
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyMessageOfTheCapturesGivesItsBytesBack() {
        List<byte[]> mads = mads().toList();
        Map<String, Long> kinds = mads.stream()
                .collect(Collectors.groupingBy(
                        bytes -> assertInstanceOf(CmMad.class, parse(bytes))
                                .message()
                                .name(),
                        TreeMap::new,
                        Collectors.counting()));
        assertEquals(
                List.of("DREP", "DREQ", "REJ", "REP", "REQ", "RTU", "SIDR_REP", "SIDR_REQ"),
                List.copyOf(kinds.keySet()),
                () -> kinds.toString());
        for (byte[] bytes : mads) {
            assertArrayEquals(bytes, ((CmMad) parse(bytes)).toBytes());
        }
    }

    @Test
    void readsTheRequestOfRping() {
        CmReq req = first("rxe-rping.pcap", CmReq.class);
        assertEquals("TCP port 7174", PortSpace.words(req.serviceId()));
        assertEquals(1, req.responderResources());
        assertEquals(1, req.initiatorDepth());
        assertEquals(CmReq.RC, req.transportType());
        assertEquals(20, req.remoteResponseTimeout());
        assertEquals(20, req.localResponseTimeout());
        assertEquals(7, req.retryCount());
        assertEquals(7, req.rnrRetry());
        assertEquals(5, req.pathMtu());
        assertEquals(15, req.maxCmRetries());
        assertEquals(0xFFFF, req.pKey());
        assertEquals(0xFFFF, req.primaryPath().localLid());
        assertEquals(64, req.primaryPath().hopLimit());
        assertEquals(19, req.primaryPath().ackTimeout());
        assertEquals("::ffff:10.77.0.3", req.primaryPath().localGid().toString());
        assertEquals("::ffff:10.77.0.2", req.primaryPath().remoteGid().toString());
        assertEquals(CmPath.NONE, req.alternatePath());
        IpCmHeader header = IpCmHeader.parse(req.privateData());
        assertEquals(4, header.ipVersion());
        assertTrue(header.isKnown());
        assertEquals(req.primaryPath().localGid(), header.source());
        assertEquals(req.primaryPath().remoteGid(), header.destination());
        assertEquals(0, req.privateData().from(IpCmHeader.LENGTH).withoutFill().length());
    }

    @Test
    void readsTheRequestOfRpingOverIpv6() {
        CmReq req = first("rxe-ipv6-rping.pcap", CmReq.class);
        IpCmHeader header = IpCmHeader.parse(req.privateData());
        assertEquals(6, header.ipVersion());
        assertEquals("fd77::3", header.source().toString());
        assertEquals("fd77::2", header.destination().toString());
    }

    @Test
    void readsReplyAndReject() {
        CmReq req = first("rxe-rping.pcap", CmReq.class);
        CmRep rep = first("rxe-rping.pcap", CmRep.class);
        assertEquals(req.localCommId(), rep.remoteCommId());
        assertEquals(1, rep.responderResources());
        assertEquals(7, rep.rnrRetry());
        CmRej rej = first("rxe-cm-reject.pcap", CmRej.class);
        assertEquals("8 (invalid service ID: nobody listens there)", RejReason.words(rej.reason()));
        assertEquals(CmAnswered.REQ, rej.answered());
        assertEquals(0, rej.localCommId());
    }

    @Test
    void readsTheResolutionOfUdaddy() {
        CmSidrReq request = first("rxe-udaddy.pcap", CmSidrReq.class);
        CmSidrRep reply = first("rxe-udaddy.pcap", CmSidrRep.class);
        assertEquals("UDP port 7174", PortSpace.words(request.serviceId()));
        assertEquals(request.requestId(), reply.requestId());
        assertEquals(SidrStatus.VALID.number(), reply.status());
        assertEquals(0x0123_4567, reply.qKey());
        assertTrue(reply.qpn() > 1);
    }

    @Property
    void everyMessageGivesItsFieldsBack(@ForAll @Size(MadHeader.MAD_LENGTH) byte[] bytes) {
        for (int attribute : ATTRIBUTES) {
            byte[] wire = bytes.clone();
            MadHeader.cm(5, attribute, 0x1234_5678).emit(MemorySegment.ofArray(wire), 0);
            CmMad mad = assertInstanceOf(CmMad.class, parse(wire));
            byte[] emitted = mad.toBytes();
            assertEquals(mad, parse(emitted));
            // What is not kept are reserved bits, so nothing is there that was not there before.
            for (int at = 0; at < emitted.length; at++) {
                assertEquals(emitted[at] & wire[at] & 0xFF, emitted[at] & 0xFF, "byte " + at + " of " + mad.message());
            }
        }
    }

    @Test
    void messagesNeverSeenOnTheWireHaveTheirFieldsWhereTheStandardPutsThem() {
        CmPath path = new CmPath(1, 2, new Gid(3, 4), new Gid(5, 6), 0xFFFFF, 0x3F, 0xFF, 0xFF, 0xF, true, 0x1F);
        CmLap lap = new CmLap(0xA, 0xB, 0xFFFFFF, 0x1F, path, PrivateData.of(new byte[] {9}));
        assertEquals(
                "0000000a 0000000b 00000000 fffffff8 00000000 0001 0002"
                        + " 0000000000000003 0000000000000004 0000000000000005 0000000000000006"
                        + " fffff0ff ff 3f f8 f8 09",
                spaced(lap, 65, 4, 4, 4, 4, 4, 2, 2, 8, 8, 8, 8, 4, 1, 1, 1, 1, 1));
        CmMra mra = new CmMra(1, 2, CmAnswered.OTHER, 0x1F, PrivateData.of(new byte[] {7}));
        assertEquals("00000001 00000002 80 f8 07", spaced(mra, 11, 4, 4, 1, 1, 1));
        CmApr apr = new CmApr(1, 2, 3, CmApr.UNSUPPORTED, PrivateData.of(new byte[] {8}), PrivateData.EMPTY);
        assertEquals("00000001 00000002 03 02 0000 08", spaced(apr, 13, 4, 4, 1, 1, 2, 1));
    }

    private static String spaced(CmMessage message, int length, int... widths) {
        byte[] bytes = new byte[CmMessage.LENGTH];
        message.emit(MemorySegment.ofArray(bytes), 0);
        String digits = Hex.of(bytes).substring(0, 2 * length);
        List<String> words = new ArrayList<>();
        int at = 0;
        for (int width : widths) {
            words.add(digits.substring(2 * at, 2 * (at + width)));
            at += width;
        }
        assertEquals(length, at);
        return String.join(" ", words);
    }

    @Test
    void refusesOtherVersionsMethodsAndLengths() {
        byte[] good = mads().findFirst().orElseThrow();
        assertEquals(Rule.MAD_VERSION, refusal(good, MadHeader.BASE_VERSION_OFFSET, 2));
        assertEquals(Rule.MAD_VERSION, refusal(good, MadHeader.CLASS_VERSION_OFFSET, 1));
        assertEquals(Rule.MAD_METHOD, refusal(good, MadHeader.METHOD_OFFSET, 0x81));
        assertEquals(Rule.MAD_METHOD, refusal(good, MadHeader.STATUS_OFFSET + 1, 4));
        assertEquals(Rule.MAD_LENGTH, ((Malformed) CmMad.parse(MemorySegment.ofArray(good), 0, 255)).rule());
        byte[] other = good.clone();
        other[MadHeader.MANAGEMENT_CLASS_OFFSET] = 0x03;
        assertEquals(
                "SubnAdm Send attribute 0x0010",
                assertInstanceOf(OtherMad.class, parse(other)).what());
    }

    private static Rule refusal(byte[] good, int offset, int value) {
        byte[] bytes = good.clone();
        bytes[offset] = (byte) value;
        return assertInstanceOf(Malformed.class, parse(bytes)).rule();
    }

    @Test
    void refusesPrivateDataThatIsTooLong() {
        byte[] target = new byte[CmMessage.LENGTH];
        CmRtu fits = new CmRtu(1, 2, PrivateData.of(new byte[CmRtu.PRIVATE_DATA_LENGTH]));
        fits.emit(MemorySegment.ofArray(target), 0);
        CmRtu tooLong = new CmRtu(1, 2, PrivateData.of(new byte[CmRtu.PRIVATE_DATA_LENGTH + 1]));
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> tooLong.emit(MemorySegment.ofArray(target), 0));
        assertEquals("225 bytes of private data, the message has room for 224", refusal.getMessage());
    }

    @Test
    void noiseAndDamageGiveValues() {
        int[] seen = new int[3];
        List<byte[]> corpus = new ArrayList<>(mads().toList());
        Random random = new Random(4791);
        for (int attribute : ATTRIBUTES) {
            byte[] bytes = new byte[MadHeader.MAD_LENGTH];
            random.nextBytes(bytes);
            MadHeader.cm(1, attribute, 0).emit(MemorySegment.ofArray(bytes), 0);
            corpus.add(bytes);
        }
        new Fuzz(corpus, MadHeader.MAD_LENGTH + 8).run(FUZZ_INPUTS, input -> {
            switch (CmMad.parse(MemorySegment.ofArray(input), 0, input.length)) {
                case CmMad mad -> {
                    seen[0]++;
                    assertEquals(mad, parse(mad.toBytes()));
                    assertNotNull(mad.toString());
                    if (mad.message() instanceof CmReq req) {
                        assertNotNull(IpCmHeader.parse(req.privateData()));
                    }
                }
                case OtherMad _ -> seen[1]++;
                case Malformed _ -> seen[2]++;
            }
        });
        assertTrue(seen[0] > 0 && seen[1] > 0 && seen[2] > 0, "every kind of answer was given");
    }
}
