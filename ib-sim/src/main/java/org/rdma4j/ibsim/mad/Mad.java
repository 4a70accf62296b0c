package org.rdma4j.ibsim.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.NetworkOrder;

/**
 * A management datagram with what its packet says about where it comes from and goes to: the 256 bytes of IBTA volume 1,
 * 13.4.2, and the fields that all its classes share.
 */
public final class Mad {

    public static final int GET = 0x01;
    public static final int SET = 0x02;
    public static final int TRAP = 0x05;
    public static final int GET_TABLE = 0x12;
    public static final int DELETE = 0x15;
    public static final int TRAP_REPRESS = 0x07;
    public static final int GET_RESP = 0x81;
    public static final int RESPONSE = 0x80;

    /** Subnet management, routed by LID and by a path in the datagram itself. */
    public static final int SUBNET_LID_ROUTED = 0x01;

    public static final int SUBNET_DIRECTED = 0x81;
    public static final int SUBNET_ADMINISTRATION = 0x03;
    public static final int PERFORMANCE = 0x04;

    /** Status codes (13.4.7). */
    public static final int OK = 0;

    public static final int BAD_VERSION = 0x04;
    public static final int BAD_METHOD = 0x08;
    public static final int BAD_ATTRIBUTE = 0x0C;
    public static final int INVALID_FIELD = 0x1C;

    public static final int LENGTH = MadHeader.MAD_LENGTH;

    /** The attribute's bytes in subnet and performance management. */
    public static final int DATA = 64;

    public static final int DATA_LENGTH = 64;

    private static final int FIRST_OWN_BIT = 48;

    private final MemorySegment bytes = MemorySegment.ofArray(new byte[LENGTH]);

    /** LIDs, 16 bits. */
    public int sourceLid;

    public int destinationLid;

    public int sourceQp;
    public int destinationQp;

    /** A copy of 256 bytes. */
    public static Mad copyOf(MemorySegment segment, long offset) {
        Mad mad = new Mad();
        MemorySegment.copy(segment, offset, mad.bytes, 0, LENGTH);
        return mad;
    }

    public MemorySegment bytes() {
        return bytes;
    }

    public int managementClass() {
        return MadHeader.managementClass(bytes, 0);
    }

    public int method() {
        return int8(MadHeader.METHOD_OFFSET);
    }

    public void setMethod(int method) {
        setInt8(MadHeader.METHOD_OFFSET, method);
    }

    /** True for an answer, which goes to whoever asked. */
    public boolean isResponse() {
        return (method() & RESPONSE) != 0 || method() == TRAP_REPRESS;
    }

    public int status() {
        return int16(MadHeader.STATUS_OFFSET);
    }

    public void setStatus(int status) {
        setInt16(MadHeader.STATUS_OFFSET, status);
    }

    public int attribute() {
        return MadHeader.attributeId(bytes, 0);
    }

    public int modifier() {
        return int32(MadHeader.ATTRIBUTE_MODIFIER_OFFSET);
    }

    public void setAttribute(int attribute, int modifier) {
        setInt16(MadHeader.ATTRIBUTE_ID_OFFSET, attribute);
        setInt32(MadHeader.ATTRIBUTE_MODIFIER_OFFSET, modifier);
    }

    public long transactionId() {
        return MadHeader.transactionId(bytes, 0);
    }

    /** A transaction's part that is the program's own. */
    public static final long OWN_TRANSACTION = 0xFFFF_FFFF_FFFFL;

    public void setTransactionId(long transaction) {
        setInt64(MadHeader.TRANSACTION_ID_OFFSET, transaction);
    }

    /** The transaction's top 16 bits, where whoever carries a program's datagrams notes whose they are. */
    int owner() {
        return (int) (transactionId() >>> FIRST_OWN_BIT);
    }

    void setOwner(int owner) {
        setInt16(MadHeader.TRANSACTION_ID_OFFSET, owner);
    }

    /** Goes back to where it came from. */
    public void turnRound() {
        int lid = sourceLid;
        sourceLid = destinationLid;
        destinationLid = lid;
        int qp = sourceQp;
        sourceQp = destinationQp;
        destinationQp = qp;
    }

    // Fields by their offset.

    public int int8(int offset) {
        return bytes.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    public void setInt8(int offset, int value) {
        bytes.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    public int int16(int offset) {
        return bytes.get(NetworkOrder.SHORT, offset) & 0xFFFF;
    }

    public void setInt16(int offset, int value) {
        bytes.set(NetworkOrder.SHORT, offset, (short) value);
    }

    public int int32(int offset) {
        return bytes.get(NetworkOrder.INT, offset);
    }

    public void setInt32(int offset, int value) {
        bytes.set(NetworkOrder.INT, offset, value);
    }

    public long int64(int offset) {
        return bytes.get(NetworkOrder.LONG, offset);
    }

    public void setInt64(int offset, long value) {
        bytes.set(NetworkOrder.LONG, offset, value);
    }

    /** The attribute's own bytes. */
    public MemorySegment data() {
        return bytes.asSlice(DATA, DATA_LENGTH);
    }
}
