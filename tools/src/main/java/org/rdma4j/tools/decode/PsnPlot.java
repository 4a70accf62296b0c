package org.rdma4j.tools.decode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.analysis.Finding;
import org.rdma4j.analysis.FindingKind;
import org.rdma4j.analysis.Flow;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/**
 * PSN over time, a panel a flow: what was sent first, what was sent again by round, the cumulative acknowledge, NAKs, the
 * time that RNR NAKs ask for, what is missing.
 */
final class PsnPlot {

    private static final int MOST_FLOWS = 12;
    private static final int WIDTH = 1120;
    private static final int PANEL = 380;
    private static final int LEFT = 90;
    private static final int RIGHT = 24;
    private static final int HEAD = 64;
    private static final int FOOT = 48;
    private static final int LEGEND = 54;
    private static final int COLORED_ROUNDS = 4;

    private static final String CSS = "text{font:12px 'DejaVu Sans',Arial,sans-serif;fill:#1b1f24}.bg{fill:#fff}"
            + ".name{font-weight:bold}.small{font-size:11px;fill:#57606a}.end{text-anchor:end}.mid{text-anchor:middle}"
            + ".axis{stroke:#57606a;stroke-width:1}.grid{stroke:#e4e8ec;stroke-width:1}"
            + ".sent{stroke:#0969da;stroke-width:1.6}.response{stroke:#6cb37f;stroke-width:1.4}"
            + ".r1{stroke:#e36209;stroke-width:1.8}.r2{stroke:#cf222e;stroke-width:1.8}"
            + ".r3{stroke:#8250df;stroke-width:1.8}.r4{stroke:#24292f;stroke-width:1.8}"
            + ".ack{stroke:#1a7f37;stroke-width:1.2;fill:none}.nak{fill:#cf222e}.rnr{stroke:#bf8700;stroke-width:4}"
            + ".lost{stroke:#cf222e;stroke-width:1.3}";

    private final Map<Flow, PlotSeries> series = new LinkedHashMap<>();
    private int flowsLeft;

    /** Takes note of a packet. */
    void add(DecodedFrame decoded) {
        PacketPlace place = decoded.place();
        if (place.flow() == null) {
            return;
        }
        PlotSeries of = series.get(place.flow());
        if (of == null) {
            if (series.size() == MOST_FLOWS) {
                flowsLeft++;
                return;
            }
            of = new PlotSeries(place.flow());
            series.put(place.flow(), of);
        }
        for (Finding finding : decoded.findings()) {
            if (finding.count() > 0 && finding.kind() == FindingKind.GAP) {
                for (int gone = 0; gone < Math.min(finding.count(), 64); gone++) {
                    of.add(PlotSeries.Mark.LOST, decoded.sinceFirst(), finding.psn() + gone, 0);
                }
            }
        }
        mark(decoded, place, of);
    }

    private static void mark(DecodedFrame decoded, PacketPlace place, PlotSeries of) {
        int opcode = decoded.opcode();
        long time = decoded.sinceFirst();
        int psn = place.relativePsn();
        if (Opcode.isRequest(opcode)) {
            if (place.resend().isRetransmission()) {
                of.add(PlotSeries.Mark.RESENT, time, psn, place.again());
            } else {
                of.add(PlotSeries.Mark.SENT, time, psn, 0);
            }
            return;
        }
        int syndrome = Opcode.hasAeth(opcode)
                ? decoded.frame()
                        .bytes()
                        .uint8(decoded.frame().bthOffset() + Opcode.aethOffset(opcode) + Aeth.SYNDROME_OFFSET)
                : Syndrome.ACK_UNLIMITED;
        if (Syndrome.isRnrNak(syndrome)) {
            of.add(PlotSeries.Mark.RNR, time, psn, Syndrome.rnrNanos(Syndrome.value(syndrome)));
        } else if (Syndrome.isNak(syndrome)) {
            of.add(PlotSeries.Mark.NAK, time, psn, 0);
        } else if (Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE) {
            of.add(PlotSeries.Mark.ACK, time, psn, 0);
        } else {
            of.add(PlotSeries.Mark.RESPONSE, time, psn, 0);
        }
    }

    /** The picture. */
    String document() {
        SvgText svg = new SvgText();
        List<PlotSeries> shown =
                series.values().stream().filter(each -> each.size() > 1).toList();
        double height = LEGEND + (double) PANEL * Math.max(1, shown.size()) + 24;
        svg.rect(0, 0, WIDTH, height, "bg");
        legend(svg);
        for (int index = 0; index < shown.size(); index++) {
            new Panel(svg, shown.get(index), LEGEND + index * PANEL).draw();
        }
        if (shown.isEmpty()) {
            svg.text(LEFT, LEGEND + 40, "name", "No flow of two packets or more.");
        }
        if (flowsLeft > 0) {
            svg.text(
                    LEFT,
                    height - 8,
                    "small",
                    "Only the first " + MOST_FLOWS + " flows are drawn; --filter chooses others.");
        }
        return svg.document(WIDTH, height, CSS);
    }

    private static void legend(SvgText svg) {
        double x = LEFT;
        x = legend(svg, x, "sent", "sent first");
        for (int round = 1; round <= COLORED_ROUNDS; round++) {
            x = legend(svg, x, "r" + round, round == COLORED_ROUNDS ? "round 4 and later" : "round " + round);
        }
        x = legend(svg, x, "response", "response with data");
        x = legend(svg, x, "ack", "acknowledged up to");
        svg.raw(triangle(x + 8, 26));
        svg.text(x + 22, 30, "small", "NAK");
        x += 54;
        x = legend(svg, x, "rnr", "RNR wait");
        cross(svg, x + 8, 26);
        svg.text(x + 22, 30, "small", "missing");
    }

    private static double legend(SvgText svg, double x, String style, String words) {
        svg.line(x, 26, x + 16, 26, style);
        svg.text(x + 22, 30, "small", words);
        return x + 22 + 6.2 * words.length() + 14;
    }

    private static String triangle(double x, double y) {
        return "<path class=\"nak\" d=\"M" + SvgText.number(x - 5) + " " + SvgText.number(y) + "l8 -5v10z\"/>";
    }

    private static void cross(SvgText svg, double x, double y) {
        svg.line(x - 3, y - 3, x + 3, y + 3, "lost");
        svg.line(x - 3, y + 3, x + 3, y - 3, "lost");
    }

    /** One flow. */
    private static final class Panel {

        private final SvgText svg;
        private final PlotSeries series;
        private final double top;
        private final long firstTime;
        private final long lastTime;
        private final long lowest;
        private final long highest;

        Panel(SvgText svg, PlotSeries series, double top) {
            this.svg = svg;
            this.series = series;
            this.top = top;
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            long low = Long.MAX_VALUE;
            long high = Long.MIN_VALUE;
            for (int index = 0; index < series.size(); index++) {
                from = Math.min(from, series.time(index));
                to = Math.max(to, series.time(index));
                low = Math.min(low, series.psn(index));
                high = Math.max(high, series.psn(index));
            }
            firstTime = from;
            lastTime = Math.max(to, from + 1000);
            lowest = low;
            highest = Math.max(high, low + 1);
        }

        private double x(long time) {
            return LEFT + (double) (time - firstTime) / (lastTime - firstTime) * (WIDTH - LEFT - RIGHT);
        }

        private double y(long psn) {
            double height = PANEL - HEAD - FOOT;
            return top + HEAD + height - (double) (psn - lowest) / (highest - lowest) * height;
        }

        void draw() {
            title();
            axes();
            marks();
            acknowledged();
        }

        private void title() {
            Flow flow = series.flow();
            String thinned =
                    series.every() > 1 ? ", every " + series.every() + "th of the " + series.total() + " marks" : "";
            svg.text(
                    LEFT,
                    top + 30,
                    "name",
                    "flow " + flow.number() + ": " + IpText.of(flow.from().toAddress()) + " → "
                            + IpText.of(flow.to().toAddress()) + ", " + flow.name() + thinned);
            svg.text(
                    LEFT,
                    top + 48,
                    "small",
                    String.format(
                            Locale.ROOT,
                            "PSN from %d on; %d requests, %d sent again, %d lost before the capture (inferred), %d NAKs, %d RNR NAKs",
                            flow.firstPsn(),
                            flow.figures().packets(),
                            flow.figures().resent(),
                            flow.figures().lost(),
                            flow.figures().naks(),
                            flow.figures().rnrs()));
        }

        private void axes() {
            double bottom = top + PANEL - FOOT;
            double millis = (lastTime - firstTime) / 1e6;
            double step = nice(millis / 8);
            for (double tick = 0; tick <= millis * 1.0001; tick += step) {
                double x = x(firstTime + Math.round(tick * 1e6));
                svg.line(x, top + HEAD, x, bottom, "grid");
                svg.text(x, bottom + 16, "small mid", SvgText.number(tick));
            }
            double psnStep = Math.max(1, nice((highest - lowest) / 6.0));
            for (double tick = Math.ceil(lowest / psnStep) * psnStep; tick <= highest; tick += psnStep) {
                double y = y((long) tick);
                svg.line(LEFT, y, WIDTH - RIGHT, y, "grid");
                svg.text(LEFT - 8, y + 4, "small end", SvgText.number(tick));
            }
            svg.line(LEFT, top + HEAD, LEFT, bottom, "axis");
            svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis");
            svg.text(
                    (LEFT + WIDTH - RIGHT) / 2.0,
                    bottom + 34,
                    "small mid",
                    String.format(Locale.ROOT, "ms from %.3f ms of the capture on", firstTime / 1e6));
            svg.raw("<text class=\"small mid\" transform=\"translate(" + (LEFT - 62) + " "
                    + SvgText.number((top + HEAD + bottom) / 2) + ") rotate(-90)\">relative PSN</text>");
        }

        /** 1, 2 or 5 times a power of ten. */
        private static double nice(double rough) {
            double power = Math.pow(10, Math.floor(Math.log10(Math.max(rough, 1e-6))));
            double part = rough / power;
            return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
        }

        private void marks() {
            for (int index = 0; index < series.size(); index++) {
                double x = x(series.time(index));
                double y = y(series.psn(index));
                switch (series.mark(index)) {
                    case SENT -> svg.line(x - 1.6, y, x + 1.6, y, "sent");
                    case RESENT ->
                        svg.line(x - 2, y, x + 2, y, "r" + Math.clamp(series.extra(index), 1, COLORED_ROUNDS));
                    case RESPONSE -> svg.line(x - 1.6, y, x + 1.6, y, "response");
                    case LOST -> cross(svg, x, y);
                    case RNR -> {
                        double end = x(Math.min(lastTime, series.time(index) + series.extra(index)));
                        svg.line(x, y, Math.max(end, x + 3), y, "rnr");
                    }
                    case NAK -> svg.raw(triangle(x, y));
                    case ACK -> {}
                }
            }
        }

        /** A line of steps through the highest PSN acknowledged so far. */
        private void acknowledged() {
            StringBuilder path = new StringBuilder();
            long reached = Long.MIN_VALUE;
            for (int index = 0; index < series.size(); index++) {
                boolean isAck = series.mark(index) == PlotSeries.Mark.ACK;
                if (isAck && series.psn(index) > reached) {
                    String x = SvgText.number(x(series.time(index)));
                    String y = SvgText.number(y(series.psn(index)));
                    path.append(reached == Long.MIN_VALUE ? "M" + x + " " + y : "H" + x + "V" + y);
                    reached = series.psn(index);
                }
            }
            if (!path.isEmpty()) {
                svg.raw("<path class=\"ack\" d=\"" + path + "\"/>");
            }
        }
    }
}
