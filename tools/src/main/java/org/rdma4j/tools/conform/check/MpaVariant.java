package org.rdma4j.tools.conform.check;

import java.util.List;

/**
 * One way to set up an iWARP connection, and to cut what is sent on it.
 *
 * @param enhanced MPA's revision 2 with IRD and ORD (RFC 6581); else revision 1 (RFC 5044)
 * @param crc the hand-played side asks for CRCs
 */
public record MpaVariant(boolean enhanced, boolean crc, Cut cut) {

    /** Where the stream of FPDUs is cut when it is handed to TCP. */
    public enum Cut {
        /** Between FPDUs, as hardware does it. */
        ALIGNED("each FPDU by itself"),
        /** Nowhere: what is sent together goes together. */
        MERGED("FPDUs together"),
        /** Within FPDUs, and within their headers. */
        PIECES("FPDUs in pieces of 5 bytes");

        private final String text;

        Cut(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public static final MpaVariant USUAL = new MpaVariant(true, false, Cut.ALIGNED);

    /** Both revisions, with CRCs and without, every cut. */
    public static final List<MpaVariant> ALL = List.of(
            USUAL,
            new MpaVariant(true, true, Cut.MERGED),
            new MpaVariant(false, true, Cut.PIECES),
            new MpaVariant(false, false, Cut.MERGED));

    public int revision() {
        return enhanced ? 2 : 1;
    }

    @Override
    public String toString() {
        return "MPA revision " + revision() + (crc ? ", CRC, " : ", no CRC, ") + cut;
    }
}
