package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** Group TRM: how streams end (RFC 5040, 4.8, 5.4 and 6). */
class StreamEndTest extends RdmapScene {

    private boolean crc;

    @Override
    MpaSettings settings() {
        return MpaSettings.defaults().withCrc(crc, CrcRule.RFC);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private AsyncEventType event() throws InterruptedException {
        AsyncEvent event = device.device.getAsyncEvent(Duration.ZERO);
        return event == null ? null : event.type();
    }

    @Test
    @DisplayName("TRM-01: behind a Terminate no FPDU follows, whatever is posted")
    void nothingBehindATerminate() {
        peerConnects();
        Ulpdu wrong = Ulpdu.write(region.rKey() ^ 0x7F00, region.address(), bytes(8, 1));
        sends(wrong);
        device.qp.postSend(request(WrOpcode.SEND, 1).sge(region, 0, 8));
        settle();
        terminates(TerminateCode.DDP_TAGGED_INVALID_STAG, wrong);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-01: a message that is under way ends with the FPDU that is, and the Terminate behind it")
    void cutsAMessage() {
        deviceConnects();
        network.withBuffer(700); // not one whole FPDU
        device.qp.postSend(request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, BYTES).remote(0x7000, 0x1234));
        device.device.progress(); // the peer takes nothing yet
        Ulpdu wrong = Ulpdu.write(region.rKey() ^ 0x7F00, region.address(), bytes(8, 1));
        sends(wrong);
        byte[] first = peer.next();
        assertEquals(RdmapOpcode.WRITE, first[1] & 0xF);
        assertEquals(0, first[0] & 0x40, "it was not the last segment");
        terminates(TerminateCode.DDP_TAGGED_INVALID_STAG, wrong);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-02: a damaged FPDU is told as such, without a word of its headers, and nothing is placed")
    void crc() {
        crc = true;
        peer.useCrc();
        peerConnects();
        byte[] fpdu = peer.fpdu(
                Ulpdu.write(region.rKey(), region.address(), bytes(8, 1)).bytes());
        fpdu[20] ^= 1;
        peer.sendRaw(fpdu);
        settle();
        terminates(TerminateCode.MPA_CRC, null);
        assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({
        // By the RFC, and the same as siw sends it.
        "01020000, RDMAP_ACCESS",
        "10020000, RDMAP_ACCESS",
        "20000000, DDP_CATASTROPHIC_NOT"
    })
    @DisplayName("TRM-03: a Terminate is an event and the end of everything posted, and nothing answers it")
    void receivesATerminate(String message, String name) throws InterruptedException {
        receives(1, 0, 64);
        deviceConnects();
        device.qp.postSend(request(WrOpcode.RDMA_READ, 2).sge(region, 0, 8).remote(0x7000, 0x1234));
        settle();
        peer.next();
        sends(terminate(hex(message)));
        isOver(ConnectionEnd.Reason.TERMINATED_BY_PEER, name.endsWith("NOT") ? null : TerminateCode.valueOf(name));
        assertEquals(AsyncEventType.QP_FATAL, event());
        completes(2, WcStatus.WR_FLUSH_ERR);
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertNull(peer.next());
        assertTrue(peer.ended);
    }

    @Test
    @DisplayName("TRM-03: where it is about a Read, that Read says so, and those before it are flushed")
    void blamesTheRead() {
        deviceConnects();
        for (int id = 1; id <= 2; id++) {
            device.qp.postSend(request(WrOpcode.RDMA_READ, id).sge(region, 0, 8).remote(0x7000, 0x1234));
        }
        device.qp.postSend(request(WrOpcode.SEND, 3).sge(region, 0, 8));
        settle();
        peer.next();
        byte[] second = peer.next();
        // siw's: etype and layer changed about, the header flags in the low bits, the length that of the payload.
        byte[] message = new byte[6 + second.length];
        System.arraycopy(hex("10 00 07 00 00 00"), 0, message, 0, 6);
        System.arraycopy(second, 0, message, 6, second.length);
        sends(terminate(message));
        completes(1, WcStatus.WR_FLUSH_ERR);
        completes(2, WcStatus.REM_ACCESS_ERR);
        completes(3, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-04: of two errors the first is told")
    void firstErrorWins() {
        peerConnects();
        Ulpdu first = Ulpdu.write(region.rKey() ^ 0x7F00, region.address(), bytes(8, 1));
        peer.send(first);
        peer.send(Ulpdu.send(9, bytes(8, 1)));
        settle();
        terminates(TerminateCode.DDP_TAGGED_INVALID_STAG, first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "010200", "FFFFFFFF", "0102E000", "0102E0000010", "0102C000000041"})
    @DisplayName("TRM-05: a Terminate that is cut short or means nothing ends the stream all the same")
    void malformed(String message) {
        receives(1, 0, 64);
        deviceConnects();
        device.qp.postSend(request(WrOpcode.RDMA_READ, 2).sge(region, 0, 8).remote(0x7000, 0x1234));
        settle();
        peer.next();
        sends(terminate(hex(message)), terminate(hex(message)));
        assertEquals(QpState.ERR, device.qp.state());
        assertEquals(1, device.ends.size());
        assertEquals(
                ConnectionEnd.Reason.TERMINATED_BY_PEER, device.ends.getFirst().reason());
        completes(2, WcStatus.WR_FLUSH_ERR);
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertNull(peer.next());
    }

    @Test
    @DisplayName("TRM-06: who ends in order sends what was posted, no Terminate, and waits for the peer's end")
    void gracefulClose() throws InterruptedException {
        receives(1, 0, 64);
        deviceConnects();
        device.qp.postSend(request(WrOpcode.SEND, 2).sge(region, 0, 8));
        device.device.control(device.connection::disconnect);
        settle();
        assertEquals(UntaggedHeader.SEND_QUEUE, UntaggedHeader.queueNumber(MemorySegment.ofArray(peer.next()), 0));
        assertNull(peer.next());
        assertTrue(peer.ended);
        assertEquals(QpState.SQD, device.qp.state());
        completes(2, WcStatus.SUCCESS);
        completesNothing();
        sends(Ulpdu.send(1, bytes(8, 1))); // the peer has not ended: what it sends still arrives
        completes(1, WcStatus.SUCCESS);
        receives(3, 0, 64);
        peer.finish();
        settle();
        isOver(ConnectionEnd.Reason.DISCONNECTED, null);
        completes(3, WcStatus.WR_FLUSH_ERR);
        assertNull(event());
    }

    @Test
    @DisplayName("TRM-06: a peer that does not end its stream does not keep this side waiting")
    void peerDoesNotClose() {
        receives(1, 0, 64);
        deviceConnects();
        device.device.control(device.connection::disconnect);
        settle();
        assertEquals(QpState.SQD, device.qp.state());
        pass(2_000_000_001L);
        isOver(ConnectionEnd.Reason.DISCONNECTED, null);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-06: a peer that ends in order takes everything with it, and this side ends too")
    void peerCloses() {
        receives(1, 0, 64);
        deviceConnects();
        peer.finish();
        settle();
        isOver(ConnectionEnd.Reason.DISCONNECTED, null);
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertNull(peer.next());
        assertTrue(peer.ended);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 27})
    @DisplayName("TRM-06: one that ends in the middle of a FPDU has lost the stream, and no message is half complete")
    void closedInsideAFpdu(int length) {
        receives(1, 0, 64);
        deviceConnects();
        byte[] fpdu = peer.fpdu(Ulpdu.send(1, bytes(8, 1)).bytes());
        peer.sendRaw(java.util.Arrays.copyOf(fpdu, length));
        peer.finish();
        settle();
        isOver(ConnectionEnd.Reason.LOST, null);
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertUntouched();
    }

    @Test
    @DisplayName("TRM-06: so has one that ends between the segments of a message")
    void closedInsideAMessage() {
        receives(1, 0, 64);
        deviceConnects();
        sends(Ulpdu.untagged(RdmapOpcode.SEND, false, UntaggedHeader.SEND_QUEUE, 1, 0, bytes(8, 1)));
        peer.finish();
        settle();
        isOver(ConnectionEnd.Reason.LOST, null);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-06: and one that breaks it")
    void reset() {
        receives(1, 0, 64);
        deviceConnects();
        device.qp.postSend(request(WrOpcode.RDMA_READ, 2).sge(region, 0, 8).remote(0x7000, 0x1234));
        settle();
        peer.reset();
        settle();
        isOver(ConnectionEnd.Reason.LOST, null);
        completes(2, WcStatus.WR_FLUSH_ERR);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR", "RESET"})
    @DisplayName("TRM-06: a queue pair that its owner takes away ends its connection")
    void abandoned(QpState state) {
        receives(1, 0, 64);
        deviceConnects();
        device.qp.modify(new QpAttributes().state(state));
        settle();
        assertEquals(state, device.qp.state());
        assertEquals(ConnectionEnd.Reason.ABANDONED, device.ends.getFirst().reason());
        assertTrue(peer.ended);
        if (state == QpState.ERR) {
            completes(1, WcStatus.WR_FLUSH_ERR);
        }
        completesNothing();
        assertFalse(device.connection.isEstablished());
    }

    @Test
    @DisplayName("TRM-02: memory of this side that a request may not use ends the stream before it is sent")
    void localFault() {
        deviceConnects();
        device.qp.postSend(request(WrOpcode.SEND, 1).sge(region.address(), 8, region.lKey() ^ 0x7F00));
        device.qp.postSend(request(WrOpcode.SEND, 2).sge(region, 0, 8));
        settle();
        terminates(TerminateCode.RDMAP_CATASTROPHIC, null);
        completes(1, WcStatus.LOC_PROT_ERR);
        completes(2, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("TRM-01: a peer that takes nothing does not keep a Terminate's sender waiting")
    void terminateIsStuck() {
        receives(1, 0, 64);
        deviceConnects();
        network.withBuffer(0);
        sends(Ulpdu.write(region.rKey() ^ 0x7F00, region.address(), bytes(8, 1)));
        assertEquals(QpState.SQE, device.qp.state());
        pass(2_000_000_001L);
        assertEquals(QpState.ERR, device.qp.state());
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertTrue(peer.broken);
        assertNotNull(device.ends.getFirst());
        assertArrayEquals(new byte[0], peer.take(0));
    }
}
