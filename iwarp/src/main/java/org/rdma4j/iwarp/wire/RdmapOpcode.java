package org.rdma4j.iwarp.wire;

import java.util.List;

/**
 * The opcodes of RDMAP (RFC 5040, 4.1; those from 8 on: RFC 7306, 4.1). Numbers, not an enum, so that the path
 * of the segments reads them as they stand.
 */
public final class RdmapOpcode {

    public static final int WRITE = 0x0;
    public static final int READ_REQUEST = 0x1;
    public static final int READ_RESPONSE = 0x2;
    public static final int SEND = 0x3;
    public static final int SEND_INVALIDATE = 0x4;

    /** Send with solicited event. */
    public static final int SEND_SE = 0x5;

    public static final int SEND_SE_INVALIDATE = 0x6;
    public static final int TERMINATE = 0x7;
    public static final int IMMEDIATE = 0x8;
    public static final int IMMEDIATE_SE = 0x9;
    public static final int ATOMIC_REQUEST = 0xA;
    public static final int ATOMIC_RESPONSE = 0xB;

    /** How many numbers the field has. */
    public static final int COUNT = 16;

    private static final List<String> NAMES = List.of(
            "Write",
            "Read Request",
            "Read Response",
            "Send",
            "Send with Invalidate",
            "Send with SE",
            "Send with SE and Invalidate",
            "Terminate",
            "Immediate Data",
            "Immediate Data with SE",
            "Atomic Request",
            "Atomic Response",
            "reserved 0xC",
            "reserved 0xD",
            "reserved 0xE",
            "reserved 0xF");

    private RdmapOpcode() {}

    /** True for what names its target by STag and tagged offset: Write and Read Response. */
    public static boolean isTagged(int opcode) {
        return opcode == WRITE || opcode == READ_RESPONSE;
    }

    /** True for the four kinds of Send. */
    public static boolean isSend(int opcode) {
        return opcode >= SEND && opcode <= SEND_SE_INVALIDATE;
    }

    /** True for Sends that name an STag to invalidate. */
    public static boolean invalidates(int opcode) {
        return opcode == SEND_INVALIDATE || opcode == SEND_SE_INVALIDATE;
    }

    /** True for what raises a solicited event at the receiver. */
    public static boolean solicits(int opcode) {
        return opcode == SEND_SE || opcode == SEND_SE_INVALIDATE || opcode == IMMEDIATE_SE;
    }

    /** True for numbers that no RFC gives a meaning. */
    public static boolean isReserved(int opcode) {
        return opcode > ATOMIC_RESPONSE;
    }

    /**
     * The DDP queue that an untagged message goes to (RFC 5040, 4.2; RFC 7306, 4.2).
     *
     * @return a constant of {@link UntaggedHeader}; -1 for tagged messages and reserved numbers
     */
    public static int queueNumber(int opcode) {
        return switch (opcode) {
            case SEND, SEND_INVALIDATE, SEND_SE, SEND_SE_INVALIDATE, IMMEDIATE, IMMEDIATE_SE ->
                UntaggedHeader.SEND_QUEUE;
            case READ_REQUEST, ATOMIC_REQUEST -> UntaggedHeader.REQUEST_QUEUE;
            case TERMINATE -> UntaggedHeader.TERMINATE_QUEUE;
            case ATOMIC_RESPONSE -> UntaggedHeader.ATOMIC_RESPONSE_QUEUE;
            default -> -1;
        };
    }

    /** As the RFCs spell it. */
    public static String name(int opcode) {
        return NAMES.get(opcode);
    }
}
