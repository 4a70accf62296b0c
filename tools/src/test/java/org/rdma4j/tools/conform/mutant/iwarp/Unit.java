package org.rdma4j.tools.conform.mutant.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.wire.NetworkOrder;

/** A piece of a stream on its way: an MPA frame, a FPDU without markers, or bytes that are neither. It can be changed. */
final class Unit {

    /** What it is. */
    enum Kind {
        FRAME,
        FPDU,
        RAW
    }

    private static final int ULPDU = Fpdu.HEADER_LENGTH;

    private final Kind kind;
    private byte[] bytes;
    private final boolean crc;
    private boolean goodCrc;

    /** How many pieces it came in. */
    final int pieces;

    /** @param crc CRCs are in use */
    Unit(Kind kind, byte[] bytes, boolean crc, int pieces) {
        this.kind = kind;
        this.bytes = bytes.clone();
        this.crc = crc;
        this.pieces = pieces;
        this.goodCrc = kind == Kind.FPDU && crc && sum() == Fpdu.crc(segment(), bytes.length - 4L);
    }

    private MemorySegment segment() {
        return MemorySegment.ofArray(bytes);
    }

    private int sum() {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length - Fpdu.CRC_LENGTH);
        return (int) sum.getValue();
    }

    /** As it goes on: a CRC that was right is right again, whatever was changed. */
    byte[] toBytes() {
        if (goodCrc) {
            Fpdu.setCrc(segment(), bytes.length - 4L, sum());
        }
        return bytes.clone();
    }

    Unit copy() {
        Unit copy = new Unit(kind, bytes, crc, pieces);
        copy.goodCrc = goodCrc;
        return copy;
    }

    boolean isFrame() {
        return kind == Kind.FRAME;
    }

    boolean isRaw() {
        return kind == Kind.RAW;
    }

    boolean isFpdu() {
        return kind == Kind.FPDU;
    }

    // An MPA frame.

    MpaFrame frame() {
        return MpaFrame.parse(segment(), 0);
    }

    void frame(MpaFrame value) {
        value.emit(segment(), 0);
    }

    boolean isRequest() {
        return isFrame() && frame().request();
    }

    boolean isReply() {
        return isFrame() && !frame().request();
    }

    boolean hasData() {
        return isFrame() && frame().enhanced() && frame().privateDataLength() >= EnhancedData.LENGTH;
    }

    EnhancedData data() {
        return EnhancedData.parse(segment(), MpaFrame.LENGTH);
    }

    void data(EnhancedData value) {
        value.emit(segment(), MpaFrame.LENGTH);
    }

    void replace(byte[] other) {
        bytes = other.clone();
    }

    /** Cuts the private data. */
    void privateDataLength(int length) {
        bytes = Arrays.copyOf(bytes, MpaFrame.LENGTH + length);
        segment().set(NetworkOrder.SHORT, MpaFrame.PRIVATE_DATA_LENGTH_OFFSET, (short) length);
    }

    int length() {
        return bytes.length;
    }

    // A FPDU.

    int ulpduLength() {
        return Fpdu.ulpduLength(segment(), 0);
    }

    boolean isSegment() {
        return isFpdu()
                && ulpduLength() >= DdpControl.LENGTH
                && ulpduLength() >= DdpControl.headerLength(TaggedHeader.control(segment(), ULPDU));
    }

    int control() {
        return TaggedHeader.control(segment(), ULPDU);
    }

    boolean isTagged() {
        return isSegment() && DdpControl.tagged(control());
    }

    boolean isUntagged() {
        return isSegment() && !DdpControl.tagged(control());
    }

    int opcode() {
        return DdpControl.opcode(control());
    }

    boolean is(int opcode) {
        return isSegment() && opcode() == opcode && isTagged() == RdmapOpcode.isTagged(opcode);
    }

    boolean isLast() {
        return DdpControl.last(control());
    }

    void control(int value) {
        segment().set(NetworkOrder.SHORT, ULPDU, (short) value);
    }

    void ddpVersion(int value) {
        control(control() & ~0x300 | value << 8);
    }

    void rdmapVersion(int value) {
        control(control() & ~0xC0 | value << 6);
    }

    void opcode(int value) {
        control(control() & ~0xF | value);
    }

    void last(boolean value) {
        control(control() & ~DdpControl.LAST | (value ? DdpControl.LAST : 0));
    }

    TaggedHeader tagged() {
        return TaggedHeader.parse(segment(), ULPDU);
    }

    void tagged(int sTag, long offset) {
        TaggedHeader.write(segment(), ULPDU, control(), sTag, offset);
    }

    UntaggedHeader untagged() {
        return UntaggedHeader.parse(segment(), ULPDU);
    }

    void queue(int queue) {
        UntaggedHeader old = untagged();
        untagged(new UntaggedHeader(
                old.control(), old.invalidateSTag(), queue, old.messageSequenceNumber(), old.messageOffset()));
    }

    void msn(int msn) {
        UntaggedHeader old = untagged();
        untagged(new UntaggedHeader(old.control(), old.invalidateSTag(), old.queueNumber(), msn, old.messageOffset()));
    }

    void messageOffset(int offset) {
        UntaggedHeader old = untagged();
        untagged(new UntaggedHeader(
                old.control(), old.invalidateSTag(), old.queueNumber(), old.messageSequenceNumber(), offset));
    }

    void invalidates(int sTag) {
        UntaggedHeader old = untagged();
        untagged(new UntaggedHeader(
                old.control(), sTag, old.queueNumber(), old.messageSequenceNumber(), old.messageOffset()));
    }

    private void untagged(UntaggedHeader value) {
        value.emit(segment(), ULPDU);
    }

    int headerLength() {
        return DdpControl.headerLength(control());
    }

    byte[] payload() {
        return Arrays.copyOfRange(bytes, ULPDU + headerLength(), ULPDU + ulpduLength());
    }

    void payload(byte[] value) {
        ulpdu(concat(Arrays.copyOfRange(bytes, ULPDU, ULPDU + headerLength()), value));
    }

    byte[] ulpdu() {
        return Arrays.copyOfRange(bytes, ULPDU, ULPDU + ulpduLength());
    }

    /** The first bytes of its header. */
    byte[] halfHeader() {
        return Arrays.copyOf(ulpdu(), headerLength() / 2);
    }

    /** Another segment in its place. */
    void ulpdu(byte[] value) {
        int oldCrc = Fpdu.crc(segment(), bytes.length - 4L);
        bytes = new byte[Fpdu.length(value.length)];
        Fpdu.setUlpduLength(segment(), 0, value.length);
        System.arraycopy(value, 0, bytes, ULPDU, value.length);
        Fpdu.setCrc(segment(), bytes.length - 4L, oldCrc);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    int crcField() {
        return Fpdu.crc(segment(), bytes.length - 4L);
    }

    boolean isCrcInUse() {
        return crc;
    }

    boolean hasReversedCrc() {
        return crcField() == Integer.reverseBytes(sum());
    }

    boolean hasGoodCrc() {
        return goodCrc;
    }

    /** From now on it goes on with a CRC that is right, or wrong. */
    void goodCrc(boolean value) {
        if (goodCrc && !value) {
            toBytes();
            Fpdu.setCrc(segment(), bytes.length - 4L, ~sum());
        }
        goodCrc = value;
    }

    /** A byte of the pad; -1 where there is none. */
    int pad() {
        int at = ULPDU + ulpduLength();
        return at < bytes.length - Fpdu.CRC_LENGTH ? bytes[at] & 0xFF : -1;
    }

    void pad(int value) {
        for (int at = ULPDU + ulpduLength(); at < bytes.length - Fpdu.CRC_LENGTH; at++) {
            bytes[at] = (byte) value;
        }
    }
}
