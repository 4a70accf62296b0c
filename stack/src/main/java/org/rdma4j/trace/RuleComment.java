package org.rdma4j.trace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A decision in one line, as captures carry it beside a packet: {@code RNR-01: no receive is posted: RNR NAK [9.7.5]}. */
public final class RuleComment {

    private static final Rule[] RULES = Rule.values();
    private static final String[] TEXTS = new String[RULES.length];
    private static final Map<String, Rule> BY_TEXT = new HashMap<>();

    static {
        for (Rule rule : RULES) {
            String clause = rule.clause().equals("none") ? "" : " [" + rule.clause() + "]";
            TEXTS[rule.ordinal()] = rule.id() + ": " + rule.text() + clause;
            BY_TEXT.put(TEXTS[rule.ordinal()], rule);
        }
    }

    private RuleComment() {}

    /** The line for a decision. */
    public static String of(Rule rule) {
        return TEXTS[rule.ordinal()];
    }

    /** The decision that one of a packet's comments names. */
    public static Optional<Rule> find(List<String> comments) {
        return comments.stream().map(BY_TEXT::get).filter(rule -> rule != null).findFirst();
    }
}
