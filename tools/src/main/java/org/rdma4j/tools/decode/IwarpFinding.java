package org.rdma4j.tools.decode;

import java.util.Locale;
import org.rdma4j.analysis.Severity;

/**
 * Something of iWARP that an expert would point at.
 *
 * @param id the rule's number in the catalogue
 * @param clause where the rule is from
 * @param text what happened
 */
record IwarpFinding(Severity severity, String id, String clause, String text) {

    /** The finding with its rule. */
    String line() {
        return text + " [" + id + ", " + clause + "]";
    }

    /** The same with the number of the frame that shows it. */
    String line(long frame) {
        return String.format(Locale.ROOT, "%6d %12s  └ %s", frame, severity.text(), line());
    }
}
