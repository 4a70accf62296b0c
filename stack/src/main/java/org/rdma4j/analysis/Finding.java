package org.rdma4j.analysis;

import java.util.function.Supplier;

/**
 * Something that an expert would point at.
 *
 * @param kind what it is
 * @param frame the frame that shows it, 1 for the first one of the capture
 * @param time when that frame was captured, nanoseconds
 * @param other the frame that it has to do with; 0 where there is none
 * @param flow the requests that it is about; null where that is not known
 * @param psn the relative PSN that it starts at, of what is missing; else 0
 * @param count how many packets are missing; 0 where it is not about that
 * @param words makes its text, which few readers want of every one
 */
public record Finding(
        FindingKind kind, long frame, long time, long other, Flow flow, int psn, int count, Supplier<String> words) {

    Finding(FindingKind kind, long frame, long time, long other, Flow flow, Supplier<String> words) {
        this(kind, frame, time, other, flow, 0, 0, words);
    }

    /** One line: what happened, with the numbers and frames of it. */
    public String text() {
        return words.get();
    }

    /** The line with the rule behind it. */
    public String line() {
        return kind.id() + ": " + text() + " [" + kind.rule() + ", " + kind.clause() + "]";
    }
}
