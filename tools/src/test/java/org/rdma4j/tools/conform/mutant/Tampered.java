package org.rdma4j.tools.conform.mutant;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** A packet on its way, BTH to pad, that a mutant may change. */
public final class Tampered {

    private byte[] bytes;
    boolean goodIcrc;
    int sourcePort;
    int trafficClass;

    Tampered(byte[] bytes, boolean goodIcrc, int sourcePort) {
        this(bytes, goodIcrc, sourcePort, 0);
    }

    Tampered(byte[] bytes, boolean goodIcrc, int sourcePort, int trafficClass) {
        this.bytes = bytes;
        this.goodIcrc = goodIcrc;
        this.sourcePort = sourcePort;
        this.trafficClass = trafficClass;
    }

    Tampered copy() {
        return new Tampered(bytes.clone(), goodIcrc, sourcePort, trafficClass);
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return bytes.length;
    }

    private MemorySegment memory() {
        return MemorySegment.ofArray(bytes);
    }

    public int opcode() {
        return bytes[0] & 0xFF;
    }

    public Tampered opcode(int value) {
        bytes[0] = (byte) value;
        return this;
    }

    boolean is(int... opcodes) {
        return Arrays.stream(opcodes).anyMatch(opcode -> opcode == opcode());
    }

    public int psn() {
        return Bth.psn(memory(), 0);
    }

    Tampered psn(int value) {
        Bth.setPsn(memory(), 0, value & Psn.MASK);
        return this;
    }

    public Tampered movePsn(int by) {
        return psn(psn() + by);
    }

    int get(int offset) {
        return bytes[offset] & 0xFF;
    }

    Tampered set(int offset, int value) {
        bytes[offset] = (byte) value;
        return this;
    }

    int get32(int offset) {
        return get(offset) << 24 | get(offset + 1) << 16 | get(offset + 2) << 8 | get(offset + 3);
    }

    Tampered set32(int offset, int value) {
        return set(offset, value >> 24)
                .set(offset + 1, value >> 16)
                .set(offset + 2, value >> 8)
                .set(offset + 3, value);
    }

    /** So many bytes from there on are not there. */
    Tampered cut(int offset, int length) {
        byte[] rest = Arrays.copyOf(bytes, bytes.length - length);
        System.arraycopy(bytes, offset + length, rest, offset, rest.length - offset);
        bytes = rest;
        return this;
    }

    boolean ackReq() {
        return (bytes[Bth.ACK_REQ_OFFSET] & 0x80) != 0;
    }

    int pad() {
        return bytes[1] >> 4 & 3;
    }

    Tampered pad(int count) {
        bytes[1] = (byte) (bytes[1] & ~0x30 | count << 4);
        return this;
    }

    int header() {
        return Opcode.isReserved(opcode()) ? Bth.LENGTH : Opcode.headerLength(opcode());
    }

    int payload() {
        return bytes.length - header() - pad();
    }

    /** Changes a byte of the payload, counted from its start, or from its end where negative. */
    public Tampered flipPayload(int at) {
        int offset = at >= 0 ? header() + at : bytes.length - pad() + at;
        if (payload() > 0 && offset >= header() && offset < bytes.length) {
            bytes[offset] ^= 0x40;
        }
        return this;
    }

    /** So many bytes of headers, payload and pad. */
    Tampered resize(int length) {
        bytes = Arrays.copyOf(bytes, length);
        return this;
    }

    boolean hasAeth() {
        return !Opcode.isReserved(opcode()) && Opcode.hasAeth(opcode());
    }

    private int aeth() {
        return Opcode.aethOffset(opcode());
    }

    public int syndrome() {
        return Aeth.syndrome(memory(), aeth());
    }

    public Tampered syndrome(int value) {
        Aeth.setSyndrome(memory(), aeth(), value);
        return this;
    }

    public int msn() {
        return Aeth.msn(memory(), aeth());
    }

    public Tampered msn(int value) {
        Aeth.setMsn(memory(), aeth(), value & Psn.MASK);
        return this;
    }

    public boolean isAck() {
        return opcode() == Opcode.RC_ACKNOWLEDGE && Syndrome.isAck(syndrome());
    }

    boolean isNak(int syndrome) {
        return opcode() == Opcode.RC_ACKNOWLEDGE && syndrome() == syndrome;
    }

    boolean isNakSequence() {
        return isNak(Syndrome.NAK_PSN_SEQUENCE);
    }

    boolean isRnr() {
        return opcode() == Opcode.RC_ACKNOWLEDGE && Syndrome.isRnrNak(syndrome());
    }

    boolean isFatal() {
        return opcode() == Opcode.RC_ACKNOWLEDGE && Syndrome.isNak(syndrome()) && !isNakSequence();
    }

    public boolean isReadResponse() {
        return !Opcode.isReserved(opcode()) && Opcode.isReadResponse(opcode());
    }

    boolean hasReth() {
        return !Opcode.isReserved(opcode())
                && Opcode.hasReth(opcode())
                && length() >= Opcode.rethOffset(opcode()) + Reth.LENGTH;
    }

    Reth reth() {
        return Reth.parse(memory(), Opcode.rethOffset(opcode()));
    }

    Tampered reth(long address, int rKey, long length) {
        new Reth(address, rKey, length).emit(memory(), Opcode.rethOffset(opcode()));
        return this;
    }

    boolean isAtomic() {
        return is(Opcode.RC_FETCH_ADD, Opcode.RC_COMPARE_SWAP) && length() >= Bth.LENGTH + 28;
    }

    boolean isRequest() {
        return opcode() <= Opcode.RC_RDMA_READ_REQUEST || isAtomic();
    }

    boolean isWrite() {
        return opcode() >= Opcode.RC_RDMA_WRITE_FIRST && opcode() <= Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE;
    }

    boolean isSend() {
        return opcode() <= Opcode.RC_SEND_ONLY_WITH_IMMEDIATE;
    }

    boolean isUc() {
        return Opcode.service(opcode()) == Opcode.UC && !Opcode.isReserved(opcode());
    }

    boolean isDatagram() {
        return is(Opcode.UD_SEND_ONLY, Opcode.UD_SEND_ONLY_WITH_IMMEDIATE);
    }
}
