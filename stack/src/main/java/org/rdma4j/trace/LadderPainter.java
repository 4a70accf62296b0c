package org.rdma4j.trace;

import java.util.List;

/** Draws what a {@link Ladder} says, in whatever form. */
public interface LadderPainter {

    /** What an arrow stands for, for those who have colors. */
    enum Kind {
        REQUEST,
        RESPONSE,
        ACKNOWLEDGE,
        NAK,
        MANAGEMENT,
        CONGESTION,
        MISSING
    }

    /** Where an arrow ends. */
    enum Head {
        TAKEN,
        /** At the other end, which refused or dropped it. */
        REFUSED,
        /** On the way. */
        LOST
    }

    /**
     * An arrow.
     *
     * @param frame the frame's number; 0 where frames have none
     * @param micros since the first one
     * @param label what stands on it
     * @param dashed true for a packet that was sent before
     * @param columns the queue pair and the PSN, or what the headings say instead; empty for an arrow that is no packet
     * @param facts what stands beside it
     */
    record Arrow(
            long frame,
            double micros,
            String label,
            boolean rightward,
            boolean dashed,
            Kind kind,
            Head head,
            String columns,
            List<String> facts) {

        public Arrow {
            facts = List.copyOf(facts);
        }
    }

    /**
     * From here on the conversation of two others.
     *
     * @param headings of the two columns behind the arrows
     */
    void ends(String left, String right, List<String> headings, boolean isFirst);

    void arrow(Arrow arrow);

    /** What an arrow's packet says, or why it was refused. */
    void below(String words);

    /** Words between the packets. */
    void note(String words);
}
