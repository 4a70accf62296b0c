package org.rdma4j.conformance;

import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** The words for packets: {@code sendOnly(psn).ackReq().payload(8)}, {@code nak(psn, Syndrome.NAK_REMOTE_ACCESS)}. */
final class Packets {

    private Packets() {}

    static WirePacket packet(int opcode, int psn) {
        return new WirePacket(opcode, psn);
    }

    static WirePacket sendFirst(int psn) {
        return packet(Opcode.RC_SEND_FIRST, psn);
    }

    static WirePacket sendMiddle(int psn) {
        return packet(Opcode.RC_SEND_MIDDLE, psn);
    }

    static WirePacket sendLast(int psn) {
        return packet(Opcode.RC_SEND_LAST, psn);
    }

    static WirePacket sendLastImm(int psn, int immediate) {
        return packet(Opcode.RC_SEND_LAST_WITH_IMMEDIATE, psn).imm(immediate);
    }

    static WirePacket sendOnly(int psn) {
        return packet(Opcode.RC_SEND_ONLY, psn);
    }

    static WirePacket sendOnlyImm(int psn, int immediate) {
        return packet(Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, psn).imm(immediate);
    }

    static WirePacket sendOnlyInv(int psn, int rKey) {
        return packet(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, psn).invalidates(rKey);
    }

    static WirePacket sendLastInv(int psn, int rKey) {
        return packet(Opcode.RC_SEND_LAST_WITH_INVALIDATE, psn).invalidates(rKey);
    }

    static WirePacket writeFirst(int psn) {
        return packet(Opcode.RC_RDMA_WRITE_FIRST, psn);
    }

    static WirePacket writeMiddle(int psn) {
        return packet(Opcode.RC_RDMA_WRITE_MIDDLE, psn);
    }

    static WirePacket writeLast(int psn) {
        return packet(Opcode.RC_RDMA_WRITE_LAST, psn);
    }

    static WirePacket writeLastImm(int psn, int immediate) {
        return packet(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, psn).imm(immediate);
    }

    static WirePacket writeOnly(int psn) {
        return packet(Opcode.RC_RDMA_WRITE_ONLY, psn);
    }

    static WirePacket writeOnlyImm(int psn, int immediate) {
        return packet(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, psn).imm(immediate);
    }

    static WirePacket read(int psn) {
        return packet(Opcode.RC_RDMA_READ_REQUEST, psn);
    }

    static WirePacket compareSwap(int psn) {
        return packet(Opcode.RC_COMPARE_SWAP, psn);
    }

    static WirePacket fetchAdd(int psn) {
        return packet(Opcode.RC_FETCH_ADD, psn);
    }

    static WirePacket datagram(int psn) {
        return packet(Opcode.UD_SEND_ONLY, psn);
    }

    static WirePacket datagramImm(int psn, int immediate) {
        return packet(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE, psn).imm(immediate);
    }

    static WirePacket flush(int psn) {
        return packet(Opcode.RC_FLUSH, psn);
    }

    static WirePacket atomicWrite(int psn) {
        return packet(Opcode.RC_ATOMIC_WRITE, psn);
    }

    // Answers.

    /** A plain acknowledge; what it says about credits is not compared. */
    static WirePacket ack(int psn) {
        return packet(Opcode.RC_ACKNOWLEDGE, psn);
    }

    /** An acknowledge that grants the credits of a code. */
    static WirePacket ack(int psn, int creditCode) {
        return ack(psn).syndrome(Syndrome.ack(creditCode));
    }

    static WirePacket nak(int psn, int syndrome) {
        return ack(psn).syndrome(syndrome);
    }

    /** The NAK for a packet that is missing. */
    static WirePacket nakSequence(int psn) {
        return nak(psn, Syndrome.NAK_PSN_SEQUENCE);
    }

    static WirePacket rnrNak(int psn, int timerCode) {
        return nak(psn, Syndrome.rnrNak(timerCode));
    }

    static WirePacket readResponseFirst(int psn) {
        return packet(Opcode.RC_RDMA_READ_RESPONSE_FIRST, psn);
    }

    static WirePacket readResponseMiddle(int psn) {
        return packet(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, psn);
    }

    static WirePacket readResponseLast(int psn) {
        return packet(Opcode.RC_RDMA_READ_RESPONSE_LAST, psn);
    }

    static WirePacket readResponseOnly(int psn) {
        return packet(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn);
    }

    static WirePacket atomicAck(int psn, long original) {
        return packet(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn).original(original);
    }
}
