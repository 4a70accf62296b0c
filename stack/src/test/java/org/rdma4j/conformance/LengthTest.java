package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLast;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group LEN: path MTU, pad, DMALen, buffers that are too small (9.7.4.1.3 on, 9.9.3). */
class LengthTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    private void invalid(Rule rule, int psn) {
        refused(rule, psn, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 4, 252, 255, 257, 260, 512})
    @DisplayName("LEN-01: FIRST and MIDDLE carry exactly the path MTU")
    void firstIsAFullPacket(int length) {
        peer.sends(writeFirst(n).at(region, 0, 1000).payload(length));
        invalid(Rule.PAYLOAD_LENGTH, n);
        memory.isUntouched();
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 4, 255, 257, 512})
    @DisplayName("LEN-01: a MIDDLE likewise; the receive that the message had taken fails")
    void middleIsAFullPacket(int length) {
        device.receives(1, 0, 2048);
        peer.sends(sendFirst(n).payload(256), sendMiddle(plus(n, 1)).payload(length));
        refused(Rule.PAYLOAD_LENGTH, plus(n, 1), Syndrome.NAK_INVALID_REQUEST, null);
        device.completes(1, WcStatus.LOC_QP_OP_ERR);
        memory.isUntouched(256, 1000);
    }

    @Test
    @DisplayName("LEN-02: a LAST carries at least one byte, of a WRITE")
    void lastOfAWriteIsNotEmpty() {
        peer.sends(writeFirst(n).at(region, 0, 256).payload(256));
        invalid(Rule.PAYLOAD_LENGTH, n); // such a WRITE must have been an ONLY
    }

    @Test
    @DisplayName("LEN-02: a LAST carries at least one byte, of a SEND")
    void lastOfASendIsNotEmpty() {
        device.receives(1, 0, 2048);
        peer.sends(sendFirst(n).payload(256), sendLast(plus(n, 1)).payload(0));
        refused(Rule.PAYLOAD_LENGTH, plus(n, 1), Syndrome.NAK_INVALID_REQUEST, null);
        device.completes(1, WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    @DisplayName("LEN-03: an ONLY carries at most the path MTU")
    void onlyTooLong() {
        peer.sends(writeOnly(n).at(region, 0, 257).payload(257));
        invalid(Rule.PAYLOAD_LENGTH, n);
        memory.isUntouched();
    }

    @Test
    @DisplayName("LEN-03: a LAST carries at most the path MTU")
    void lastTooLong() {
        peer.sends(
                writeFirst(n).at(region, 0, 256 + 260).payload(256),
                writeLast(plus(n, 1)).payload(260));
        invalid(Rule.PAYLOAD_LENGTH, plus(n, 1));
        memory.isUntouched(256, 260);
    }

    @Test
    @DisplayName("LEN-03: a READ carries no payload at all")
    void readWithPayload() {
        peer.sends(read(n).at(region, 0, 8).payload(4));
        invalid(Rule.PAYLOAD_LENGTH, n);
    }

    @ParameterizedTest(name = "PadCnt {0}")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("LEN-04: a FIRST with a pad has not the path MTU's bytes any more")
    void padOnFirst(int pad) {
        peer.sends(writeFirst(n).at(region, 0, 1000).payload(256).pad(pad));
        invalid(Rule.PAYLOAD_LENGTH, n);
    }

    @Test
    @DisplayName("LEN-04: nor has it with a pad behind a full payload")
    void padBehindAFullPayload() {
        byte[] bytes = writeFirst(n).at(region, 0, 1000).payload(260).pad(0).toBytes(device.qpn());
        bytes[1] |= 0x30; // 257 bytes and three of pad
        peer.sendsBytes(bytes);
        invalid(Rule.PAYLOAD_LENGTH, n);
    }

    @ParameterizedTest(name = "PadCnt {0}")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("LEN-05: a pad that is longer than what it pads is dropped in silence")
    void padLongerThanPayload(int pad) {
        peer.sends(sendOnly(n).payload(0).pad(pad));
        assertEquals(Rule.TOO_SHORT, peer.decision());
        peer.expectsNothing();
        isAlive(n);
    }

    @Test
    @DisplayName("LEN-06: pad bytes other than zero are accepted, and not written to memory")
    void padBytes() {
        WirePacket write = writeOnly(n).at(region, 0, 5).payload(5).padOf(0xEE).ackReq();
        peer.sends(write);
        peer.expects(ack(n).msn(1));
        memory.holds(0, write.bytes());
        memory.isUntouched(5, 16);
    }

    @Test
    @DisplayName("LEN-07: a WRITE or READ of more than 2^31 bytes gets a NAK Invalid Request")
    void tooLong() {
        peer.sends(writeFirst(n).at(region, 0, (1L << 31) + 1).payload(256));
        invalid(Rule.MESSAGE_LENGTH, n);
    }

    @Test
    @DisplayName("LEN-07: a READ of more than 2^31 bytes likewise")
    void readTooLong() {
        peer.sends(read(n).at(region, 0, 0xFFFF_FFFFL));
        invalid(Rule.MESSAGE_LENGTH, n);
    }

    @Test
    @DisplayName("LEN-08: 2^31 bytes exactly are legal")
    void longest() {
        MemoryRegion large = device.register(sparse(1L << 31));
        WirePacket first = writeFirst(n).at(large, 0, 1L << 31).payload(256).ackReq();
        peer.sends(first, writeMiddle(plus(n, 1)).payload(256).ackReq());
        peer.expects(ack(n).msn(0), ack(plus(n, 1)).msn(0));
        device.isIn(QpState.RTS);
        assertEquals(
                -1, large.memory().asSlice(0, 256).mismatch(java.lang.foreign.MemorySegment.ofArray(first.bytes())));
    }

    @Test
    @DisplayName("LEN-09: a WRITE whose packets are more than its DMALen gets a NAK Invalid Request")
    void moreThanAnnounced() {
        peer.sends(
                writeFirst(n).at(region, 0, 300).payload(256),
                writeLast(plus(n, 1)).payload(45));
        invalid(Rule.PAYLOAD_LENGTH, plus(n, 1));
        memory.isUntouched(256, 100);
    }

    @Test
    @DisplayName("LEN-09: one whose MIDDLE already fills it likewise")
    void middleFillsIt() {
        peer.sends(
                writeFirst(n).at(region, 0, 512).payload(256),
                writeMiddle(plus(n, 1)).payload(256));
        invalid(Rule.PAYLOAD_LENGTH, plus(n, 1));
        memory.isUntouched(256, 256);
    }

    @ParameterizedTest(name = "{0} bytes in the LAST")
    @ValueSource(ints = {1, 43})
    @DisplayName("LEN-09: one whose packets are less likewise")
    void lessThanAnnounced(int last) {
        peer.sends(
                writeFirst(n).at(region, 0, 300).payload(256),
                writeLast(plus(n, 1)).payload(last));
        invalid(Rule.PAYLOAD_LENGTH, plus(n, 1));
    }

    @Test
    @DisplayName("LEN-10: a SEND longer than the receive: NAK Invalid Request, LOC_LEN_ERR, ERR")
    void sendTooLong() {
        device.receives(1, 0, 300);
        device.receives(2, 1024, 300);
        peer.sends(sendFirst(n).payload(256), sendLast(plus(n, 1)).payload(45));
        refused(Rule.RECEIVE_TOO_SMALL, plus(n, 1), Syndrome.NAK_INVALID_REQUEST, null);
        device.completes(1, WcStatus.LOC_LEN_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.completesNothing();
        memory.isUntouched(256, 100);
    }

    @Test
    @DisplayName("LEN-11: a SEND that exactly fills the receive's pieces succeeds and tells its length")
    void exactFit() {
        ReceiveWorkRequest receive = new ReceiveWorkRequest()
                .reset(1)
                .sge(region, 0, 100)
                .sge(region, 200, 0)
                .sge(region, 300, 156)
                .sge(region, 1000, 44);
        device.qp.postReceive(receive);
        WirePacket first = sendFirst(n).payload(256);
        WirePacket last = sendLast(plus(n, 1)).payload(44).ackReq();
        peer.sends(first, last);
        peer.expects(ack(plus(n, 1)).msn(1));
        assertEquals(300, device.completes(1).byteLength());
        memory.holds(0, java.util.Arrays.copyOf(first.bytes(), 100));
        memory.holds(300, java.util.Arrays.copyOfRange(first.bytes(), 100, 256));
        memory.holds(1000, last.bytes());
        memory.isUntouched(100, 200);
        memory.isUntouched(456, 500);
        memory.isUntouched(1044, 500);
    }

    @Test
    @DisplayName("LEN-12: a READ asks for as many bytes as its pieces hold, never more")
    void readOfItsPieces() {
        device.posts(Host.request(WrOpcode.RDMA_READ, 1).sge(region, 0, 100).sge(region, 500, 33));
        peer.expects(read(m).reth(Peer.ADDRESS, Peer.R_KEY, 133));
    }

    @Test
    @DisplayName("LEN-13: the path MTU is fixed with RTR: a change in SQD is refused by name")
    void mtuIsFixed() {
        device.to(QpState.SQD);
        QpAttributes change = new QpAttributes().pathMtu(512);
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.qp.modify(change));
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains("PATH_MTU"), refusal::getMessage);
        assertEquals(256, device.qp.query().pathMtu());
    }

    @Test
    @DisplayName("LEN-14: a message of more than 2^31 bytes is refused when posted, and nothing is sent")
    void messageTooLong() {
        SendWorkRequest send = Host.request(WrOpcode.RDMA_WRITE, 1);
        send.sge(region.address(), Integer.MAX_VALUE, region.lKey()).sge(region.address(), 2, region.lKey());
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.posts(send));
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        settle();
        peer.expectsNothing();
        device.completesNothing();
    }

    @Test
    @DisplayName("LEN-14: a piece that is not inside its region fails locally, and nothing of its message is sent")
    void pieceOutsideOfItsRegion() {
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, 1000).sge(region, SIZE - 8, 9));
        peer.expectsNothing();
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.isIn(QpState.ERR);
    }

    @Test
    @DisplayName("LEN-15: more inline bytes than max_inline_data are refused when posted")
    void tooMuchInline() {
        device.posts(Host.request(WrOpcode.SEND, 1).inlineData(memory.inside(), 0, 64));
        peer.expects(sendOnly(m).payload(memory.get(0, 64)));
        SendWorkRequest send = Host.request(WrOpcode.SEND, 2).inlineData(memory.inside(), 0, 65);
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.posts(send));
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains("65") && refusal.getMessage().contains("64"), refusal::getMessage);
    }

    @Test
    @DisplayName("LEN-16: a WRITE of no bytes is acknowledged whatever its RETH says, and touches nothing")
    void emptyWrite() {
        peer.sends(writeOnly(n).reth(0xDEAD_BEEFL, 0x1234, 0).payload(0).ackReq());
        peer.expects(ack(n).msn(1));
        memory.isUntouched();
        isAlive(plus(n, 1));
    }
}
