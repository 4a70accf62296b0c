package org.rdma4j.iwarp.wire;

/**
 * The first two bytes of every ULPDU: DDP's control field and, in the first byte that DDP leaves to its ULP, RDMAP's
 * (RFC 5041, 4.1; RFC 5040, 4.1). Taken together as one number of 16 bits, as the headers read and write it.
 *
 * <pre>
 *  0               1
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-+-+-------+---+---+---+-------+
 * |T|L| Resvd |DV |RV |Rsv|Opcode |
 * +-+-+-------+---+---+---+-------+
 * T tagged, L last segment of the message, DV and RV the versions of DDP and RDMAP
 * </pre>
 *
 * Reserved bits are sent as 0 and not looked at.
 */
public final class DdpControl {

    /** Bytes on the wire. */
    public static final int LENGTH = 2;

    /** The version of DDP (RFC 5041, 4.1). */
    public static final int DDP_VERSION = 1;

    /** The version of RDMAP (RFC 5040, 4.1); 0 was the RDMA consortium's. */
    public static final int RDMAP_VERSION = 1;

    public static final int TAGGED = 0x8000;
    public static final int LAST = 0x4000;

    private static final int DDP_VERSION_SHIFT = 8;
    private static final int RDMAP_VERSION_SHIFT = 6;
    private static final int VERSION_MASK = 3;
    private static final int OPCODE_MASK = 0x0F;

    private static final int VERSIONS = DDP_VERSION << DDP_VERSION_SHIFT | RDMAP_VERSION << RDMAP_VERSION_SHIFT;

    private DdpControl() {}

    /** The control field as a sender makes it; tagged or not follows from the opcode ({@link RdmapOpcode}). */
    public static int of(int opcode, boolean last) {
        return (RdmapOpcode.isTagged(opcode) ? TAGGED : 0) | (last ? LAST : 0) | VERSIONS | opcode & OPCODE_MASK;
    }

    public static boolean tagged(int control) {
        return (control & TAGGED) != 0;
    }

    /** The last, or only, segment of its message. */
    public static boolean last(int control) {
        return (control & LAST) != 0;
    }

    public static int ddpVersion(int control) {
        return control >> DDP_VERSION_SHIFT & VERSION_MASK;
    }

    public static int rdmapVersion(int control) {
        return control >> RDMAP_VERSION_SHIFT & VERSION_MASK;
    }

    /** See {@link RdmapOpcode}. */
    public static int opcode(int control) {
        return control & OPCODE_MASK;
    }

    /** Bytes of the DDP header that starts with this control field. */
    public static int headerLength(int control) {
        return tagged(control) ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
    }
}
