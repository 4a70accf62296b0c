package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.wire.MadHeader;

/**
 * The fields of a datagram of subnet administration behind its RMPP header (IBTA volume 1, 15.2.1.1).
 *
 * <pre>
 * 36  SM_Key (8 bytes)
 * 44  AttributeOffset: 8-byte words from one record to the next     46  reserved
 * 48  ComponentMask (8 bytes): which fields of a question count
 * 56  the attribute (200 bytes)
 * </pre>
 */
final class SaMad {

    static final int ATTRIBUTE_OFFSET = 44;
    static final int COMPONENT_MASK = 48;
    static final int DATA = 56;
    static final int DATA_LENGTH = Mad.LENGTH - DATA;

    /** Bytes from the RMPP header to the attribute. */
    static final int CLASS_HEADER = 20;

    static final int WORD = 8;

    // Attributes.
    static final int CLASS_PORT_INFO = 0x01;
    static final int NODE_RECORD = 0x11;
    static final int PORT_INFO_RECORD = 0x12;
    static final int PATH_RECORD = 0x35;
    static final int MC_MEMBER_RECORD = 0x38;

    // Status (15.2.2).
    static final int NO_RESOURCES = 0x0100;
    static final int INVALID_REQUEST = 0x0200;
    static final int NO_RECORDS = 0x0300;
    static final int TOO_MANY_RECORDS = 0x0400;
    static final int INSUFFICIENT_COMPONENTS = 0x0600;

    private static final int CLASS_VERSION = 2;

    private SaMad() {}

    /** A question. */
    static Mad request(int method, int attribute, long componentMask, byte[] record) {
        Mad mad = new Mad();
        mad.setInt8(MadHeader.BASE_VERSION_OFFSET, MadHeader.BASE_VERSION);
        mad.setInt8(MadHeader.MANAGEMENT_CLASS_OFFSET, Mad.SUBNET_ADMINISTRATION);
        mad.setInt8(MadHeader.CLASS_VERSION_OFFSET, CLASS_VERSION);
        mad.setMethod(method);
        mad.setAttribute(attribute, 0);
        mad.setInt64(COMPONENT_MASK, componentMask);
        setRecord(mad, record);
        return mad;
    }

    static long componentMask(Mad mad) {
        return mad.int64(COMPONENT_MASK);
    }

    /** So many bytes of the attribute. */
    static byte[] record(Mad mad, int length) {
        return mad.bytes().asSlice(DATA, length).toArray(ValueLayout.JAVA_BYTE);
    }

    static void setRecord(Mad mad, byte[] record) {
        mad.bytes().asSlice(DATA, DATA_LENGTH).fill((byte) 0);
        MemorySegment.copy(MemorySegment.ofArray(record), 0, mad.bytes(), DATA, record.length);
    }

    /** From the start of one record to that of the next, bytes. */
    static int stride(int recordLength) {
        return (recordLength + WORD - 1) / WORD * WORD;
    }
}
