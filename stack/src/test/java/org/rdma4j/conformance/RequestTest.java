package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendLastImm;
import static org.rdma4j.conformance.Packets.sendLastInv;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.sendOnlyImm;
import static org.rdma4j.conformance.Packets.sendOnlyInv;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLast;
import static org.rdma4j.conformance.Packets.writeLastImm;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;
import static org.rdma4j.conformance.Packets.writeOnlyImm;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Syndrome;

/** Group OPS, the responder of SENDs and WRITEs: immediates, invalidation, the order of checks (9.4, 9.7.4). */
class RequestTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    @Test
    @DisplayName("OPS-06: SEND with invalidate ends the use of the key and names it in the completion, ONLY and LAST")
    void sendWithInvalidate() {
        MemoryRegion first = device.register(memory.inside());
        MemoryRegion second = device.register(memory.inside());
        device.receives(1, 0, 512);
        device.receives(2, 0, 512);
        peer.sends(sendOnlyInv(n, first.rKey()).payload(8).ackReq());
        peer.expects(ack(n).msn(1));
        WorkCompletion completion = device.completes(1);
        assertTrue(completion.hasInvalidatedKey());
        assertEquals(first.rKey(), completion.invalidatedKey());
        assertFalse(completion.hasImmediate());
        assertEquals(WcOpcode.RECV, completion.opcode());
        peer.sends(
                sendFirst(plus(n, 1)).payload(256),
                sendLastInv(plus(n, 2), second.rKey()).payload(8).ackReq());
        peer.expects(ack(plus(n, 2)).msn(2));
        assertEquals(second.rKey(), device.completes(2).invalidatedKey());
        peer.sends(writeOnly(plus(n, 3)).at(first, 0, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, plus(n, 3), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    private void cannotInvalidate(int key) {
        device.receives(1, 0, 512);
        device.receives(2, 0, 512);
        peer.sends(sendOnlyInv(n, key).payload(8).ackReq());
        assertEquals(Rule.INVALIDATE_FAULT, peer.decision());
        peer.expectsNothing();
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.ERR);
    }

    @Test
    @DisplayName("OPS-07: SEND with invalidate of an unknown key: no NAK, the receive fails, ERR")
    void invalidatesUnknownKey() {
        cannotInvalidate(region.rKey() ^ 0x10);
    }

    @Test
    @DisplayName("OPS-07: likewise of a key of another protection domain, which stays valid")
    void invalidatesForeignKey() {
        MemoryRegion foreign = device.context.allocPd().register(memory.inside(), Setup.ALL_ACCESS);
        cannotInvalidate(foreign.rKey());
    }

    @Test
    @DisplayName("OPS-07: likewise of a key that gives no remote rights")
    void invalidatesLocalKey() {
        cannotInvalidate(
                device.register(memory.inside(), AccessFlags.LOCAL_WRITE).lKey());
    }

    @Test
    @DisplayName("OPS-07: likewise of a key that is invalidated already")
    void invalidatesTwice() {
        MemoryRegion once = device.register(memory.inside());
        device.receives(0, 0, 512);
        peer.sends(sendOnlyInv(n, once.rKey()).payload(8));
        device.completes(0);
        device.receives(1, 0, 512);
        peer.sends(sendOnlyInv(plus(n, 1), once.rKey()).payload(8));
        assertEquals(Rule.INVALIDATE_FAULT, peer.decision());
        device.completes(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    @DisplayName("OPS-08: the immediate's four bytes come as a big-endian number; without one there is none")
    void immediates() {
        for (int i = 0; i < 4; i++) {
            device.receives(i, 512L * i, 512);
        }
        peer.sends(
                sendFirst(n).payload(256),
                sendLastImm(plus(n, 1), 0x80000001).payload(8),
                sendFirst(plus(n, 2)).payload(256),
                sendLast(plus(n, 3)).payload(8),
                sendOnlyImm(plus(n, 4), 0x01020304).payload(8),
                sendOnly(plus(n, 5)).payload(8));
        assertEquals(0x80000001, withImmediate(device.completes(0)));
        assertFalse(device.completes(1).hasImmediate());
        assertEquals(0x01020304, withImmediate(device.completes(2)));
        assertFalse(device.completes(3).hasImmediate());
    }

    private static int withImmediate(WorkCompletion completion) {
        assertTrue(completion.hasImmediate());
        return completion.immediate();
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 8, 300})
    @DisplayName("OPS-09: WRITE with immediate takes one receive, writes nothing to it, and tells the WRITE's length")
    void writeWithImmediate(int length) {
        device.receives(1, 1024, 16);
        device.receives(2, 1024, 16);
        if (length <= 256) {
            peer.sends(writeOnlyImm(n, 9).at(region, 0, length).payload(length).ackReq());
            peer.expects(ack(n, 1).msn(1));
        } else {
            peer.sends(
                    writeFirst(n).at(region, 0, length).payload(256),
                    writeLastImm(plus(n, 1), 9).payload(length - 256).ackReq());
            peer.expects(ack(plus(n, 1), 1).msn(1));
        }
        WorkCompletion completion = device.completes(1);
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(length, completion.byteLength());
        assertEquals(9, withImmediate(completion));
        device.completesNothing();
        memory.isUntouched(1024, 16);
        memory.isUntouched(length, 64);
    }

    @Test
    @DisplayName("OPS-13: the opcode's place counts before its R_Key")
    void sequenceBeforeKey() {
        peer.sends(
                writeFirst(n).at(region, 0, 512).payload(256),
                writeOnly(plus(n, 1)).reth(1, 2, 8).payload(8));
        refused(Rule.OPCODE_SEQUENCE, plus(n, 1), Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("OPS-13: the PSN counts before the opcode's place")
    void psnBeforeSequence() {
        peer.sends(writeLast(plus(n, 1)).payload(8));
        assertEquals(Rule.PSN_SEQUENCE, peer.decision());
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("OPS-13: the receive counts before the length")
    void receiveBeforeLength() {
        peer.sends(sendFirst(n).payload(8));
        assertEquals(Rule.RECEIVE_NOT_READY, peer.decision());
    }

    @Test
    @DisplayName("OPS-13: the length counts before the R_Key")
    void lengthBeforeKey() {
        peer.sends(writeOnly(n).reth(1, 2, 9).payload(8));
        refused(Rule.PAYLOAD_LENGTH, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("MEM-08: when the SEND behind a WRITE completes, the WRITE's bytes are there")
    void writeBeforeSend() {
        device.receives(1, 1024, 64);
        WirePacket write = writeOnly(n).at(region, 0, 200).payload(200);
        peer.hands(write, sendOnly(plus(n, 1)).payload(8));
        while (!device.cq.poll(new WorkCompletion())) {
            device.context.progress();
        }
        memory.holds(0, write.bytes());
    }

    @Test
    @DisplayName(
            "MEM-09: the packets of a WRITE are placed in their order, each as a whole; within one no order is promised")
    void placedInOrder() {
        WirePacket first = writeFirst(n).at(region, 0, 600).payload(256);
        WirePacket second = writeMiddle(plus(n, 1)).payload(256);
        peer.sends(first);
        memory.holds(0, first.bytes());
        memory.isUntouched(256, 344);
        peer.sends(second);
        memory.holds(256, second.bytes());
        memory.isUntouched(512, 88);
        peer.sends(writeLast(plus(n, 2)).payload(88));
        assertEquals(
                -1,
                memory.inside()
                        .asSlice(512, 88)
                        .mismatch(MemorySegment.ofArray(
                                writeLast(plus(n, 2)).payload(88).bytes())));
    }
}
