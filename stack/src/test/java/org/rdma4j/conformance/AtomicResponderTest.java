package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.atomicAck;
import static org.rdma4j.conformance.Packets.compareSwap;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.nak;

import java.nio.ByteOrder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Syndrome;

/** Group RDA, the responder of atomics (9.4.5, 9.7.2). */
class AtomicResponderTest extends RcScene {

    private WirePacket add(int psn, long offset, long value) {
        return fetchAdd(psn)
                .atomic(region.address() + offset, region.rKey(), value, 0)
                .ackReq();
    }

    private WirePacket swap(int psn, long offset, long expected, long value) {
        return compareSwap(psn)
                .atomic(region.address() + offset, region.rKey(), value, expected)
                .ackReq();
    }

    @Test
    @DisplayName("RDA-20: compare and swap returns what was there, and changes it only where it was equal")
    void comparesAndSwaps() {
        connect(new Setup());
        memory.putLong(8, 5);
        peer.sends(swap(n, 8, 5, 6));
        peer.expects(atomicAck(n, 5).msn(1));
        assertEquals(6, memory.getLong(8));
        peer.sends(swap(plus(n, 1), 8, 5, 7));
        peer.expects(atomicAck(plus(n, 1), 6).msn(2));
        assertEquals(6, memory.getLong(8));
        memory.isUntouched(0, 8);
        memory.isUntouched(16, 64);
    }

    @Test
    @DisplayName("RDA-21: fetch and add wraps at 2^64 and returns what was there")
    void addsModulo() {
        connect(new Setup());
        memory.putLong(0, -1);
        peer.sends(add(n, 0, 3));
        peer.expects(atomicAck(n, -1));
        assertEquals(2, memory.getLong(0));
    }

    @Test
    @DisplayName("RDA-29: operands are big-endian on the wire, the word in memory has the host's byte order")
    void byteOrder() {
        connect(new Setup());
        memory.putLong(0, 0);
        peer.sends(add(n, 0, 0x0102030405060708L));
        int first = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 8 : 1;
        assertEquals(first, memory.get(0, 1)[0]);
    }

    @ParameterizedTest(name = "offset {0}")
    @ValueSource(longs = {1, 2, 4, 7})
    @DisplayName("RDA-22: an address that is no multiple of 8 gets a NAK Invalid Request")
    void misaligned(long offset) {
        connect(new Setup());
        peer.sends(add(n, offset, 1));
        refused(Rule.ATOMIC_ALIGNMENT, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("RDA-23: a QP without REMOTE_ATOMIC says Invalid Request")
    void qpWithoutRight() {
        connect(new Setup().withAccess(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE));
        peer.sends(add(n, 0, 1));
        refused(Rule.QP_ACCESS, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("RDA-23: a region without REMOTE_ATOMIC says Remote Access Error")
    void regionWithoutRight() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside(), AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
        peer.sends(fetchAdd(n).atomic(other.address(), other.rKey(), 1, 0));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("RDA-24: an atomic that comes again gets its saved result, and memory is not touched again")
    void savedResult() {
        connect(new Setup());
        memory.putLong(0, 10);
        peer.sends(add(n, 0, 1), add(plus(n, 1), 0, 1));
        peer.expects(atomicAck(n, 10), atomicAck(plus(n, 1), 11));
        memory.putLong(0, 99);
        peer.sends(add(n, 0, 1));
        peer.expects(atomicAck(n, 10));
        peer.sends(add(plus(n, 1), 0, 1));
        peer.expects(atomicAck(plus(n, 1), 11));
        assertEquals(99, memory.getLong(0));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RDA-25: an atomic older than the results that are kept is dropped in silence")
    void evictedResult() {
        connect(new Setup().withRdAtomic(1, 2));
        memory.putLong(0, 10);
        for (int i = 0; i < 3; i++) {
            peer.sends(add(plus(n, i), 0, 1));
            peer.expects(atomicAck(plus(n, i), 10 + i));
        }
        peer.sends(add(n, 0, 1));
        peer.expectsNothing();
        device.counted(Rule.DUPLICATE_DROPPED, 1);
        peer.sends(add(plus(n, 1), 0, 1));
        peer.expects(atomicAck(plus(n, 1), 11));
        assertEquals(13, memory.getLong(0));
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("RDA-26: an atomic that comes again with another operand gets the saved result: its PSN is what it is")
    void otherOperand() {
        connect(new Setup());
        memory.putLong(0, 10);
        peer.sends(add(n, 0, 1));
        peer.expects(atomicAck(n, 10));
        peer.sends(swap(n, 64, 0, 1));
        peer.expects(atomicAck(n, 10));
        assertEquals(11, memory.getLong(0));
        memory.isUntouched(64, 8);
    }

    @Test
    @DisplayName("RDA-26: a READ that comes again where an atomic was is dropped: it is not that request")
    void readInPlaceOfAnAtomic() {
        connect(new Setup());
        peer.sends(add(n, 0, 1));
        peer.gets();
        peer.sends(Packets.read(n).at(region, 0, 8));
        peer.expectsNothing();
        device.counted(Rule.DUPLICATE_DROPPED, 1);
    }

    @Test
    @DisplayName("RDA-27: atomics of two connections on one word lose nothing")
    void twoConnections() {
        connect(new Setup());
        QueuePair second = device.another(Peer.QPN + 1);
        memory.putLong(0, 0);
        for (int i = 0; i < 500; i++) {
            peer.hands(add(plus(n, i), 0, 1), add(plus(n, i), 0, 1).destQp(second.qpNum()));
            if (i % 4 == 3) {
                settle();
            }
        }
        settle();
        assertEquals(1000, memory.getLong(0));
        assertEquals(1000, peer.getsAll().size());
    }

    @Test
    @DisplayName("RDA-09: one atomic more than max_dest_rd_atomic gets a NAK, behind the answers that are owed")
    void tooManyAtomics() {
        connect(new Setup().withRdAtomic(1, 2));
        memory.putLong(0, 0);
        peer.sendsTogether(add(n, 0, 1), add(plus(n, 1), 0, 1), add(plus(n, 2), 0, 1));
        peer.expects(atomicAck(n, 0), atomicAck(plus(n, 1), 1), nak(plus(n, 2), Syndrome.NAK_INVALID_REQUEST));
        assertEquals(2, memory.getLong(0));
    }
}
