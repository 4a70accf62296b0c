package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * The header that every management datagram starts with (IBTA volume 1, 13.4.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+---------------+---------------+-+-------------+
 * |  BaseVersion  |   MgmtClass   | ClassVersion  |R|   Method    |  0
 * +---------------+---------------+---------------+-+-------------+
 * |            Status             |        ClassSpecific          |  4
 * +-------------------------------+-------------------------------+
 * |                    TransactionID (8 bytes)                    |  8
 * +-------------------------------+-------------------------------+
 * |          AttributeID          |           reserved            | 16
 * +-------------------------------+-------------------------------+
 * |                       AttributeModifier                       | 20
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param baseVersion 8 bits: 1
 * @param managementClass 8 bits: {@link #CLASS_CM}
 * @param classVersion 8 bits; of connection management 2
 * @param method 8 bits, the response bit among them
 * @param status 16 bits
 * @param classSpecific 16 bits
 * @param transactionId pairs a message with what it answers
 * @param attributeId 16 bits: which message it is
 * @param reserved 16 bits
 * @param attributeModifier 32 bits
 */
public record MadHeader(
        int baseVersion,
        int managementClass,
        int classVersion,
        int method,
        int status,
        int classSpecific,
        long transactionId,
        int attributeId,
        int reserved,
        int attributeModifier) {

    /** Bytes on the wire. */
    public static final int LENGTH = 24;

    /** Bytes of every management datagram, this header included. */
    public static final int MAD_LENGTH = 256;

    /** Communication management (16.7). */
    public static final int CLASS_CM = 0x07;

    public static final int BASE_VERSION = 1;
    public static final int CM_CLASS_VERSION = 2;

    /** The method of all messages of connection management (16.7.2). */
    public static final int METHOD_SEND = 0x03;

    /** The queue pair that management datagrams of all but the subnet's classes go to (13.5.1). */
    public static final int GSI_QPN = 1;

    /** The Q_Key of that queue pair, well known (C10-3.1.1). */
    public static final int GSI_Q_KEY = 0x8001_0000;

    public static final int BASE_VERSION_OFFSET = 0;
    public static final int MANAGEMENT_CLASS_OFFSET = 1;
    public static final int CLASS_VERSION_OFFSET = 2;
    public static final int METHOD_OFFSET = 3;
    public static final int STATUS_OFFSET = 4;
    public static final int CLASS_SPECIFIC_OFFSET = 6;
    public static final int TRANSACTION_ID_OFFSET = 8;
    public static final int ATTRIBUTE_ID_OFFSET = 16;
    public static final int RESERVED_OFFSET = 18;
    public static final int ATTRIBUTE_MODIFIER_OFFSET = 20;

    /** The header of a message of connection management. */
    public static MadHeader cm(long transactionId, int attributeId, int attributeModifier) {
        return new MadHeader(
                BASE_VERSION,
                CLASS_CM,
                CM_CLASS_VERSION,
                METHOD_SEND,
                0,
                0,
                transactionId,
                attributeId,
                0,
                attributeModifier);
    }

    public static int managementClass(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + MANAGEMENT_CLASS_OFFSET) & 0xFF;
    }

    public static int baseVersion(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + BASE_VERSION_OFFSET) & 0xFF;
    }

    public static int classVersion(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + CLASS_VERSION_OFFSET) & 0xFF;
    }

    public static long transactionId(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TRANSACTION_ID_OFFSET);
    }

    public static int attributeId(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + ATTRIBUTE_ID_OFFSET) & 0xFFFF;
    }

    public static MadHeader parse(MemorySegment segment, long offset) {
        return new MadHeader(
                baseVersion(segment, offset),
                managementClass(segment, offset),
                classVersion(segment, offset),
                segment.get(NetworkOrder.BYTE, offset + METHOD_OFFSET) & 0xFF,
                segment.get(NetworkOrder.SHORT, offset + STATUS_OFFSET) & 0xFFFF,
                segment.get(NetworkOrder.SHORT, offset + CLASS_SPECIFIC_OFFSET) & 0xFFFF,
                transactionId(segment, offset),
                attributeId(segment, offset),
                segment.get(NetworkOrder.SHORT, offset + RESERVED_OFFSET) & 0xFFFF,
                segment.get(NetworkOrder.INT, offset + ATTRIBUTE_MODIFIER_OFFSET));
    }

    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.BYTE, offset + BASE_VERSION_OFFSET, (byte) baseVersion);
        segment.set(NetworkOrder.BYTE, offset + MANAGEMENT_CLASS_OFFSET, (byte) managementClass);
        segment.set(NetworkOrder.BYTE, offset + CLASS_VERSION_OFFSET, (byte) classVersion);
        segment.set(NetworkOrder.BYTE, offset + METHOD_OFFSET, (byte) method);
        segment.set(NetworkOrder.SHORT, offset + STATUS_OFFSET, (short) status);
        segment.set(NetworkOrder.SHORT, offset + CLASS_SPECIFIC_OFFSET, (short) classSpecific);
        segment.set(NetworkOrder.LONG, offset + TRANSACTION_ID_OFFSET, transactionId);
        segment.set(NetworkOrder.SHORT, offset + ATTRIBUTE_ID_OFFSET, (short) attributeId);
        segment.set(NetworkOrder.SHORT, offset + RESERVED_OFFSET, (short) reserved);
        segment.set(NetworkOrder.INT, offset + ATTRIBUTE_MODIFIER_OFFSET, attributeModifier);
    }
}
