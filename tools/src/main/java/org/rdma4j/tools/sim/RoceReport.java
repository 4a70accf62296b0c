package org.rdma4j.tools.sim;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.rdma4j.ibsim.ethernet.RoceFigures;

/** What runs on a RoCE fabric came to, side by side: a column each in words, an object each in JSON. */
final class RoceReport {

    private static final double MICROS = 1e3;
    private static final double KILOBYTES = 1e3;

    private final Map<String, RoceFigures> runs;

    RoceReport(Map<String, RoceFigures> runs) {
        this.runs = runs;
    }

    boolean isFinished() {
        return runs.values().stream().allMatch(RoceFigures::finished);
    }

    // JSON.

    Map<String, Object> json() {
        List<Object> all = new ArrayList<>();
        runs.forEach((name, figures) -> all.add(json(name, figures)));
        return Map.of("runs", all);
    }

    private static Map<String, Object> json(String name, RoceFigures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("finished", figures.finished());
        json.put("nanoseconds", figures.nanos());
        json.put("bytes", figures.bytes());
        json.put("gigabits_per_second", figures.gigabits());
        json.put("packets", figures.packets());
        json.put("packets_resent", figures.resent());
        json.put("go_backs", figures.goBacks());
        json.put("ack_timeouts", figures.timeouts());
        json.put("tail_drops", figures.tailDrops());
        json.put("headroom_drops", figures.headroomDrops());
        json.put("ecn_marked", figures.marked());
        json.put("np_cnp_sent", figures.cnpsSent());
        json.put("rp_cnp_handled", figures.cnpsHandled());
        json.put("pfc_pauses", figures.pauses());
        json.put("pfc_paused_nanoseconds", figures.pausedNanos());
        json.put("hottest_port", figures.hottest());
        json.put("longest_queue_bytes", figures.longestQueue());
        json.put("mean_queue_bytes", figures.meanQueue());
        json.put("flows", figures.flows().stream().map(RoceReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(RoceFigures.Flow flow) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", flow.from());
        json.put("to", flow.to());
        json.put("bytes", flow.bytes());
        json.put("nanoseconds", flow.nanos());
        json.put("gigabits_per_second", flow.gigabits());
        if (flow.failure() != null) {
            json.put("failure", flow.failure());
        }
        return json;
    }

    // Words.

    void words(PrintWriter out) {
        RoceFigures first = runs.values().iterator().next();
        out.printf(
                Locale.ROOT,
                "%d flows, %,d bytes in %,d packets%n",
                first.flows().size(),
                first.bytes(),
                first.packets());
        out.println(line("", runs.keySet()));
        row(out, "time, µs", figures -> number(figures.nanos() / MICROS));
        row(out, "finished", figures -> figures.finished() ? "yes" : "no");
        row(out, "goodput, Gb/s", figures -> number(figures.gigabits()));
        row(out, "slowest flow, Gb/s", figures -> number(slowest(figures)));
        row(out, "fastest flow, Gb/s", figures -> number(fastest(figures)));
        others(first)
                .forEach(flow -> row(
                        out,
                        flow.from() + " to " + flow.to() + ", Gb/s",
                        figures -> number(find(figures, flow).gigabits())));
        row(out, "dropped", figures -> count(figures.tailDrops() + figures.headroomDrops()));
        row(out, "sent again", figures -> count(figures.resent()));
        row(out, "go-backs", figures -> count(figures.goBacks()));
        row(out, "timeouts", figures -> count(figures.timeouts()));
        row(out, "PFC pauses", figures -> count(figures.pauses()));
        row(out, "paused, µs", figures -> number(figures.pausedNanos() / MICROS));
        row(out, "marked", figures -> count(figures.marked()));
        row(out, "CNPs", figures -> count(figures.cnpsSent()));
        row(out, "longest queue, KB", figures -> number(figures.longestQueue() / KILOBYTES));
        row(out, "mean queue, KB", figures -> number(figures.meanQueue() / KILOBYTES));
        row(out, "at port", RoceFigures::hottest);
        broken(out);
    }

    private void row(PrintWriter out, String name, Function<RoceFigures, String> figure) {
        out.println(line(name, runs.values().stream().map(figure).toList()));
    }

    private static String line(String name, Collection<String> columns) {
        StringBuilder line = new StringBuilder(String.format("%-22s", name));
        columns.forEach(column -> line.append(String.format("%14s", column)));
        return line.toString().stripTrailing();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static double slowest(RoceFigures figures) {
        return figures.flows().stream()
                .mapToDouble(RoceFigures.Flow::gigabits)
                .min()
                .orElse(0);
    }

    private static double fastest(RoceFigures figures) {
        return figures.flows().stream()
                .mapToDouble(RoceFigures.Flow::gigabits)
                .max()
                .orElse(0);
    }

    /** Where nearly all flows have one destination, those that have another: victims, if anything happens to them. */
    private static List<RoceFigures.Flow> others(RoceFigures figures) {
        Map<String, Integer> flowsTo = new LinkedHashMap<>();
        figures.flows().forEach(flow -> flowsTo.merge(flow.to(), 1, Integer::sum));
        String common = flowsTo.entrySet().stream()
                .max(Comparator.comparingInt(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse("");
        return flowsTo.size() != 2 || flowsTo.get(common) == 1
                ? List.of()
                : figures.flows().stream()
                        .filter(flow -> !flow.to().equals(common))
                        .toList();
    }

    private static RoceFigures.Flow find(RoceFigures figures, RoceFigures.Flow like) {
        return figures.flows().stream()
                .filter(flow -> flow.from().equals(like.from()) && flow.to().equals(like.to()))
                .findFirst()
                .orElseThrow();
    }

    private void broken(PrintWriter out) {
        runs.forEach((name, figures) -> {
            for (RoceFigures.Flow flow : figures.flows()) {
                if (flow.nanos() < 0) {
                    out.printf(
                            "%s: %s to %s did not finish%s%n",
                            name, flow.from(), flow.to(), flow.failure() == null ? "" : ": " + flow.failure());
                }
            }
        });
    }
}
