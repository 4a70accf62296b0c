package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.rdma4j.analysis.Analyzer;
import org.rdma4j.analysis.FindingKind;
import org.rdma4j.analysis.Flow;
import org.rdma4j.analysis.FlowFigures;
import org.rdma4j.wire.IpText;

/** What was counted of each connection, and how much was found, in lines for people. */
final class FlowTableText {

    /** More connections than these are only counted. */
    private static final int MOST_SHOWN = 50;

    private FlowTableText() {}

    static List<String> of(Analyzer analyzer) {
        List<String> lines = new ArrayList<>();
        List<Flow> flows = analyzer.flows();
        flows.stream().limit(MOST_SHOWN).forEach(flow -> flow(flow, lines));
        if (flows.size() > MOST_SHOWN) {
            lines.add((flows.size() - MOST_SHOWN) + " more flows");
        }
        if (!analyzer.counts().isEmpty()) {
            lines.add("");
            lines.add(String.format(Locale.ROOT, "%-28s %10s  %-8s  %s", "finding", "count", "severity", "rule"));
            for (Map.Entry<FindingKind, Long> entry : analyzer.counts().entrySet()) {
                FindingKind kind = entry.getKey();
                lines.add(String.format(
                        Locale.ROOT,
                        "%-28s %10d  %-8s  %s, %s",
                        kind.id(),
                        entry.getValue(),
                        kind.severity().text(),
                        kind.rule(),
                        kind.clause()));
            }
        }
        return lines;
    }

    private static void flow(Flow flow, List<String> lines) {
        FlowFigures figures = flow.figures();
        lines.add("");
        String said = flow.announcement() == null
                ? "first PSN seen "
                : "first PSN by " + flow.announcement().said() + " ";
        lines.add(String.format(
                Locale.ROOT,
                "flow %d  %s → %s  %s%s  %s%d",
                flow.number(),
                IpText.of(flow.from().toAddress()),
                IpText.of(flow.to().toAddress()),
                flow.name(),
                flow.answerQp() < 0 ? "" : String.format(Locale.ROOT, " from QP 0x%06x", flow.answerQp()),
                said,
                flow.firstPsn()));
        lines.add(String.format(
                Locale.ROOT,
                "    %d requests: %d sent again, %d lost before the capture (inferred), %d overtaken, %d copies",
                figures.packets(),
                figures.resent(),
                figures.lost(),
                figures.late(),
                figures.copies()));
        if (!figures.rounds().isEmpty()) {
            lines.add("    went back: "
                    + figures.rounds().entrySet().stream()
                            .map(entry ->
                                    entry.getValue() + " × " + entry.getKey().text())
                            .collect(Collectors.joining(", ")));
        }
        if (figures.responses() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "    %d responses: %d ACKs, %d NAKs, %d RNR NAKs, %d with data again, %d lost before the capture",
                    figures.responses(),
                    figures.acks(),
                    figures.naks(),
                    figures.rnrs(),
                    figures.repeatedResponses(),
                    figures.lostResponses()));
        }
        lines.add(String.format(
                Locale.ROOT,
                "    %d messages of %d to %d bytes, mean %d; %d bytes in %.6f s, goodput %.3f Mbit/s",
                figures.messages(),
                figures.smallestMessage(),
                figures.largestMessage(),
                figures.meanMessage(),
                figures.payloadBytes(),
                figures.span() / 1e9,
                figures.goodput() / 1e6));
        if (figures.ackLatency().count() > 0) {
            lines.add("    request to ACK: " + figures.ackLatency().micros());
        }
        if (figures.readLatency().count() > 0) {
            lines.add("    READ or atomic to its last response: "
                    + figures.readLatency().micros() + "; " + figures.mostOutstandingReads() + " outstanding at most");
        }
        if (figures.leastCredits() >= 0) {
            lines.add("    credits: " + figures.leastCredits() + " at least");
        }
        if (figures.marked() > 0 || figures.cnps() > 0) {
            lines.add("    congestion: " + figures.marked() + " requests marked, " + figures.cnps() + " notifications");
        }
    }
}
