package org.rdma4j.trace;

/** What became of a packet that a {@link Rule} decided about, in one word. */
public enum Outcome {
    /** It did what it was meant to do. */
    ACCEPTED("accepted"),
    /** It asked for something that is done: a NAK, a congestion notification. */
    HEEDED("heeded"),
    /** It got a NAK or an RNR NAK. */
    REFUSED("refused"),
    /** Nobody hears of it. */
    DROPPED("dropped");

    private final String word;

    Outcome(String word) {
        this.word = word;
    }

    /** As the why-trace has it (docs/trace.md). */
    public String word() {
        return word;
    }
}
