package org.rdma4j.tools.conform.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.tools.JsonText;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;

/** The report for programs. */
public final class JsonReport {

    private JsonReport() {}

    public static String of(Report report) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("peer", report.peer());
        all.put("started", report.started().toString());
        all.put("seconds", report.nanos() / 1e9);
        Map<String, Object> counts = new LinkedHashMap<>();
        report.counts().forEach((verdict, count) -> counts.put(verdict.name(), count));
        all.put("counts", counts);
        List<Object> checks = new ArrayList<>();
        for (Row row : report.rows()) {
            Map<String, Object> entry = card(row.check());
            entry.put("verdict", row.verdict().name());
            entry.put("reason", row.reason());
            List<Object> runs = new ArrayList<>();
            row.results().forEach(result -> runs.add(run(result)));
            entry.put("runs", runs);
            checks.add(entry);
        }
        all.put("checks", checks);
        return JsonText.of(all);
    }

    /**
     * Reads back how each check ended, by its id.
     *
     * @throws IllegalArgumentException where the text is no such report
     */
    public static Map<String, String> verdicts(String json) {
        if (!(JsonReader.read(json) instanceof Map<?, ?> report) || !(report.get("checks") instanceof List<?> checks)) {
            throw new IllegalArgumentException("it has no checks");
        }
        Map<String, String> verdicts = new LinkedHashMap<>();
        for (Object check : checks) {
            if (check instanceof Map<?, ?> card) {
                verdicts.put(String.valueOf(card.get("id")), String.valueOf(card.get("verdict")));
            }
        }
        return verdicts;
    }

    /** What is known of a check before it runs. */
    private static Map<String, Object> card(Check check) {
        Map<String, Object> card = new LinkedHashMap<>();
        card.put("id", check.id());
        card.put("title", check.title());
        card.put("clause", check.clause());
        card.put("role", check.role().name());
        card.put("stimulus", check.stimulus());
        card.put("answer", check.answer());
        return card;
    }

    private static Map<String, Object> run(Result result) {
        Map<String, Object> run = new LinkedHashMap<>();
        Variant variant = result.variant();
        run.put("ip", variant.ipv6() ? 6 : 4);
        if (variant.mpa() == null) {
            run.put("mtu", variant.mtu());
            run.put("psn", variant.psn());
        } else {
            run.put("mpa", variant.mpa().revision());
            run.put("crc", variant.mpa().crc());
            run.put("cut", variant.mpa().cut().name().toLowerCase(Locale.ROOT));
        }
        run.put("verdict", result.verdict().name());
        run.put("reason", result.reason());
        run.put("tries", result.failures().size() + 1);
        run.put("failures", result.failures().stream().map(Result::reason).toList());
        run.put("oracles", result.oracles().stream().map(Enum::name).toList());
        run.put("packets", result.frames().size());
        run.put("milliseconds", result.nanos() / 1e6);
        return run;
    }
}
