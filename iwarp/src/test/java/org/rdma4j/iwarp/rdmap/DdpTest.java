package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** Group DDP: what a segment must be, and which Terminate answers one that is not (RFC 5041, 5 to 8). */
class DdpTest extends RdmapScene {

    private static final int SEND_QUEUE = UntaggedHeader.SEND_QUEUE;

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    @DisplayName("DDP-01: a tagged segment of another DDP version ends the stream, nothing placed")
    void taggedVersion(int version) {
        peerConnects();
        refuses(
                TerminateCode.DDP_TAGGED_VERSION,
                Ulpdu.write(region.rKey(), region.address(), bytes(8, 1)).ddpVersion(version));
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    @DisplayName("DDP-01: an untagged segment of another DDP version ends the stream, its receive flushed")
    void untaggedVersion(int version) {
        receives(1, 0, 64);
        peerConnects();
        refuses(TerminateCode.DDP_UNTAGGED_VERSION, Ulpdu.send(1, bytes(8, 1)).ddpVersion(version));
        completes(1, WcStatus.WR_FLUSH_ERR);
        assertUntouched();
    }

    @Test
    @DisplayName("DDP-02: an STag that nobody has ends the stream")
    void unknownSTag() {
        peerConnects();
        refuses(
                TerminateCode.DDP_TAGGED_INVALID_STAG,
                Ulpdu.write(region.rKey() ^ 0x7F00, region.address(), bytes(8, 1)));
        assertUntouched();
    }

    @Test
    @DisplayName("DDP-02: so does one that was invalidated")
    void deregisteredSTag() {
        peerConnects();
        MemoryRegion gone = device.register(64);
        int key = gone.rKey();
        long address = gone.address();
        gone.close();
        refuses(TerminateCode.DDP_TAGGED_INVALID_STAG, Ulpdu.write(key, address, bytes(8, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 4096})
    @DisplayName("DDP-03: bytes beyond the buffer's end end the stream, and none of the segment is placed")
    void beyondTheEnd(int beyond) {
        peerConnects();
        refuses(
                TerminateCode.DDP_TAGGED_BOUNDS,
                Ulpdu.write(region.rKey(), region.address() + BYTES - 8 + beyond, bytes(8, 1)));
        assertUntouched();
    }

    @Test
    @DisplayName("DDP-03: so do bytes in front of it")
    void inFrontOfTheStart() {
        peerConnects();
        refuses(TerminateCode.DDP_TAGGED_BOUNDS, Ulpdu.write(region.rKey(), region.address() - 1, bytes(8, 1)));
        assertUntouched();
    }

    @Test
    @DisplayName("DDP-04: the STag of another protection domain ends the stream")
    void anotherDomain() {
        MemoryRegion foreign = device.device.allocPd().register(Arena.ofAuto().allocate(64), Node.ACCESS);
        peerConnects();
        refuses(TerminateCode.DDP_TAGGED_NOT_ASSOCIATED, Ulpdu.write(foreign.rKey(), foreign.address(), bytes(8, 1)));
        assertEquals(0, foreign.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }

    @Test
    @DisplayName("DDP-05: a tagged offset that wraps with the segment's length ends the stream")
    void wraps() {
        peerConnects();
        refuses(TerminateCode.DDP_TAGGED_OFFSET_WRAP, Ulpdu.write(region.rKey(), -4, bytes(8, 1)));
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 0x7FFF_FFFF, -1})
    @DisplayName("DDP-06: a queue beyond the third ends the stream")
    void queueNumber(int queue) {
        receives(1, 0, 64);
        peerConnects();
        refuses(
                TerminateCode.DDP_UNTAGGED_QUEUE_NUMBER,
                Ulpdu.untagged(RdmapOpcode.SEND, true, queue, 1, 0, bytes(8, 1)));
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("DDP-07: a message that no receive waits for ends the stream: iWARP knows no second try")
    void noBuffer() {
        receives(1, 0, 64);
        peerConnects();
        Ulpdu second = Ulpdu.send(2, bytes(8, 2));
        sends(Ulpdu.send(1, bytes(8, 1)), second);
        completes(1, WcStatus.SUCCESS);
        terminates(TerminateCode.DDP_UNTAGGED_NO_BUFFER, second);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, -1})
    @DisplayName("DDP-08: a message number that is repeated or skipped ends the stream")
    void messageNumber(int msn) {
        receives(1, 0, 64);
        receives(2, 64, 64);
        peerConnects();
        Ulpdu wrong = Ulpdu.send(msn, bytes(8, 2));
        sends(Ulpdu.send(1, bytes(8, 1)), wrong);
        completes(1, WcStatus.SUCCESS);
        terminates(TerminateCode.DDP_UNTAGGED_MSN_RANGE, wrong);
        completes(2, WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9})
    @DisplayName("DDP-09: a segment that does not go on where the last one ended ends the stream")
    void messageOffset(int offset) {
        receives(1, 0, 64);
        peerConnects();
        Ulpdu wrong = Ulpdu.untagged(RdmapOpcode.SEND, true, SEND_QUEUE, 1, offset, bytes(8, 2));
        sends(Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(8, 1)), wrong);
        terminates(TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET, wrong);
        completes(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("DDP-10: a message longer than its receive ends the stream, and nothing of the segment is placed")
    void tooLong() {
        receives(1, 0, 12);
        peerConnects();
        Ulpdu tail = Ulpdu.untagged(RdmapOpcode.SEND, true, SEND_QUEUE, 1, 8, bytes(5, 2));
        sends(Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(8, 1)), tail);
        terminates(TerminateCode.DDP_UNTAGGED_TOO_LONG, tail);
        completes(1, WcStatus.LOC_LEN_ERR);
        assertArrayEquals(bytes(8, 1), memory(0, 8));
        assertEquals(UNTOUCHED, memory(8, 1)[0]);
    }

    @Test
    @DisplayName("DDP-11: message numbers start at 1 on each queue and grow by 1 with each message")
    void countsMessages() {
        receives(1, 0, 64);
        receives(2, 64, 64);
        device.ord = 2;
        deviceConnects();
        for (int id = 1; id <= 3; id++) {
            device.qp.postSend(request(WrOpcode.SEND, id).sge(region, 0, 8));
        }
        for (int id = 4; id <= 5; id++) {
            device.qp.postSend(request(WrOpcode.RDMA_READ, id).sge(region, 0, 8).remote(0x1000, 7));
        }
        settle();
        for (int msn = 1; msn <= 3; msn++) {
            MemorySegment send = MemorySegment.ofArray(peer.next());
            assertEquals(SEND_QUEUE, UntaggedHeader.queueNumber(send, 0));
            assertEquals(msn, UntaggedHeader.messageSequenceNumber(send, 0));
        }
        for (int msn = 1; msn <= 2; msn++) {
            MemorySegment read = MemorySegment.ofArray(peer.next());
            assertEquals(UntaggedHeader.REQUEST_QUEUE, UntaggedHeader.queueNumber(read, 0));
            assertEquals(msn, UntaggedHeader.messageSequenceNumber(read, 0));
        }
        sends(Ulpdu.send(1, bytes(8, 1)), Ulpdu.send(2, bytes(8, 2)));
        completes(1, WcStatus.SUCCESS);
    }

    @Test
    @DisplayName("DDP-12: a message ends with the segment that says so, however short those before it are")
    void endsWithTheLastSegment() {
        receives(1, 0, 64);
        peerConnects();
        sends(
                Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(1, 1)),
                Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 1),
                Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 1, bytes(30, 2)));
        completesNothing();
        sends(Ulpdu.untagged(RdmapOpcode.SEND, true, SEND_QUEUE, 1, 31));
        assertEquals(31, completes(1, WcStatus.SUCCESS).byteLength());
        assertArrayEquals(bytes(30, 2), memory(1, 30));
    }

    @Test
    @DisplayName("DDP-13: segments of a tagged and an untagged message may be mixed (sources disagree; recorded)")
    void mixedMessages() {
        receives(1, 0, 64);
        peerConnects();
        long target = region.address() + 1024;
        sends(
                Ulpdu.tagged(RdmapOpcode.WRITE, false, region.rKey(), target, bytes(8, 1)),
                Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(8, 2)),
                Ulpdu.tagged(RdmapOpcode.WRITE, true, region.rKey(), target + 8, bytes(8, 3)),
                Ulpdu.untagged(RdmapOpcode.SEND, true, SEND_QUEUE, 1, 8, bytes(8, 4)));
        assertEquals(16, completes(1, WcStatus.SUCCESS).byteLength());
        assertArrayEquals(bytes(8, 1), memory(1024, 8));
        assertArrayEquals(bytes(8, 3), memory(1032, 8));
        assertArrayEquals(bytes(8, 2), memory(0, 8));
        assertArrayEquals(bytes(8, 4), memory(8, 8));
    }

    @Test
    @DisplayName("DDP-14: segments are placed as they come, and messages delivered in their order once they are whole")
    void placesBeforeItDelivers() {
        receives(1, 0, 64);
        receives(2, 64, 64);
        peerConnects();
        sends(Ulpdu.untagged(RdmapOpcode.SEND, false, SEND_QUEUE, 1, 0, bytes(8, 1)));
        assertArrayEquals(bytes(8, 1), memory(0, 8));
        completesNothing();
        sends(Ulpdu.untagged(RdmapOpcode.SEND, true, SEND_QUEUE, 1, 8, bytes(8, 2)), Ulpdu.send(2, bytes(4, 3)));
        assertEquals(16, completes(1, WcStatus.SUCCESS).byteLength());
        assertEquals(4, completes(2, WcStatus.SUCCESS).byteLength());
        assertNull(peer.next());
        assertFalse(peer.ended);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 13})
    @DisplayName("DDP-12: a ULPDU too short for its DDP header ends the stream")
    void tooShort(int length) {
        peerConnects();
        sends(Ulpdu.write(region.rKey(), region.address()).length(length));
        terminates(TerminateCode.DDP_CATASTROPHIC, null);
        assertUntouched();
    }

    @Test
    @DisplayName("DDP-04: rights are RDMAP's affair: a Write to memory that is only to be read ends the stream by it")
    void rights() {
        MemoryRegion readable =
                device.register(Arena.ofAuto().allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        peerConnects();
        refuses(TerminateCode.RDMAP_ACCESS, Ulpdu.write(readable.rKey(), readable.address(), bytes(8, 1)));
        assertArrayEquals(new byte[64], readable.memory().toArray(ValueLayout.JAVA_BYTE));
    }
}
