package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.WcStatus;

/** Group RDP, the half that is asked (RFC 5040, 4 to 7). */
class RdmapResponderTest extends RdmapScene {

    private static final int SEND_QUEUE = UntaggedHeader.SEND_QUEUE;
    private static final int REQUEST_QUEUE = UntaggedHeader.REQUEST_QUEUE;

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    @DisplayName("RDP-01: another RDMAP version ends the stream, tagged or not")
    void version(int version) {
        peerConnects();
        refuses(
                TerminateCode.RDMAP_VERSION,
                Ulpdu.write(region.rKey(), region.address(), bytes(8, 1)).rdmapVersion(version));
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12, 13, 14, 15})
    @DisplayName("RDP-02: an opcode that was not agreed upon ends the stream")
    void opcode(int opcode) {
        receives(1, 0, 64);
        peerConnects();
        refuses(
                TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                Ulpdu.send(1, bytes(8, 1)).opcode(opcode));
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 6, 7, 8, 15})
    @DisplayName("RDP-03: an untagged message's opcode in a tagged segment ends the stream")
    void untaggedOpcodeTagged(int opcode) {
        peerConnects();
        refuses(
                TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                Ulpdu.write(region.rKey(), region.address(), bytes(8, 1)).opcode(opcode));
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    @DisplayName("RDP-03: a tagged message's opcode in an untagged segment ends the stream")
    void taggedOpcodeUntagged(int opcode) {
        receives(1, 0, 64);
        peerConnects();
        refuses(
                TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                Ulpdu.send(1, bytes(8, 1)).opcode(opcode));
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "3, 1", "7, 0", "7, 1", "3, 2", "1, 2"})
    @DisplayName("RDP-04: an opcode on another queue than its own ends the stream")
    void wrongQueue(int opcode, int queue) {
        receives(1, 0, 64);
        peerConnects();
        refuses(TerminateCode.RDMAP_UNEXPECTED_OPCODE, Ulpdu.untagged(opcode, true, queue, 1, 0, bytes(28, 1)));
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @CsvSource({"0, RDMAP_OPERATION_UNSPECIFIED", "27, RDMAP_OPERATION_UNSPECIFIED", "29, DDP_UNTAGGED_TOO_LONG"})
    @DisplayName("RDP-04: a Read Request of another length than 28 bytes ends the stream")
    void readRequestLength(int length, TerminateCode code) {
        peerConnects();
        refuses(code, Ulpdu.untagged(RdmapOpcode.READ_REQUEST, true, REQUEST_QUEUE, 1, 0, new byte[length]));
    }

    @Test
    @DisplayName("RDP-04: a Read Request that is not its message's last segment ends the stream")
    void readRequestInPieces() {
        peerConnects();
        Ulpdu read = read(1, 8);
        refuses(
                TerminateCode.RDMAP_OPERATION_UNSPECIFIED,
                Ulpdu.untagged(
                        RdmapOpcode.READ_REQUEST,
                        false,
                        REQUEST_QUEUE,
                        1,
                        0,
                        Arrays.copyOfRange(read.bytes(), UntaggedHeader.LENGTH, read.bytes().length)));
    }

    private Ulpdu read(int msn, long size) {
        return Ulpdu.read(msn, 0x1234, 0x9000, size, region.rKey(), region.address());
    }

    @Test
    @DisplayName("RDP-05: more Read Requests than were agreed upon end the stream")
    void tooManyReads() {
        device.ird = 2;
        peerConnects();
        Ulpdu third = read(3, 8);
        sends(read(1, 8), read(2, 8), third);
        // All three have come before the device has had a turn to answer.
        terminates(TerminateCode.DDP_UNTAGGED_NO_BUFFER, third);
    }

    @ParameterizedTest
    @CsvSource({
        "unknown, RDMAP_INVALID_STAG",
        "beyond, RDMAP_BOUNDS",
        "front, RDMAP_BOUNDS",
        "rights, RDMAP_ACCESS",
        "domain, RDMAP_STAG_NOT_ASSOCIATED",
        "wrap, RDMAP_OFFSET_WRAP"
    })
    @DisplayName("RDP-06: a Read of what the peer may not read ends the stream, its header told back")
    void readSource(String what, TerminateCode code) {
        MemoryRegion written =
                device.register(Arena.ofAuto().allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        MemoryRegion foreign = device.device.allocPd().register(Arena.ofAuto().allocate(64), Node.ACCESS);
        int key = region.rKey();
        long at = region.address();
        peerConnects();
        Ulpdu read = switch (what) {
            case "unknown" -> Ulpdu.read(1, 1, 2, 8, key ^ 0x7F00, at);
            case "beyond" -> Ulpdu.read(1, 1, 2, 8, key, at + BYTES - 7);
            case "front" -> Ulpdu.read(1, 1, 2, 8, key, at - 1);
            case "rights" -> Ulpdu.read(1, 1, 2, 8, written.rKey(), written.address());
            case "domain" -> Ulpdu.read(1, 1, 2, 8, foreign.rKey(), foreign.address());
            default -> Ulpdu.read(1, 1, 2, 8, key, -4);
        };
        sends(read);
        terminates(code, read);
    }

    @Test
    @DisplayName("RDP-07: a Read of no bytes is answered, whatever it names")
    void readOfNothing() {
        peerConnects();
        sends(Ulpdu.read(1, 0xABCD, 0x77, 0, 0xDEAD, 0xBEEF));
        MemorySegment response = MemorySegment.ofArray(peer.next());
        assertEquals(TaggedHeader.LENGTH, response.byteSize());
        assertEquals(DdpControl.of(RdmapOpcode.READ_RESPONSE, true), TaggedHeader.control(response, 0));
        assertEquals(0xABCD, TaggedHeader.sTag(response, 0));
        assertEquals(0x77, TaggedHeader.taggedOffset(response, 0));
        assertNull(peer.next());
    }

    @Test
    @DisplayName("RDP-08: responses come in the order of the requests, in segments that fit, the last one marked")
    void responsesInOrder() {
        byte[] content = bytes(BYTES, 7);
        MemorySegment.copy(content, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, BYTES);
        peerConnects();
        sends(
                Ulpdu.read(1, 11, 0, 3000, region.rKey(), region.address()),
                Ulpdu.read(2, 22, 500, 10, region.rKey(), region.address() + 4000));
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        boolean last = false;
        while (!last) {
            byte[] ulpdu = peer.next();
            MemorySegment segment = MemorySegment.ofArray(ulpdu);
            assertTrue(ulpdu.length <= Fpdu.mulpdu(1448, false));
            assertEquals(11, TaggedHeader.sTag(segment, 0));
            assertEquals(first.size(), TaggedHeader.taggedOffset(segment, 0));
            first.write(ulpdu, TaggedHeader.LENGTH, ulpdu.length - TaggedHeader.LENGTH);
            last = DdpControl.last(TaggedHeader.control(segment, 0));
        }
        assertArrayEquals(Arrays.copyOf(content, 3000), first.toByteArray());
        byte[] second = peer.next();
        assertEquals(22, TaggedHeader.sTag(MemorySegment.ofArray(second), 0));
        assertArrayEquals(
                Arrays.copyOfRange(content, 4000, 4010),
                Arrays.copyOfRange(second, TaggedHeader.LENGTH, second.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmapOpcode.SEND_INVALIDATE, RdmapOpcode.SEND_SE_INVALIDATE})
    @DisplayName("RDP-11: a Send that names an STag which cannot be invalidated ends the stream")
    void cannotInvalidate(int opcode) {
        receives(1, 0, 64);
        receives(2, 64, 64);
        peerConnects();
        refuses(
                TerminateCode.RDMAP_CANNOT_INVALIDATE,
                Ulpdu.send(1, bytes(8, 1)).opcode(opcode).invalidate(region.rKey() ^ 0x7F00));
        completes(1, WcStatus.LOC_PROT_ERR);
        completes(2, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("RDP-11: one that names the peer's own STag takes it away")
    void invalidates() {
        MemoryRegion lent = device.register(64);
        receives(1, 0, 64);
        peerConnects();
        sends(Ulpdu.send(1, bytes(8, 1)).opcode(RdmapOpcode.SEND_INVALIDATE).invalidate(lent.rKey()));
        assertEquals(lent.rKey(), completes(1, WcStatus.SUCCESS).invalidatedKey());
        refuses(TerminateCode.DDP_TAGGED_INVALID_STAG, Ulpdu.write(lent.rKey(), lent.address(), bytes(8, 2)));
    }

    @ParameterizedTest
    @CsvSource({"3, false", "5, true"})
    @DisplayName("RDP-12: only the kinds with a solicited event wake one who waits for that")
    void solicitedEvent(int opcode, boolean wakes) throws InterruptedException {
        CompletionChannel channel = device.device.createCompletionChannel();
        CompletionQueue cq = device.device.createCq(16, channel);
        device.withQp(QpInitAttributes.rc(cq).withDepths(4, 4));
        receives(1, 0, 64);
        peerConnects();
        cq.requestNotify(true);
        sends(Ulpdu.send(1, bytes(8, 1)).opcode(opcode));
        assertEquals(wakes, channel.getEvent(Duration.ZERO) != null);
        if (wakes) {
            cq.ackEvents(1);
        }
    }

    @Test
    @DisplayName("RDP-15: what a Write has placed is there when the Send behind it is delivered")
    void writeThenSend() {
        receives(1, 0, 64);
        peerConnects();
        sends(Ulpdu.write(region.rKey(), region.address() + 1024, bytes(500, 1)), Ulpdu.send(1, bytes(8, 2)));
        completes(1, WcStatus.SUCCESS);
        assertArrayEquals(bytes(500, 1), memory(1024, 500));
    }

    @Test
    @DisplayName("RDP-15: a Write of no bytes is taken, whatever it names")
    void writeOfNothing() {
        receives(1, 0, 64);
        peerConnects();
        sends(Ulpdu.write(0xDEAD, -1), Ulpdu.send(1, bytes(8, 2)));
        completes(1, WcStatus.SUCCESS);
        assertNull(peer.next());
    }

    @Test
    @DisplayName("RDP-03: a message whose opcode changes between its segments ends the stream")
    void opcodeChanges() {
        receives(1, 0, 64);
        peerConnects();
        Ulpdu other = Ulpdu.untagged(RdmapOpcode.SEND_SE, true, SEND_QUEUE, 1, 8, bytes(8, 2));
        sends(Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(8, 1)), other);
        terminates(TerminateCode.RDMAP_UNEXPECTED_OPCODE, other);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }
}
