package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** Group RDP, the half that asks (RFC 5040, 5 to 7). */
class RdmapRequesterTest extends RdmapScene {

    private void reads(long id, int offset, int length) {
        device.qp.postSend(
                request(WrOpcode.RDMA_READ, id).sge(region, offset, length).remote(0x7000, 0x1234));
        settle();
    }

    private Ulpdu response(boolean last, int offset, byte... payload) {
        return Ulpdu.tagged(RdmapOpcode.READ_RESPONSE, last, region.lKey(), region.address() + offset, payload);
    }

    @Test
    @DisplayName("RDP-08: a Read completes when its response is placed whole")
    void readCompletes() {
        deviceConnects();
        reads(1, 100, 16);
        MemorySegment request = MemorySegment.ofArray(peer.next());
        assertEquals(
                new ReadRequest(region.lKey(), region.address() + 100, 16, 0x1234, 0x7000),
                ReadRequest.parse(request, UntaggedHeader.LENGTH));
        sends(response(false, 100, bytes(10, 1)));
        completesNothing();
        sends(response(true, 110, bytes(6, 2)));
        completes(1, WcStatus.SUCCESS);
        assertArrayEquals(bytes(10, 1), memory(100, 10));
        assertArrayEquals(bytes(6, 2), memory(110, 6));
    }

    @ParameterizedTest
    @CsvSource({"sTag", "offset", "short", "long", "unfinished"})
    @DisplayName("RDP-09: a response that is not the one asked for ends the stream, nothing of it placed")
    void wrongResponse(String what) {
        deviceConnects();
        reads(1, 0, 16);
        reads(2, 64, 16);
        Ulpdu wrong = switch (what) {
            case "sTag" -> Ulpdu.tagged(RdmapOpcode.READ_RESPONSE, true, 0x77, region.address(), bytes(16, 1));
            case "offset" -> response(true, 8, bytes(16, 1));
            case "short" -> response(true, 0, bytes(15, 1));
            case "long" -> response(true, 0, bytes(17, 1));
            default -> response(false, 0, bytes(16, 1));
        };
        peer.next();
        peer.next();
        sends(wrong);
        terminates(
                what.equals("sTag") ? TerminateCode.DDP_TAGGED_INVALID_STAG : TerminateCode.DDP_TAGGED_BOUNDS, wrong);
        completes(1, WcStatus.BAD_RESP_ERR);
        completes(2, WcStatus.WR_FLUSH_ERR);
        assertUntouched();
    }

    @Test
    @DisplayName("RDP-10: a response that nobody has asked for ends the stream")
    void unasked() {
        deviceConnects();
        refuses(TerminateCode.RDMAP_UNEXPECTED_OPCODE, response(true, 0, bytes(8, 1)));
        assertUntouched();
    }

    @Test
    @DisplayName("RDP-13: no more Reads are outstanding than were agreed upon, and what is behind them waits")
    void ord() {
        device.ord = 5; // the reply takes on two
        deviceConnects();
        reads(1, 0, 8);
        reads(2, 8, 8);
        reads(3, 16, 8);
        device.qp.postSend(request(WrOpcode.SEND, 4).sge(region, 0, 1));
        settle();
        assertNotNull(peer.next());
        assertNotNull(peer.next());
        assertNull(peer.next());
        sends(response(true, 0, bytes(8, 1)));
        assertEquals(3, UntaggedHeader.messageSequenceNumber(MemorySegment.ofArray(peer.next()), 0));
        assertEquals(UntaggedHeader.SEND_QUEUE, UntaggedHeader.queueNumber(MemorySegment.ofArray(peer.next()), 0));
        completes(1, WcStatus.SUCCESS);
        completesNothing(); // the Send is with TCP, but those before it are not complete
    }

    @Test
    @DisplayName("RDP-13: a fenced request waits for the Reads before it")
    void fence() {
        deviceConnects();
        reads(1, 0, 8);
        device.qp.postSend(request(WrOpcode.SEND, 2).sge(region, 0, 1).fence());
        settle();
        assertNotNull(peer.next());
        assertNull(peer.next());
        sends(response(true, 0, bytes(8, 1)));
        assertNotNull(peer.next());
    }

    @Test
    @DisplayName("RDP-14: a Read into more than one piece is refused when it is posted")
    void readSink() {
        deviceConnects();
        SendWorkRequest wr = request(WrOpcode.RDMA_READ, 1)
                .sge(region, 0, 8)
                .sge(region, 16, 8)
                .remote(0x7000, 1);
        VerbsException refused = assertThrows(VerbsException.class, () -> device.qp.postSend(wr));
        assertEquals("a READ of iWARP has 1 piece of local memory, not 2", refused.getMessage());
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {
                "SEND_WITH_IMM",
                "RDMA_WRITE_WITH_IMM",
                "ATOMIC_CMP_AND_SWP",
                "ATOMIC_FETCH_AND_ADD",
                "FLUSH",
                "ATOMIC_WRITE"
            })
    @DisplayName("RDP-16: what only some peers have, or none, is refused when it is posted")
    void operationsThatAreNotThere(WrOpcode opcode) {
        deviceConnects();
        SendWorkRequest wr = request(opcode, 1).sge(region, 0, 8).remote(0x7000, 1);
        VerbsException refused = assertThrows(VerbsException.class, () -> device.qp.postSend(wr));
        assertEquals(VerbsException.Errno.EOPNOTSUPP, refused.errno());
        assertTrue(refused.getMessage().startsWith("iWARP has no " + opcode), refused.getMessage());
    }

    @Test
    @DisplayName("RDP-15: segments of a Write and of the Send behind it leave in their order")
    void writeThenSend() {
        deviceConnects();
        device.qp.postSend(request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, 3000).remote(0x7000, 0x1234));
        device.qp.postSend(request(WrOpcode.SEND, 2).sge(region, 0, 8).solicited());
        settle();
        long offset = 0x7000;
        for (byte[] ulpdu = peer.next(); (ulpdu[0] & 0x80) != 0; ulpdu = peer.next()) {
            assertEquals(offset, TaggedHeader.taggedOffset(MemorySegment.ofArray(ulpdu), 0));
            offset += ulpdu.length - TaggedHeader.LENGTH;
        }
        assertEquals(0x7000 + 3000, offset);
        completes(1, WcStatus.SUCCESS); // TCP has them: that is all that iWARP says of a Write
        completes(2, WcStatus.SUCCESS);
    }

    @Test
    @DisplayName("RDP-14: queue pairs of other kinds than RC, and transitions that connect, are refused")
    void whatIwarpHasNot() {
        VerbsException kind =
                assertThrows(VerbsException.class, () -> device.pd.createQp(QpInitAttributes.ud(device.cq)));
        assertEquals("iwarp:10.0.0.1 has no UD queue pairs: iWARP has RC", kind.getMessage());
        VerbsException transition =
                assertThrows(VerbsException.class, () -> device.qp.modify(new QpAttributes().state(QpState.RTR)));
        assertTrue(transition.getMessage().contains("connection management"), transition.getMessage());
    }
}
