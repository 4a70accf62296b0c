package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Opcode;

/** A device with one unreliable connection, and its peer played by hand. */
abstract class UcScene extends RcScene {

    static final int MTU = 256;

    @BeforeEach
    final void connectUc() {
        connect(new Setup().withType(QpType.UC).withPathMtu(MTU));
    }

    static WirePacket sendFirst(int psn) {
        return Packets.packet(Opcode.UC_SEND_FIRST, psn).payload(MTU);
    }

    static WirePacket sendMiddle(int psn) {
        return Packets.packet(Opcode.UC_SEND_MIDDLE, psn).payload(MTU);
    }

    static WirePacket sendLast(int psn) {
        return Packets.packet(Opcode.UC_SEND_LAST, psn);
    }

    static WirePacket sendOnly(int psn) {
        return Packets.packet(Opcode.UC_SEND_ONLY, psn);
    }

    static WirePacket writeFirst(int psn) {
        return Packets.packet(Opcode.UC_RDMA_WRITE_FIRST, psn).payload(MTU);
    }

    static WirePacket writeLast(int psn) {
        return Packets.packet(Opcode.UC_RDMA_WRITE_LAST, psn);
    }

    static WirePacket writeOnly(int psn) {
        return Packets.packet(Opcode.UC_RDMA_WRITE_ONLY, psn);
    }

    /** Sends a packet that is dropped for this reason, without an answer and without harm to the queue pair. */
    final void dropped(Rule rule, WirePacket packet) {
        peer.sends(packet);
        assertEquals(rule, peer.decision());
        peer.expectsNothing();
        device.isIn(QpState.RTS);
    }

    final void accepted(WirePacket... packets) {
        for (WirePacket packet : packets) {
            peer.sends(packet);
            assertEquals(Rule.ACCEPTED, peer.decision(), packet::toString);
        }
        peer.expectsNothing();
    }
}
