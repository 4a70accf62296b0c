package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;

/** Group UC, the responder's half: which messages are delivered, and what becomes of the others (9.8.2). */
class UcResponderTest extends UcScene {

    private void received(long id, long offset, WirePacket... packets) {
        WorkCompletion completion = device.completes(id);
        byte[] all = new byte[0];
        for (WirePacket packet : packets) {
            byte[] part = packet.bytes();
            all = Arrays.copyOf(all, all.length + part.length);
            System.arraycopy(part, 0, all, all.length - part.length, part.length);
        }
        assertEquals(all.length, completion.byteLength());
        assertArrayEquals(all, memory.get(offset, all.length));
    }

    @Test
    @DisplayName("UC-02: messages whose packets all come are received, and nothing is ever answered")
    void received() {
        device.receives(1, 0, 1024);
        device.receives(2, 2048, 64);
        WirePacket[] message = {
            sendFirst(n),
            sendMiddle(plus(n, 1)),
            sendLast(plus(n, 2)).payload(9).ackReq()
        };
        accepted(message);
        received(1, 0, message);
        WirePacket only = Packets.packet(Opcode.UC_SEND_ONLY_WITH_IMMEDIATE, plus(n, 3))
                .imm(0x1234)
                .payload(5);
        accepted(only);
        WorkCompletion completion = device.completes(2);
        assertEquals(WcOpcode.RECV, completion.opcode());
        assertEquals(0x1234, completion.immediate());
    }

    @Test
    @DisplayName("UC-01: behind a gap the rest of the message is dropped, whatever its PSNs, until one starts anew")
    void gapInsideAMessage() {
        device.receives(1, 0, 4096);
        accepted(sendFirst(n));
        dropped(Rule.UC_GAP, sendMiddle(plus(n, 2)));
        dropped(Rule.UC_NO_MESSAGE, sendMiddle(plus(n, 1)));
        dropped(Rule.UC_NO_MESSAGE, sendMiddle(plus(n, 3)));
        dropped(Rule.UC_NO_MESSAGE, sendLast(plus(n, 4)).payload(8));
        device.completesNothing();
        WirePacket[] next = {sendFirst(plus(n, 5)), sendLast(plus(n, 6)).payload(8)};
        accepted(next);
        received(1, 0, next);
    }

    @Test
    @DisplayName("UC-01: a packet that comes twice inside of a message breaks it too")
    void duplicateInsideAMessage() {
        device.receives(1, 0, 4096);
        accepted(sendFirst(n), sendMiddle(plus(n, 1)));
        dropped(Rule.UC_GAP, sendMiddle(plus(n, 1)));
        dropped(Rule.UC_NO_MESSAGE, sendLast(plus(n, 2)).payload(8));
        device.completesNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000, 0x7F_FFFF, 0x80_0000, -1})
    @DisplayName("UC-02: a message that starts behind a gap is received, and the PSNs go on from it")
    void gapBetweenMessages(int gap) {
        device.receives(1, 0, 4096);
        device.receives(2, 4096, 4096);
        WirePacket[] message = {
            sendFirst(plus(n, gap)), sendLast(plus(n, gap + 1)).payload(3)
        };
        accepted(message);
        received(1, 0, message);
        WirePacket next = sendOnly(plus(n, gap + 2)).payload(16);
        accepted(next);
        received(2, 4096, next);
    }

    @Test
    @DisplayName("UC-03: the receive of a message that was dropped is the next one's, from its start")
    void receiveIsUsedAgain() {
        device.receives(1, 0, 3 * MTU);
        accepted(sendFirst(n), sendMiddle(plus(n, 1)));
        // The end is lost; the next one starts, and would not fit behind what has come.
        WirePacket[] next = {
            sendFirst(plus(n, 3)), sendMiddle(plus(n, 4)), sendLast(plus(n, 5)).payload(MTU)
        };
        accepted(next);
        received(1, 0, next);
        device.completesNothing();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Opcode.UC_SEND_MIDDLE,
                Opcode.UC_SEND_LAST,
                Opcode.UC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.UC_RDMA_WRITE_MIDDLE,
                Opcode.UC_RDMA_WRITE_LAST,
                Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE
            })
    @DisplayName("UC-04: a packet that goes on with a message that did not start is dropped")
    void noStart(int opcode) {
        device.receives(1, 0, 1024);
        dropped(Rule.UC_NO_MESSAGE, Packets.packet(opcode, n).payload(MTU));
        memory.isUntouched();
        WirePacket only = sendOnly(plus(n, 1)).payload(8);
        accepted(only);
        received(1, 0, only);
    }

    @Test
    @DisplayName("UC-04: a SEND that goes on as a WRITE is dropped, both parts of it")
    void mixedMessage() {
        device.receives(1, 4096, 1024);
        accepted(sendFirst(n));
        dropped(Rule.UC_SEQUENCE, writeLast(plus(n, 1)).payload(8));
        dropped(Rule.UC_NO_MESSAGE, sendLast(plus(n, 2)).payload(8));
        device.completesNothing();
    }

    @Test
    @DisplayName("UC-05, RNR-15: a SEND that finds no receive is dropped to its end")
    void noReceive() {
        dropped(Rule.RECEIVE_MISSING, sendFirst(n));
        device.receives(1, 0, 1024);
        dropped(Rule.UC_NO_MESSAGE, sendLast(plus(n, 1)).payload(8));
        WirePacket only = sendOnly(plus(n, 2)).payload(8);
        accepted(only);
        received(1, 0, only);
    }

    @Test
    @DisplayName("UC-05: a WRITE with immediate data that finds no receive tells of nothing")
    void writeWithoutReceive() {
        dropped(
                Rule.RECEIVE_MISSING,
                Packets.packet(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, n)
                        .at(region, 0, 8)
                        .payload(8));
        device.completesNothing();
    }

    @Test
    @DisplayName("UC-02: WRITEs land where they say, and immediate data takes a receive")
    void writes() {
        device.receives(1, 0, 0);
        WirePacket first = writeFirst(n).at(region, 512, MTU + 100);
        WirePacket last = Packets.packet(Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE, plus(n, 1))
                .imm(77)
                .payload(100)
                .solicited();
        accepted(first, last);
        memory.holds(512, first.bytes());
        memory.holds(512 + MTU, last.bytes());
        WorkCompletion completion = device.completes(1);
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(MTU + 100, completion.byteLength());
        assertEquals(77, completion.immediate());
    }

    @Test
    @DisplayName("UC-06: a WRITE with a wrong key, or over its region's end, writes nothing and harms nobody")
    void wrongKey() {
        dropped(
                Rule.UC_ACCESS,
                writeOnly(n).reth(region.address(), region.rKey() ^ 1, 8).payload(8));
        dropped(Rule.UC_ACCESS, writeFirst(plus(n, 1)).at(region, SIZE - MTU, MTU + 1));
        dropped(Rule.UC_NO_MESSAGE, writeLast(plus(n, 2)).payload(1));
        memory.isUntouched();
        WirePacket good = writeOnly(plus(n, 3)).at(region, 0, 8).payload(8);
        accepted(good);
        memory.holds(0, good.bytes());
        device.raisesNothing();
    }

    @Test
    @DisplayName("UC-06: a WRITE where the queue pair or the region does not allow one is dropped")
    void noRight() {
        MemoryRegion readOnly = device.pd.register(memory.inside(), AccessFlags.REMOTE_READ);
        dropped(Rule.UC_ACCESS, writeOnly(n).at(readOnly, 0, 8).payload(8));
        device.to(QpState.RESET);
        connectAnew(AccessFlags.REMOTE_READ);
        dropped(Rule.UC_ACCESS, writeOnly(n).at(region, 0, 8).payload(8));
        memory.isUntouched();
    }

    private void connectAnew(int access) {
        device.qp.modify(new org.rdma4j.verbs.QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(access));
        device.toRtr();
        device.toRts();
    }

    @Test
    @DisplayName("UC-06: payloads that do not fit opcode, path MTU or RETH are dropped")
    void lengths() {
        device.receives(1, 4096, 4096);
        dropped(Rule.UC_LENGTH, sendFirst(n).payload(MTU - 4));
        dropped(Rule.UC_LENGTH, sendOnly(plus(n, 1)).payload(MTU + 4));
        accepted(sendFirst(plus(n, 2)));
        dropped(Rule.UC_LENGTH, sendLast(plus(n, 3)).payload(0));
        dropped(Rule.UC_LENGTH, writeOnly(plus(n, 4)).at(region, 0, 12).payload(8));
        dropped(Rule.UC_LENGTH, writeOnly(plus(n, 5)).at(region, 0, 4).payload(8));
        dropped(Rule.UC_LENGTH, writeFirst(plus(n, 6)).at(region, 0, MTU));
        dropped(Rule.UC_LENGTH, writeFirst(plus(n, 7)).at(region, 0, (1L << 31) + 1));
        memory.isUntouched(0, 4096);
        device.completesNothing();
    }

    @Test
    @DisplayName("UC-06: a SEND longer than its receive is dropped, and the receive stays (recorded)")
    void sendTooLong() {
        device.receives(1, 0, MTU + 10);
        accepted(sendFirst(n));
        dropped(Rule.UC_RECEIVE_TOO_SMALL, sendLast(plus(n, 1)).payload(11));
        device.completesNothing();
        WirePacket[] next = {sendFirst(plus(n, 2)), sendLast(plus(n, 3)).payload(10)};
        accepted(next);
        received(1, 0, next);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x2C, 0x30, 0x31, 0x32, 0x33, 0x34, 0x36, 0x37, 0x3C, 0x3D})
    @DisplayName("UC-07: READs, atomics and what else the service does not have are dropped")
    void otherOpcodes(int opcode) {
        device.receives(1, 0, 64);
        byte[] bytes = sendOnly(n).payload(64).toBytes(device.qpn());
        bytes[0] = (byte) opcode;
        peer.sendsBytes(bytes);
        assertEquals(Rule.UC_OPCODE, peer.decision());
        peer.expectsNothing();
        accepted(sendOnly(n).payload(8));
        device.completes(1);
    }

    @Test
    @DisplayName("UC-02: packets of another sender are dropped, and one that ends before its headers do")
    void strangers() {
        device.receives(1, 0, 64);
        peer.sendsFrom(Gid.ofIpv4(0x0A00_0009), sendOnly(n).payload(8));
        assertEquals(Rule.WRONG_PEER, peer.decision());
        dropped(Rule.TOO_SHORT, writeOnly(n).at(region, 0, 0).payload(0).cutBy(4));
        device.completesNothing();
    }

    @Test
    @DisplayName("UC-06, QPS-14: a receive whose memory cannot be written fails, and the queue pair with it")
    void receiveFault() {
        MemoryRegion readOnly = device.pd.register(memory.inside(), AccessFlags.REMOTE_READ);
        device.qp.postReceive(new ReceiveWorkRequest().reset(1).sge(readOnly, 0, 64));
        device.receives(2, 0, 64);
        peer.sends(sendOnly(n).payload(8));
        assertEquals(Rule.LOCAL_RECEIVE_FAULT, peer.decision());
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("QPS-02: the first request that finds RTR raises COMM_EST")
    void established() {
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.receives(1, 0, 64);
        accepted(sendOnly(n).payload(8));
        device.raises(AsyncEventType.COMM_EST);
        device.toRts();
        accepted(writeOnly(plus(n, 1)).at(region, 0, 8).payload(8));
        device.raisesNothing();
        assertTrue(device.completes(1).isSuccess());
    }
}
