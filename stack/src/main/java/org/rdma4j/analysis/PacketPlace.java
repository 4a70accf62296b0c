package org.rdma4j.analysis;

/**
 * Where a packet stands in its conversation, as far as the packets before it tell.
 *
 * @param flow the requests that it is one of or answers; null where that is not known
 * @param relativePsn its PSN counted from the first request's of this connection; {@link #UNKNOWN} where it is not known
 *     which connection it belongs to
 * @param firstPsn the PSN that relative ones count from
 * @param isFirst true for the first packet of a connection's requests that was seen
 * @param again 0, or how many times its PSN was sent before, losses in front of the capture among them
 * @param resend why it was sent again
 * @param cause the frame that made it be sent again, or that it answers; 0 where there is none
 * @param isLate true where the packet was overtaken by others
 * @param missing how many packets before this one were not seen yet
 * @param messageBytes bytes of the message up to this packet's end; {@link #UNKNOWN} where its start was not seen
 * @param messageLength bytes of the whole message; {@link #UNKNOWN} where no header told it
 */
public record PacketPlace(
        Flow flow,
        int relativePsn,
        int firstPsn,
        boolean isFirst,
        int again,
        Resend resend,
        long cause,
        boolean isLate,
        int missing,
        long messageBytes,
        long messageLength) {

    public static final int UNKNOWN = Integer.MIN_VALUE;

    /** Nothing is known. */
    public static final PacketPlace NOWHERE =
            new PacketPlace(null, UNKNOWN, 0, false, 0, Resend.NONE, 0, false, 0, UNKNOWN, UNKNOWN);

    public boolean isKnown() {
        return relativePsn != UNKNOWN;
    }

    /** The retransmission in words: {@code "again"}, {@code "again ×3"}; empty for a packet not seen before. */
    public String repetition() {
        if (resend == Resend.COPY) {
            return "copy";
        }
        return switch (again) {
            case 0 -> "";
            case 1 -> "again";
            default -> "again ×" + again;
        };
    }
}
