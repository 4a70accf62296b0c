package org.rdma4j.analysis;

/** Why a packet that was sent before is there again, as far as the packets in between tell. */
public enum Resend {
    /** It is there for the first time. */
    NONE("", ""),
    /** A sequence error NAK asked for it. */
    NAK("nak", "asked for by a NAK"),
    /** The time that an RNR NAK asked for is over. */
    RNR("rnr", "after an RNR NAK"),
    /** A response of a READ or an atomic is missing, or a later one acknowledges past it. */
    IMPLIED("implied", "a response is missing"),
    /** Nothing asked for it, and time went by. */
    TIMEOUT("timeout", "timeout (inferred)"),
    /** Nothing that was captured asked for it, and hardly any time went by. */
    UNSEEN("unseen", "for a reason that was not captured (inferred)"),
    /** Not the requester's doing: the same frame once more. */
    COPY("copy", "the network made a copy");

    private final String id;
    private final String text;

    Resend(String id, String text) {
        this.id = id;
        this.text = text;
    }

    /** One word, for programs. */
    public String id() {
        return id;
    }

    /** In words. */
    public String text() {
        return text;
    }

    /** True where the requester sent it again. */
    public boolean isRetransmission() {
        return this != NONE && this != COPY;
    }
}
