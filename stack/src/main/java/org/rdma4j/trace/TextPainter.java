package org.rdma4j.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** A ladder in lines of at most {@link Ladder#WIDTH} columns. */
final class TextPainter implements LadderPainter {

    private static final int BETWEEN = 32;
    private static final int TIME = 13;
    private static final int NUMBER = 7;
    private static final int FEWER_BETWEEN = 26;

    private final Consumer<String> lines;
    private final boolean isNumbered;
    private final int between;
    private final String toArrow;

    /** @param isNumbered whether there is a column of frame numbers */
    TextPainter(Consumer<String> lines, boolean isNumbered) {
        this.lines = lines;
        this.isNumbered = isNumbered;
        this.between = isNumbered ? FEWER_BETWEEN : BETWEEN;
        this.toArrow = " ".repeat(isNumbered ? NUMBER + TIME : TIME);
    }

    @Override
    public void ends(String leftName, String right, List<String> headings, boolean isFirst) {
        if (!isFirst) {
            lines.accept("");
        }
        String left = leftName;
        int gap = between + 2 - left.length() - right.length();
        if (gap < 1) {
            lines.accept(toArrow + left); // two long IPv6 addresses: one above the other
            left = "";
            gap = Math.max(0, between + 2 - right.length());
        }
        String names = left + " ".repeat(gap) + right;
        lines.accept((isNumbered ? " frame " : "") + "         µs  " + names
                + String.format(Locale.ROOT, " %-8s %6s", headings.get(0), headings.get(1)));
    }

    @Override
    public void arrow(Arrow arrow) {
        StringBuilder line = new StringBuilder(Ladder.WIDTH);
        if (isNumbered) {
            line.append(arrow.frame() > 0 ? String.format(Locale.ROOT, "%6d ", arrow.frame()) : " ".repeat(NUMBER));
        }
        line.append(
                arrow.kind() == Kind.MISSING
                        ? " ".repeat(TIME)
                        : String.format(Locale.ROOT, "%11.3f  ", arrow.micros()));
        line.append(shaft(arrow));
        line.append(arrow.columns().isEmpty() ? "  " : arrow.columns());
        List<String> rest = new ArrayList<>();
        for (String fact : arrow.facts()) {
            if (rest.isEmpty() && line.length() + fact.length() <= Ladder.WIDTH) {
                line.append(fact).append("  ");
            } else {
                rest.add(fact);
            }
        }
        lines.accept(line.toString().stripTrailing());
        if (!rest.isEmpty()) {
            below(String.join("  ", rest));
        }
    }

    private String shaft(Arrow arrow) {
        String line = arrow.kind() == Kind.MISSING ? "┄" : arrow.dashed() ? "╌" : "─";
        int end = arrow.head() == Head.LOST ? between - 5 : between;
        String label = fitting(arrow.label());
        int length = Math.max(1, end - 5 - label.length());
        String head = arrow.head() == Head.TAKEN ? arrow.rightward() ? "▶" : "◀" : "✕";
        String room = " ".repeat(Math.max(0, between - 5 - label.length() - length));
        return arrow.rightward()
                ? "│" + line.repeat(2) + " " + label + " " + line.repeat(length) + head + room + "│"
                : "│" + room + head + line.repeat(length) + " " + label + " " + line.repeat(2) + "│";
    }

    /** A label that leaves room for two ends of the shaft. */
    private String fitting(String label) {
        int most = between - 6;
        String shorter = label.length() > most && label.endsWith(" error")
                ? label.substring(0, label.length() - " error".length())
                : label;
        return shorter.length() > most ? shorter.substring(0, most - 1) + "…" : shorter;
    }

    @Override
    public void below(String words) {
        wrapped(toArrow + "└ ", toArrow + "  ", words);
    }

    @Override
    public void note(String words) {
        wrapped(toArrow, toArrow + "  ", words);
    }

    private void wrapped(String first, String others, String words) {
        StringBuilder line = new StringBuilder(first);
        int start = line.length();
        for (String word : words.split(" ")) {
            if (line.length() > start && line.length() + 1 + word.length() > Ladder.WIDTH) {
                lines.accept(line.toString());
                line.setLength(0);
                line.append(others);
                start = line.length();
            }
            line.append(line.length() == start ? "" : " ").append(word);
        }
        lines.accept(line.toString());
    }
}
