package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Opcode;

/** Group UC, the requester's half: what leaves, and when it is complete (9.8.2). */
class UcRequesterTest extends UcScene {

    private static SendWorkRequest request(WrOpcode opcode, long id) {
        return Host.request(opcode, id);
    }

    @Test
    @DisplayName("UC-08: a request completes when its last packet is on the wire, and asks for no acknowledgement")
    void completesWhenSent() {
        memory.put(0, HandPlayedLink.bytes(9, 600));
        device.posts(
                request(WrOpcode.SEND, 1).sge(region, 0, 600).solicited(),
                request(WrOpcode.RDMA_WRITE_WITH_IMM, 2).sge(region, 0, 300).immediate(5),
                request(WrOpcode.SEND_WITH_IMM, 3).immediate(6));
        peer.expects(
                Packets.packet(Opcode.UC_SEND_FIRST, m)
                        .destQp(Peer.QPN)
                        .ackReq(false)
                        .solicited(false)
                        .payload(memory.get(0, MTU)),
                Packets.packet(Opcode.UC_SEND_MIDDLE, plus(m, 1)).ackReq(false).payload(memory.get(MTU, MTU)),
                Packets.packet(Opcode.UC_SEND_LAST, plus(m, 2))
                        .ackReq(false)
                        .solicited()
                        .payload(memory.get(2 * MTU, 600 - 2 * MTU)),
                Packets.packet(Opcode.UC_RDMA_WRITE_FIRST, plus(m, 3))
                        .reth(Peer.ADDRESS, Peer.R_KEY, 300)
                        .payload(memory.get(0, MTU)),
                Packets.packet(Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE, plus(m, 4))
                        .imm(5)
                        .payload(memory.get(MTU, 300 - MTU)),
                Packets.packet(Opcode.UC_SEND_ONLY_WITH_IMMEDIATE, plus(m, 5))
                        .imm(6)
                        .payload(new byte[0]));
        peer.expectsNothing();
        assertEquals(WcOpcode.SEND, device.completes(1).opcode());
        assertEquals(WcOpcode.RDMA_WRITE, device.completes(2).opcode());
        device.completes(3);
    }

    @Test
    @DisplayName("UC-08: unsignaled requests complete in silence and give their places back")
    void unsignaled() {
        for (int i = 0; i < 1000; i++) {
            device.posts(Host.unsignaled(WrOpcode.RDMA_WRITE, i).sge(region, 0, 8));
        }
        device.completesNothing();
        assertEquals(1000, peer.waiting());
    }

    @Test
    @DisplayName("UC-08: a long message leaves over many turns, each packet once")
    void longMessage() {
        device.posts(request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, SIZE));
        assertEquals(SIZE / MTU, peer.waiting());
        assertEquals(plus(m, SIZE / MTU - 1), peer.getsAll().getLast().bth().psn());
        device.completes(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "SEND_WITH_INV"})
    @DisplayName("UC-07: operations that the service does not have are refused when posted")
    void otherOperations(WrOpcode opcode) {
        VerbsException refusal = assertThrows(
                VerbsException.class,
                () -> device.qp.postSend(request(opcode, 1).sge(region, 0, 8)));
        assertTrue(refusal.getMessage().contains(opcode.name()), refusal::getMessage);
        device.completesNothing();
    }

    @Test
    @DisplayName("QPS-12: memory that cannot be read is a local error; SQE, and RTS again with the PSNs going on")
    void localError() {
        device.receives(9, 4096, 64);
        device.posts(
                request(WrOpcode.SEND, 1).sge(region, 0, 8),
                request(WrOpcode.SEND, 2).sge(region.address(), 8, region.lKey() ^ 1),
                request(WrOpcode.SEND, 3).sge(region, 0, 8));
        device.completes(1);
        device.completes(2, WcStatus.LOC_PROT_ERR);
        device.completes(3, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.SQE);
        peer.sends(sendOnly(n).payload(8));
        device.completes(9);
        device.to(QpState.RTS);
        device.posts(request(WrOpcode.SEND, 4).sge(region, 0, 8));
        device.completes(4);
        peer.expects(Packets.packet(Opcode.UC_SEND_ONLY, m), Packets.packet(Opcode.UC_SEND_ONLY, plus(m, 1)));
    }

    @Test
    @DisplayName("QPS-12: LOCAL_INV takes the key away behind what was posted before it, and no PSN")
    void localInvalidate() {
        MemoryRegion other = device.register(memory.inside());
        device.posts(
                request(WrOpcode.SEND, 1).sge(other, 0, 8),
                request(WrOpcode.LOCAL_INV, 2).invalidate(other.rKey()),
                request(WrOpcode.SEND, 3).sge(region, 0, 8),
                request(WrOpcode.SEND, 4).sge(other, 0, 8));
        device.completes(1);
        assertEquals(WcOpcode.LOCAL_INV, device.completes(2).opcode());
        device.completes(3);
        device.completes(4, WcStatus.LOC_PROT_ERR);
        peer.expects(Packets.packet(Opcode.UC_SEND_ONLY, m), Packets.packet(Opcode.UC_SEND_ONLY, plus(m, 1)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName(
            "QPS-12: SQD sends what has begun to its end, and tells when that is done; what is posted behind it waits")
    void drained() {
        device.qp.postSend(request(WrOpcode.RDMA_WRITE, 1).sge(region, 0, SIZE));
        device.qp.postSend(request(WrOpcode.SEND, 2).sge(region, 0, 8));
        device.context.progress();
        int begun = peer.waiting();
        assertTrue(begun > 0 && begun < SIZE / MTU, () -> begun + " packets have left");
        device.qp.modify(new QpAttributes().state(QpState.SQD).sqdAsyncNotify(true));
        device.raisesNothing();
        settle();
        device.raises(AsyncEventType.SQ_DRAINED);
        assertEquals(SIZE / MTU, peer.waiting());
        device.completes(1);
        device.completesNothing();
        device.to(QpState.RTS);
        device.completes(2);
    }

    @Test
    @DisplayName("QPS-12: ERR flushes what is posted behind it")
    void flushed() {
        device.receives(1, 0, 64);
        device.to(QpState.ERR);
        device.completes(1, WcStatus.WR_FLUSH_ERR);
        device.posts(request(WrOpcode.SEND, 2).sge(region, 0, 8));
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.receives(3, 0, 64);
        device.completes(3, WcStatus.WR_FLUSH_ERR);
    }
}
