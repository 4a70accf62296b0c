package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Alternate path response (IBTA volume 1, 12.8.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---------------+---------------+-------------------------------+
 * |  InfoLength   |   AP status   |            reserved           |  8
 * +---------------+---------------+-------------------------------+
 * |               Additional information (72 bytes)               | 12
 * |                   Private data (148 bytes)                    | 84
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's
 * @param infoLength 8 bits: how many bytes of the additional information mean something, by the sender's word
 * @param status 8 bits: {@link #LOADED} or why not
 * @param info the additional information, all of its field
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmApr(
        int localCommId, int remoteCommId, int infoLength, int status, PrivateData info, PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x001A;
    public static final int INFO_OFFSET = 12;
    public static final int INFO_LENGTH = 72;
    public static final int PRIVATE_DATA_OFFSET = 84;
    public static final int PRIVATE_DATA_LENGTH = 148;

    /** The path was taken. */
    public static final int LOADED = 0;

    public static final int INVALID_COMM_ID = 1;

    /** Alternate paths are not supported. */
    public static final int UNSUPPORTED = 2;

    /** The application, or its queue pair, does not want it. */
    public static final int REJECTED = 3;

    /** It is the path that the connection is on. */
    public static final int IS_CURRENT = 5;

    public static final int INVALID_QPN = 6;
    public static final int INVALID_GID = 8;

    private static final String[] WORDS = {
        "loaded",
        "invalid communication ID",
        "alternate paths are not supported",
        "rejected",
        "redirect",
        "it is the path in use",
        "invalid QPN",
        "invalid LID",
        "invalid GID",
        "invalid flow label",
        "invalid traffic class",
        "invalid hop limit",
        "invalid packet rate",
        "invalid service level"
    };

    /** A status in words, without the number. */
    public static String meaning(int status) {
        return status < WORDS.length ? WORDS[status] : "not one that the standard names";
    }

    /** A status in words: {@code 2 (alternate paths are not supported)}. */
    public static String words(int status) {
        return status + " (" + meaning(status) + ")";
    }

    public static CmApr parse(MemorySegment segment, long offset) {
        return new CmApr(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                segment.get(NetworkOrder.BYTE, offset + 8) & 0xFF,
                segment.get(NetworkOrder.BYTE, offset + 9) & 0xFF,
                PrivateData.parse(segment, offset + INFO_OFFSET, INFO_LENGTH),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "APR";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.INT, offset + 8, (infoLength & 0xFF) << 24 | (status & 0xFF) << 16);
        info.emit(segment, offset + INFO_OFFSET, INFO_LENGTH);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
