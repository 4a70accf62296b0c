package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.atomicWrite;
import static org.rdma4j.conformance.Packets.flush;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.FlushLevel;
import org.rdma4j.verbs.FlushType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Syndrome;

/** Group EXT: FLUSH and ATOMIC_WRITE (annex A19). */
class ExtendedOpsTest extends RcScene {

    private static final int GLOBAL = Feth.GLOBAL_VISIBILITY;
    private static final int PERSISTENT = Feth.PERSISTENCE;
    private static final int FLUSHES = AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;

    private MemoryRegion flushable;

    @BeforeEach
    void prepare() {
        connect(new Setup().withExtendedOps().withAccess(Setup.ALL_ACCESS | FLUSHES));
        flushable = device.register(memory.inside(), AccessFlags.REMOTE_WRITE | AccessFlags.FLUSH_GLOBAL);
    }

    private WirePacket flushOf(MemoryRegion target, int selectivity, int placement, long offset, long length) {
        return flush(n).feth(selectivity, placement).at(target, offset, length);
    }

    /** What answers both: a READ response that carries nothing. */
    private static WirePacket answer(int psn) {
        return readResponseOnly(psn).payload(0);
    }

    @Test
    @DisplayName("EXT-01: a placement that the region does not grant gets a NAK Remote Access Error")
    void placementOfTheRegion() {
        peer.sends(flushOf(flushable, Feth.RANGE, PERSISTENT, 0, 8));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("EXT-01: likewise one of two, or a range that is not all inside")
    void rangeOutside() {
        peer.sends(flushOf(flushable, Feth.RANGE, GLOBAL, SIZE - 7L, 8));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("EXT-01: one that the queue pair does not grant gets a NAK Invalid Request")
    void placementOfTheQueuePair() {
        device.close();
        connect(new Setup().withExtendedOps().withAccess(Setup.ALL_ACCESS | AccessFlags.FLUSH_PERSISTENT));
        MemoryRegion own = device.register(memory.inside(), AccessFlags.FLUSH_GLOBAL);
        peer.sends(flushOf(own, Feth.RANGE, GLOBAL, 0, 8));
        refused(Rule.QP_ACCESS, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 4", "0, 9", "2, 1", "3, 1"})
    @DisplayName("EXT-01: a placement or selectivity that does not exist gets a NAK Invalid Request")
    void noSuchType(int selectivity, int placement) {
        peer.sends(flushOf(flushable, selectivity, placement, 0, 8));
        refused(Rule.FLUSH_TYPE, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("EXT-01: without being told that the peer has it, a queue pair takes a FLUSH for a reserved opcode")
    void notTold() {
        device.close();
        connect(new Setup().withAccess(Setup.ALL_ACCESS | FLUSHES));
        peer.sends(flush(n).feth(Feth.RANGE, GLOBAL).at(region, 0, 8));
        refused(Rule.OPCODE_RESERVED, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        VerbsException refusal =
                assertThrows(VerbsException.class, () -> device.qp.postSend(Host.request(WrOpcode.ATOMIC_WRITE, 1)));
        assertTrue(refusal.getMessage().contains("extended operations"), refusal.getMessage());
    }

    @Test
    @DisplayName("EXT-02: a duplicate FLUSH, and a duplicate ATOMIC_WRITE, is answered again and not executed again")
    void duplicates() {
        WirePacket flush = flushOf(flushable, Feth.RANGE, GLOBAL, 0, 8);
        WirePacket write = atomicWrite(plus(n, 1)).at(flushable, 8, 8).payload(8);
        peer.sends(flush, write);
        peer.expects(answer(n).msn(1), answer(plus(n, 1)).msn(2));
        memory.putLong(8, 77);
        peer.sends(flush, write);
        assertEquals(Rule.DUPLICATE_ANSWERED, peer.decision());
        peer.expects(answer(n), answer(plus(n, 1)));
        assertEquals(77, memory.getLong(8));
        isAlive(plus(n, 2));
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "0, 0", "1, 8", "1, 4294967295"})
    @DisplayName("EXT-03: a FLUSH of a range, of none, or of the whole region is answered behind the WRITEs before it")
    void flushes(int selectivity, long length) {
        WirePacket write = writeOnly(n).at(flushable, 0, 8).payload(8);
        peer.sendsTogether(write, flush(plus(n, 1)).feth(selectivity, GLOBAL).at(flushable, 0, length));
        peer.expects(answer(plus(n, 1)).msn(2));
        memory.holds(0, write.bytes());
        peer.expectsNothing();
        isAlive(plus(n, 2));
    }

    @Test
    @DisplayName("EXT-03: PERSISTENT is for memory of a file, and is answered once that is written")
    void persistent() {
        MemoryRegion file = device.register(sparse(8192), FLUSHES | AccessFlags.REMOTE_WRITE);
        peer.sends(
                writeOnly(n).at(file, 4090, 16).payload(16),
                flush(plus(n, 1)).feth(Feth.RANGE, GLOBAL | PERSISTENT).at(file, 4090, 16));
        peer.expects(answer(plus(n, 1)));
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.register(memory.inside(), FLUSHES));
        assertTrue(refusal.getMessage().contains("mapped from a file"), refusal.getMessage());
    }

    @Test
    @DisplayName("EXT-03: the requester's FLUSH says what and where, and completes with its own answer only")
    void requestsFlush() {
        SendWorkRequest request = new SendWorkRequest()
                .reset(WrOpcode.FLUSH)
                .wrId(2)
                .signaled()
                .remote(Peer.ADDRESS, Peer.R_KEY)
                .flush(FlushType.GLOBAL_AND_PERSISTENT, FlushLevel.MEMORY_REGION, 300);
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, 8), request);
        peer.expects(
                writeOnly(m),
                flush(plus(m, 1))
                        .feth(Feth.MEMORY_REGION, GLOBAL | PERSISTENT)
                        .reth(Peer.ADDRESS, Peer.R_KEY, 300)
                        .ackReq());
        peer.sends(ack(plus(m, 1))); // acknowledges the WRITE, and shows that the answer was lost
        device.completes(1);
        device.completesNothing();
        peer.expects(flush(plus(m, 1)).feth(Feth.MEMORY_REGION, GLOBAL | PERSISTENT));
        peer.sends(answer(plus(m, 1)));
        assertEquals(WcOpcode.FLUSH, device.completes(2).opcode());
    }

    @Test
    @DisplayName("EXT-03: FLUSHes count among the READs and atomics that may be outstanding, on both sides (recorded)")
    void countAsReads() {
        for (int id = 0; id < 6; id++) {
            device.posts(Host.request(WrOpcode.FLUSH, id).flush(FlushType.GLOBAL, FlushLevel.RANGE, 0));
        }
        assertEquals(4, peer.getsAll().size());
        peer.sendsTogether(
                flush(n).at(flushable, 0, 8),
                flush(plus(n, 1)).at(flushable, 0, 8),
                flush(plus(n, 2)).at(flushable, 0, 8),
                flush(plus(n, 3)).at(flushable, 0, 8),
                flush(plus(n, 4)).at(flushable, 0, 8));
        assertEquals(Rule.TOO_MANY_READS, peer.decision());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4, 7})
    @DisplayName("EXT-04: an ATOMIC_WRITE to an address that is not a multiple of 8 gets a NAK Invalid Request")
    void misaligned(long offset) {
        peer.sends(atomicWrite(n).at(flushable, offset, 8).payload(8));
        refused(Rule.ATOMIC_ALIGNMENT, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        memory.isUntouched();
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "8, 4", "16, 16", "0, 0"})
    @DisplayName("EXT-04: so does one of another length than 8")
    void wrongLength(int dmaLength, int payload) {
        peer.sends(atomicWrite(n).at(flushable, 0, dmaLength).payload(payload));
        refused(Rule.PAYLOAD_LENGTH, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("EXT-04: a region without REMOTE_WRITE gets a NAK Remote Access Error")
    void withoutRight() {
        MemoryRegion readable = device.register(memory.inside(), AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC);
        peer.sends(atomicWrite(n).at(readable, 0, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("EXT-05: an ATOMIC_WRITE puts its eight bytes there as they are and touches no other")
    void eightBytes() {
        WirePacket write = atomicWrite(n).at(flushable, 16, 8).payload(8).ackReq();
        peer.sends(write);
        peer.expects(answer(n).msn(1));
        peer.expectsNothing();
        memory.holds(16, write.bytes());
        memory.isUntouched(0, 16);
        memory.isUntouched(24, 64);
        isAlive(plus(n, 1));
    }

    @Test
    @DisplayName("EXT-05: the requester's ATOMIC_WRITE carries the long as its memory holds it, and a NAK fails it")
    void requestsAtomicWrite() {
        device.posts(Host.request(WrOpcode.ATOMIC_WRITE, 1).atomicWrite(0x0102030405060708L));
        byte[] bytes = ByteBuffer.allocate(8)
                .order(ByteOrder.nativeOrder())
                .putLong(0x0102030405060708L)
                .array();
        peer.expects(
                atomicWrite(m).reth(Peer.ADDRESS, Peer.R_KEY, 8).payload(bytes).pad(0));
        peer.sends(answer(m));
        assertEquals(WcOpcode.ATOMIC_WRITE, device.completes(1).opcode());
        device.posts(Host.request(WrOpcode.ATOMIC_WRITE, 2).atomicWrite(1));
        peer.getsAll();
        peer.sends(Packets.nak(plus(m, 1), Syndrome.NAK_REMOTE_ACCESS));
        device.completes(2, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @DisplayName("EXT-04: extended operations are RC's, and name no memory of this side")
    void posting() {
        assertThrows(
                VerbsException.class,
                () -> device.pd.createQp(QpInitAttributes.uc(device.cq).withExtendedOps(true)));
        assertThrows(
                VerbsException.class,
                () -> device.qp.postSend(Host.request(WrOpcode.ATOMIC_WRITE, 1).sge(region, 0, 8)));
        assertThrows(VerbsException.class, () -> device.qp.postSend(Host.request(WrOpcode.FLUSH, 1)));
        assertThrows(
                VerbsException.class,
                () -> device.qp.postSend(
                        Host.request(WrOpcode.FLUSH, 1).flush(FlushType.GLOBAL, FlushLevel.RANGE, 1L << 32)));
        peer.expectsNothing();
    }
}
