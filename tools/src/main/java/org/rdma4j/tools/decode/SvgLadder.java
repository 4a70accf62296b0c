package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rdma4j.trace.LadderPainter;

/** A ladder as a picture: a row a packet, arrows colored by kind, what there is to say below them. */
final class SvgLadder implements LadderPainter {

    /** Beyond this many rows no viewer is at ease. */
    static final int MOST_ROWS = 4000;

    private static final int WIDTH = 1120;
    private static final int ROW = 20;
    private static final int NOTE_ROW = 15;
    private static final int TOP = 16;
    private static final int FRAME_X = 56;
    private static final int TIME_X = 150;
    private static final int LEFT_X = 170;
    private static final int RIGHT_X = 530;
    private static final int QP_X = 546;
    private static final int PSN_X = 680;
    private static final int FACTS_X = 700;
    private static final int HEAD = 7;

    /** Characters of the small type that fit beside a lifeline, and below an arrow. */
    private static final int FACTS_CHARACTERS = 62;

    private static final int BELOW_CHARACTERS = 140;

    private static final String CSS = "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1b1f24}"
            + ".bg{fill:#fff}.life{stroke:#9aa4b0;stroke-width:1.5}.end{text-anchor:end;fill:#57606a}"
            + ".small{font-size:11px;fill:#57606a}.name{font-weight:bold}.mid{text-anchor:middle}"
            + ".label{font-size:11px;text-anchor:middle}.halo{fill:#fff}"
            + ".request{stroke:#0969da}.response{stroke:#1a7f37}.acknowledge{stroke:#57a773}.nak{stroke:#cf222e}"
            + ".management{stroke:#8250df}.congestion{stroke:#bf8700}.missing{stroke:#cf222e}"
            + ".shaft{stroke-width:1.6;fill:none}.dash{stroke-dasharray:7 4}.dot{stroke-dasharray:2 4}";

    private final SvgText svg = new SvgText();
    private final List<String> pending = new ArrayList<>();
    private double y = TOP;
    private double lifeFrom = -1;
    private int rows;
    private int left;

    @Override
    public void ends(String leftName, String right, List<String> headings, boolean isFirst) {
        if (isFull()) {
            return;
        }
        endLife();
        y += isFirst ? ROW : 2 * ROW;
        svg.text(LEFT_X, y, "name mid", leftName);
        svg.text(RIGHT_X, y, "name mid", right);
        y += NOTE_ROW;
        svg.text(FRAME_X, y, "end small", "frame");
        svg.text(TIME_X, y, "end small", "µs");
        svg.text(QP_X + 60, y, "end small", headings.get(0));
        svg.text(PSN_X, y, "end small", headings.get(1));
        y += 4;
        lifeFrom = y;
    }

    @Override
    public void arrow(Arrow arrow) {
        if (isFull()) {
            return;
        }
        rows++;
        y += ROW;
        String style = arrow.kind().name().toLowerCase(Locale.ROOT);
        double middle = y - 4;
        if (arrow.frame() > 0) {
            svg.text(FRAME_X, y, "end small", Long.toString(arrow.frame()));
        }
        if (arrow.kind() != Kind.MISSING) {
            svg.text(TIME_X, y, "end small", String.format(Locale.ROOT, "%.3f", arrow.micros()));
        }
        double from = arrow.rightward() ? LEFT_X : RIGHT_X;
        double to = arrow.rightward() ? RIGHT_X : LEFT_X;
        if (arrow.head() == Head.LOST) {
            to = from + (to - from) * 0.8;
        }
        String dash = arrow.kind() == Kind.MISSING ? " dot" : arrow.dashed() ? " dash" : "";
        svg.line(from, middle, to, middle, "shaft " + style + dash);
        head(to, middle, arrow, style);
        double width = 7.0 * arrow.label().length() + 10;
        double center = (from + to) / 2;
        svg.rect(center - width / 2, middle - 8, width, 15, "halo");
        svg.text(center, middle + 4, "label", arrow.label());
        columns(arrow);
    }

    private void head(double x, double middle, Arrow arrow, String style) {
        double back = arrow.rightward() ? -HEAD : HEAD;
        if (arrow.head() == Head.TAKEN) {
            svg.line(x, middle, x + back, middle - 4, "shaft " + style);
            svg.line(x, middle, x + back, middle + 4, "shaft " + style);
        } else {
            svg.line(x - 5, middle - 5, x + 5, middle + 5, "shaft nak");
            svg.line(x - 5, middle + 5, x + 5, middle - 5, "shaft nak");
        }
    }

    private void columns(Arrow arrow) {
        String[] columns = arrow.columns().strip().split(" +");
        if (columns.length == 2) {
            svg.text(QP_X + 60, y, "end small", columns[0]);
            svg.text(PSN_X, y, "end small", columns[1]);
        }
        StringBuilder line = new StringBuilder();
        List<String> rest = new ArrayList<>();
        for (String fact : arrow.facts()) {
            if (rest.isEmpty() && line.length() + fact.length() <= FACTS_CHARACTERS) {
                line.append(line.isEmpty() ? "" : " · ").append(fact);
            } else {
                rest.add(fact);
            }
        }
        svg.text(FACTS_X, y, "small", line.toString());
        if (!rest.isEmpty()) {
            below(String.join(" · ", rest));
        }
    }

    @Override
    public void below(String words) {
        if (isFull()) {
            return;
        }
        for (String line : broken(words)) {
            y += NOTE_ROW;
            svg.rect(LEFT_X + 8, y - 11, 7.0 * line.length() + 8, 14, "halo");
            svg.text(LEFT_X + 12, y, "small", line);
        }
        y += 2;
    }

    private static List<String> broken(String words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words.split(" ")) {
            if (line.length() + word.length() + 1 > BELOW_CHARACTERS) {
                lines.add(line.toString());
                line.setLength(0);
                line.append("    ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    @Override
    public void note(String words) {
        below(words);
    }

    private boolean isFull() {
        if (rows >= MOST_ROWS) {
            left++;
            return true;
        }
        return false;
    }

    private void endLife() {
        if (lifeFrom >= 0) {
            pending.add("<line x1=\"" + LEFT_X + "\" y1=\"" + SvgText.number(lifeFrom) + "\" x2=\"" + LEFT_X
                    + "\" y2=\"" + SvgText.number(y + 8) + "\" class=\"life\"/>");
            pending.add("<line x1=\"" + RIGHT_X + "\" y1=\"" + SvgText.number(lifeFrom) + "\" x2=\"" + RIGHT_X
                    + "\" y2=\"" + SvgText.number(y + 8) + "\" class=\"life\"/>");
        }
    }

    /** The picture. */
    String document() {
        endLife();
        if (left > 0) {
            y += ROW;
            svg.text(
                    LEFT_X,
                    y,
                    "name",
                    "The picture ends after " + MOST_ROWS + " packets; --count and --filter choose others.");
        }
        double height = y + 2 * ROW;
        SvgText whole = new SvgText();
        whole.rect(0, 0, WIDTH, height, "bg");
        pending.forEach(whole::raw);
        whole.raw(svg.pieces());
        return whole.document(WIDTH, height, CSS);
    }
}
