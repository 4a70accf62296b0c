package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rdma4j.conformance.Packets.packet;
import static org.rdma4j.conformance.Packets.sendOnly;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** Group XRC: extended reliable connections (annex A14). */
class XrcTest extends RcScene {

    private void connectTarget() {
        connect(new Setup().withType(QpType.XRC_RECV).withSrq(8));
    }

    private void connectInitiator() {
        connect(new Setup().withType(QpType.XRC_SEND));
    }

    private WirePacket send(int psn) {
        return packet(Opcode.XRC_SEND_ONLY, psn)
                .srq(device.srq.number())
                .payload(8)
                .ackReq();
    }

    private static WirePacket ack(int psn) {
        return packet(Opcode.XRC_ACKNOWLEDGE, psn);
    }

    private void refusedBy(Rule rule, int psn, int syndrome, AsyncEventType event) {
        peer.expects(ack(psn).syndrome(syndrome));
        assertEquals(rule, peer.decision());
        device.isIn(QpState.ERR);
        device.raises(AsyncEventType.QP_LAST_WQE_REACHED);
        device.raises(event);
    }

    /** A shared queue of the same domain, with a protection domain and a completion queue of its own. */
    private record Second(ProtectionDomain pd, CompletionQueue cq, SharedReceiveQueue srq, MemoryRegion region) {}

    private Second second() {
        ProtectionDomain pd = device.context.allocPd();
        CompletionQueue cq = device.context.createCq(8);
        MemoryRegion memoryOfIt = pd.register(memory.inside(), Setup.ALL_ACCESS);
        return new Second(pd, cq, pd.createXrcSrq(8, 1, device.domain, cq), memoryOfIt);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 7, 0xFFFFFF})
    @DisplayName("XRC-01: a message for a shared queue that the domain does not have gets a NAK Invalid Request")
    void unknownSrq(int number) {
        connectTarget();
        device.receives(1, 0, 64);
        peer.sends(send(n).srq(number));
        refusedBy(Rule.XRC_SRQ, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        device.completesNothing();
    }

    @Test
    @DisplayName("XRC-01: likewise for one of another domain, or of none")
    void srqOfAnotherDomain() {
        connectTarget();
        SharedReceiveQueue foreign = device.pd.createXrcSrq(8, 1, device.context.openXrcDomain(), device.cq);
        assertEquals(0, device.pd.createSrq(8, 1).number());
        foreign.post(new ReceiveWorkRequest().reset(1).sge(region, 0, 64));
        peer.sends(send(n).srq(foreign.number()));
        refusedBy(Rule.XRC_SRQ, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("XRC-01: and for one that was destroyed")
    void srqDestroyed() {
        connectTarget();
        Second second = second();
        second.srq.close();
        peer.sends(send(n).srq(second.srq.number()));
        refusedBy(Rule.XRC_SRQ, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("XRC-01: and for one that is destroyed in the middle of the message: its next packet")
    void srqDestroyedInAMessage() {
        connectTarget();
        Second second = second();
        second.srq.post(new ReceiveWorkRequest().reset(2).sge(second.region, 64, 1024));
        int number = second.srq.number();
        peer.sends(packet(Opcode.XRC_SEND_FIRST, n).srq(number).payload(256));
        second.srq.close();
        second.cq.close();
        peer.sends(packet(Opcode.XRC_SEND_MIDDLE, plus(n, 1)).srq(number).payload(256));
        peer.expects(ack(plus(n, 1)).syndrome(Syndrome.NAK_INVALID_REQUEST));
        assertEquals(Rule.XRC_SRQ, peer.decision());
        device.isIn(QpState.ERR);
        memory.isUntouched(64 + 256, SIZE - 64 - 256);
    }

    @Test
    @DisplayName("XRC-01: RESET ends such a message, so that the next connection begins as any other")
    void resetInAMessageWhoseSrqWasDestroyed() {
        connectTarget();
        Second second = second();
        second.srq.post(new ReceiveWorkRequest().reset(2).sge(second.region, 64, 1024));
        peer.sends(packet(Opcode.XRC_SEND_FIRST, n).srq(second.srq.number()).payload(256));
        second.srq.close();
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        device.receives(1, 0, 64);
        peer.sends(send(n));
        peer.expects(ack(n));
        device.completes(1);
    }

    @Test
    @DisplayName(
            "XRC-02: each message takes the receive of the queue it names, and that queue's CQ tells, with its number")
    void eachMessageItsOwnQueue() {
        connectTarget();
        Second second = second();
        device.receives(1, 0, 64);
        second.srq.post(new ReceiveWorkRequest().reset(2).sge(second.region, 64, 64));
        WirePacket other = packet(Opcode.XRC_SEND_ONLY_WITH_IMMEDIATE, n)
                .srq(second.srq.number())
                .payload(8)
                .imm(5);
        WirePacket mine = send(plus(n, 1));
        peer.sends(other, mine);
        peer.expects(ack(plus(n, 1)).syndrome(0x1F).msn(2));
        assertEquals(device.srq.number(), device.completes(1).srqNum());
        WorkCompletion completion = new WorkCompletion();
        second.cq.poll(completion);
        assertEquals(2, completion.wrId());
        assertEquals(WcStatus.SUCCESS, completion.status());
        assertEquals(second.srq.number(), completion.srqNum());
        assertEquals(5, completion.immediate());
        memory.holds(0, mine.bytes());
        memory.holds(64, other.bytes());
    }

    @Test
    @DisplayName("XRC-02: a message of several packets goes to the queue that its first packet names")
    void longMessage() {
        connectTarget();
        device.receives(1, 0, 1024);
        int number = device.srq.number();
        peer.sends(
                packet(Opcode.XRC_SEND_FIRST, n).srq(number).payload(256),
                packet(Opcode.XRC_SEND_MIDDLE, plus(n, 1)).srq(number).payload(256),
                packet(Opcode.XRC_SEND_LAST, plus(n, 2)).srq(number).payload(5).ackReq());
        peer.expects(ack(plus(n, 2)).msn(1));
        assertEquals(517, device.completes(1).byteLength());
    }

    @Test
    @DisplayName("XRC-02: READs, WRITEs and atomics name a queue too: in its protection domain their keys count")
    void keysCountInTheQueuesDomain() {
        connectTarget();
        Second second = second();
        peer.sends(packet(Opcode.XRC_RDMA_WRITE_ONLY, n)
                .srq(second.srq.number())
                .at(second.region, 0, 8)
                .payload(8)
                .ackReq());
        peer.expects(ack(n));
        peer.sends(packet(Opcode.XRC_RDMA_READ_REQUEST, plus(n, 1))
                .srq(device.srq.number())
                .at(region, 0, 8));
        peer.expects(packet(Opcode.XRC_RDMA_READ_RESPONSE_ONLY, plus(n, 1)).payload(memory.get(0, 8)));
        long before = memory.getLong(8);
        peer.sends(packet(Opcode.XRC_FETCH_ADD, plus(n, 2))
                .srq(device.srq.number())
                .atomic(region.address() + 8, region.rKey(), 1, 0));
        peer.expects(packet(Opcode.XRC_ATOMIC_ACKNOWLEDGE, plus(n, 2)).original(before));
        assertEquals(before + 1, memory.getLong(8));
        peer.sends(packet(Opcode.XRC_RDMA_WRITE_ONLY, plus(n, 3))
                .srq(device.srq.number())
                .at(second.region, 0, 8)
                .payload(8));
        refusedBy(Rule.REMOTE_ACCESS, plus(n, 3), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("XRC-02: a READ is answered again in the domain it was asked in, whatever came since")
    void readIsAnsweredAgain() {
        connectTarget();
        Second second = second();
        WirePacket read =
                packet(Opcode.XRC_RDMA_READ_REQUEST, n).srq(second.srq.number()).at(second.region, 0, 8);
        peer.sends(
                read,
                packet(Opcode.XRC_RDMA_WRITE_ONLY, plus(n, 1))
                        .srq(device.srq.number())
                        .at(region, 64, 8)
                        .payload(8)
                        .ackReq());
        peer.getsAll();
        peer.sends(read);
        assertEquals(Rule.DUPLICATE_ANSWERED, peer.decision());
        peer.expects(packet(Opcode.XRC_RDMA_READ_RESPONSE_ONLY, n).payload(memory.get(0, 8)));
    }

    @Test
    @DisplayName("XRC-02: an empty queue gets an RNR NAK, and the message is taken when it comes again")
    void emptyQueue() {
        connectTarget();
        peer.sends(send(n));
        peer.expects(ack(n).syndrome(Syndrome.rnrNak(12)));
        device.receives(1, 0, 64);
        peer.sends(send(n));
        peer.expects(ack(n));
        device.completes(1);
    }

    @Test
    @DisplayName("XRC-02: the initiator's requests carry the queue's number behind the BTH, all of them")
    void initiatorNamesTheQueue() {
        connectInitiator();
        device.posts(
                Host.request(WrOpcode.SEND, 1).remoteSrq(5).sge(region, 0, 300),
                Host.request(WrOpcode.RDMA_READ, 2).remoteSrq(6).sge(region, 1024, 8),
                Host.request(WrOpcode.ATOMIC_FETCH_AND_ADD, 3)
                        .remoteSrq(7)
                        .sge(region, 2048, 8)
                        .fetchAdd(1),
                Host.request(WrOpcode.RDMA_WRITE, 4).remoteSrq(8).sge(region, 0, 8));
        peer.expects(
                packet(Opcode.XRC_SEND_FIRST, m).srq(5).payload(memory.get(0, 256)),
                packet(Opcode.XRC_SEND_LAST, plus(m, 1)).srq(5).payload(memory.get(256, 44)),
                packet(Opcode.XRC_RDMA_READ_REQUEST, plus(m, 2)).srq(6).reth(Peer.ADDRESS, Peer.R_KEY, 8),
                packet(Opcode.XRC_FETCH_ADD, plus(m, 3)).srq(7).atomic(Peer.ADDRESS, Peer.R_KEY, 1, 0),
                packet(Opcode.XRC_RDMA_WRITE_ONLY, plus(m, 4)).srq(8).reth(Peer.ADDRESS, Peer.R_KEY, 8));
        WirePacket response =
                packet(Opcode.XRC_RDMA_READ_RESPONSE_ONLY, plus(m, 2)).payload(8);
        peer.sends(
                ack(plus(m, 1)),
                response,
                packet(Opcode.XRC_ATOMIC_ACKNOWLEDGE, plus(m, 3)).original(9));
        peer.sends(ack(plus(m, 4)));
        device.completes(1);
        assertEquals(WcOpcode.RDMA_READ, device.completes(2).opcode());
        device.completes(3);
        device.completes(4);
        memory.holds(1024, response.bytes());
        assertEquals(9, memory.getLong(2048));
    }

    @Test
    @DisplayName("XRC-02: what is lost is sent again with its number")
    void resend() {
        connectInitiator();
        device.posts(Host.request(WrOpcode.SEND, 1).remoteSrq(5).sge(region, 0, 8));
        peer.getsAll();
        passes(timeout(14));
        peer.expects(packet(Opcode.XRC_SEND_ONLY, m).srq(5));
    }

    @Test
    @DisplayName("XRC-03: an RC packet at an XRC target is dropped in silence")
    void rcOpcode() {
        connectTarget();
        peer.sends(sendOnly(n).payload(8).ackReq());
        assertEquals(Rule.OPCODE_CLASS, peer.decision());
        peer.expectsNothing();
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("XRC-03: so is a request at an initiator")
    void requestAtInitiator() {
        connectInitiator();
        peer.sends(packet(Opcode.XRC_SEND_ONLY, n).srq(1).payload(8).ackReq());
        assertEquals(Rule.XRC_REQUEST_AT_INITIATOR, peer.decision());
        peer.expectsNothing();
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("XRC-03: each end posts only what it has: no receives at either, no sends at a target")
    void posting() {
        connectTarget();
        VerbsException refusal =
                assertThrows(VerbsException.class, () -> device.qp.postSend(Host.request(WrOpcode.SEND, 1)));
        assertEquals("a XRC_RECV queue pair does not do SEND", refusal.getMessage());
        assertThrows(VerbsException.class, () -> device.qp.postReceive(new ReceiveWorkRequest()));
        assertThrows(VerbsException.class, device.domain::close);
        MemoryRegion readable = device.register(memory.inside(), AccessFlags.REMOTE_READ);
        readable.close();
    }

    @Test
    @DisplayName("XRC-03: a request that names no queue is refused when posted")
    void noQueueNamed() {
        connectInitiator();
        assertThrows(VerbsException.class, () -> device.qp.postSend(Host.request(WrOpcode.SEND, 1)));
        peer.expectsNothing();
    }
}
