package org.rdma4j.iwarp.wire;

/**
 * Why a stream is terminated: layer, error type and error code of a Terminate message (RFC 5040, 4.8; DDP's: RFC 5041,
 * 7.2; MPA's: RFC 5044, 8, and RFC 6581, 8).
 */
public enum TerminateCode {
    RDMAP_CATASTROPHIC(0, 0, 0x00, "local catastrophic error"),
    RDMAP_INVALID_STAG(0, 1, 0x00, "remote protection error: invalid STag"),
    RDMAP_BOUNDS(0, 1, 0x01, "remote protection error: base or bounds violation"),
    RDMAP_ACCESS(0, 1, 0x02, "remote protection error: access rights violation"),
    RDMAP_STAG_NOT_ASSOCIATED(0, 1, 0x03, "remote protection error: STag not associated with the stream"),
    RDMAP_OFFSET_WRAP(0, 1, 0x04, "remote protection error: tagged offset wraps"),
    RDMAP_PROTECTION_INVALIDATE(0, 1, 0x09, "remote protection error: STag cannot be invalidated"),
    RDMAP_PROTECTION_UNSPECIFIED(0, 1, 0xFF, "remote protection error: unspecified"),
    RDMAP_VERSION(0, 2, 0x05, "remote operation error: invalid RDMAP version"),
    RDMAP_UNEXPECTED_OPCODE(0, 2, 0x06, "remote operation error: unexpected opcode"),
    RDMAP_CATASTROPHIC_STREAM(0, 2, 0x07, "remote operation error: catastrophic, localized to the stream"),
    RDMAP_CATASTROPHIC_GLOBAL(0, 2, 0x08, "remote operation error: catastrophic, global"),
    RDMAP_CANNOT_INVALIDATE(0, 2, 0x09, "remote operation error: STag cannot be invalidated"),
    RDMAP_OPERATION_UNSPECIFIED(0, 2, 0xFF, "remote operation error: unspecified"),
    DDP_CATASTROPHIC(1, 0, 0x00, "local catastrophic error"),
    DDP_TAGGED_INVALID_STAG(1, 1, 0x00, "tagged buffer error: invalid STag"),
    DDP_TAGGED_BOUNDS(1, 1, 0x01, "tagged buffer error: base or bounds violation"),
    DDP_TAGGED_NOT_ASSOCIATED(1, 1, 0x02, "tagged buffer error: STag not associated with the stream"),
    DDP_TAGGED_OFFSET_WRAP(1, 1, 0x03, "tagged buffer error: tagged offset wraps"),
    DDP_TAGGED_VERSION(1, 1, 0x04, "tagged buffer error: invalid DDP version"),
    DDP_UNTAGGED_QUEUE_NUMBER(1, 2, 0x01, "untagged buffer error: invalid queue number"),
    DDP_UNTAGGED_NO_BUFFER(1, 2, 0x02, "untagged buffer error: invalid MSN, no buffer available"),
    DDP_UNTAGGED_MSN_RANGE(1, 2, 0x03, "untagged buffer error: invalid MSN, range not valid"),
    DDP_UNTAGGED_MESSAGE_OFFSET(1, 2, 0x04, "untagged buffer error: invalid message offset"),
    DDP_UNTAGGED_TOO_LONG(1, 2, 0x05, "untagged buffer error: message too long for the buffer"),
    DDP_UNTAGGED_VERSION(1, 2, 0x06, "untagged buffer error: invalid DDP version"),
    MPA_CONNECTION_LOST(2, 0, 0x01, "TCP connection closed, terminated or lost"),
    MPA_CRC(2, 0, 0x02, "CRC of a FPDU is wrong"),
    MPA_MARKER(2, 0, 0x03, "marker and ULPDU length do not fit"),
    MPA_INVALID_FRAME(2, 0, 0x04, "invalid MPA request or reply frame"),
    MPA_CATASTROPHIC(2, 0, 0x05, "local catastrophic error"),
    MPA_INSUFFICIENT_IRD(2, 0, 0x06, "insufficient IRD resources"),
    MPA_NO_MATCHING_RTR(2, 0, 0x07, "no matching RTR option");

    public static final int LAYER_RDMAP = 0;
    public static final int LAYER_DDP = 1;

    /** The lower layer protocol: MPA. */
    public static final int LAYER_LLP = 2;

    private static final TerminateCode[] VALUES = values();

    private final int layer;
    private final int errorType;
    private final int errorCode;
    private final String text;

    TerminateCode(int layer, int errorType, int errorCode, String text) {
        this.layer = layer;
        this.errorType = errorType;
        this.errorCode = errorCode;
        this.text = text;
    }

    /** The code of these numbers, or null where the RFCs name none. */
    public static TerminateCode of(int layer, int errorType, int errorCode) {
        for (TerminateCode code : VALUES) {
            if (code.layer == layer && code.errorType == errorType && code.errorCode == errorCode) {
                return code;
            }
        }
        return null;
    }

    public int layer() {
        return layer;
    }

    public int errorType() {
        return errorType;
    }

    public int errorCode() {
        return errorCode;
    }

    /** In words, with the layer in front: {@code DDP tagged buffer error: invalid STag}. */
    public String text() {
        return layerName(layer) + " " + text;
    }

    /** RDMAP, DDP or MPA. */
    public static String layerName(int layer) {
        return switch (layer) {
            case LAYER_RDMAP -> "RDMAP";
            case LAYER_DDP -> "DDP";
            case LAYER_LLP -> "MPA";
            default -> "layer " + layer;
        };
    }
}
