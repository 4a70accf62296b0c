package org.rdma4j.tools.conform.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Oracle;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/**
 * The report for people: one page that needs no network. A matrix of all checks, and for each one its card, how it ended
 * in each variant, its packets drawn, and their capture to download.
 */
public final class HtmlReport {

    private final StringBuilder html = new StringBuilder(1 << 20);
    private final Report report;

    private HtmlReport(Report report) {
        this.report = report;
    }

    public static String of(Report report) {
        return new HtmlReport(report).write();
    }

    private String write() {
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped("Conformance of " + report.peer()))
                .append("</title>\n<style>\n")
                .append(resource("report.css"))
                .append("</style></head><body>\n");
        head();
        matrix();
        report.groups().forEach(this::group);
        html.append("<script>\n").append(resource("report.js")).append("</script>\n</body></html>\n");
        return html.toString();
    }

    private void head() {
        html.append("<h1>RDMA conformance: ").append(escaped(report.peer())).append("</h1>\n");
        html.append("<p class=\"facts\">")
                .append(report.rows().size())
                .append(" checks in ")
                .append(report.runs())
                .append(" runs, ")
                .append(String.format(Locale.ROOT, "%.1f", report.nanos() / 1e9))
                .append(" s, started ")
                .append(escaped(report.started().toString()))
                .append(", by rdma4j conform</p>\n<p class=\"legend\">");
        report.counts()
                .forEach((verdict, count) -> html.append("<button class=\"")
                        .append(name(verdict))
                        .append("\" data-verdict=\"")
                        .append(name(verdict))
                        .append("\" title=\"")
                        .append(escaped(verdict.text()))
                        .append("\">")
                        .append(words(verdict))
                        .append(" <b>")
                        .append(count)
                        .append("</b></button>\n"));
        html.append("<button data-verdict=\"\">all</button></p>\n");
    }

    private void matrix() {
        html.append("<table class=\"matrix\">\n");
        report.groups().forEach((group, rows) -> {
            html.append("<tr><th><a href=\"#")
                    .append(group)
                    .append("\">")
                    .append(group)
                    .append("</a></th><td>");
            for (Row row : rows) {
                html.append("<a class=\"tile ")
                        .append(name(row.verdict()))
                        .append("\" href=\"#")
                        .append(row.check().id())
                        .append("\" title=\"")
                        .append(escaped(row.check() + ": " + words(row.verdict())))
                        .append("\">")
                        .append(row.check().id().substring(group.length() + 1))
                        .append("</a>");
            }
            html.append("</td></tr>\n");
        });
        html.append("</table>\n");
    }

    private void group(String group, List<Row> rows) {
        html.append("<h2 id=\"").append(group).append("\">").append(group).append("</h2>\n");
        rows.forEach(this::check);
    }

    private void check(Row row) {
        Check check = row.check();
        boolean open = !row.verdict().isFine();
        html.append("<details id=\"")
                .append(check.id())
                .append("\" data-verdict=\"")
                .append(name(row.verdict()))
                .append(open ? "\" open>" : "\">")
                .append("<summary><span class=\"verdict ")
                .append(name(row.verdict()))
                .append("\">")
                .append(words(row.verdict()))
                .append("</span> <b>")
                .append(check.id())
                .append("</b> ")
                .append(escaped(check.title()))
                .append("</summary>\n<table class=\"card\">\n");
        line("Role under test", check.role().name().toLowerCase(Locale.ROOT));
        line("Clause", check.clause());
        line("Stimulus", check.stimulus());
        line("Right answer", check.answer());
        if (!check.options().isEmpty()) {
            line("Left open", String.join(" · ", check.options()));
        }
        if (!row.reason().isEmpty()) {
            line(row.verdict() == Verdict.PASS ? "Recorded" : "Finding", row.reason());
        }
        for (Result result : row.unsteady()) {
            line("Unsteady", result.variant() + ": " + result.history());
        }
        html.append("</table>\n");
        runs(row);
        evidence(row.worst());
        html.append("</details>\n");
    }

    private void line(String what, String text) {
        html.append("<tr><th>")
                .append(what)
                .append("</th><td>")
                .append(escaped(text))
                .append("</td></tr>\n");
    }

    private void runs(Row row) {
        html.append("<table class=\"runs\"><tr><th>Variant</th><th>Verdict</th><th>Judged by</th><th>Packets</th>")
                .append("<th>ms</th></tr>\n");
        for (Result result : row.results()) {
            html.append("<tr><td>")
                    .append(result.variant())
                    .append("</td><td class=\"")
                    .append(name(result.verdict()))
                    .append("\">")
                    .append(words(result.verdict()))
                    .append("</td><td>")
                    .append(result.oracles().stream()
                            .map(Oracle::name)
                            .map(oracle -> oracle.toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", ")))
                    .append("</td><td>")
                    .append(result.frames().size())
                    .append("</td><td>")
                    .append(result.nanos() / 1_000_000)
                    .append("</td></tr>\n");
        }
        html.append("</table>\n");
    }

    private void evidence(Result result) {
        if (result.frames().isEmpty()) {
            return;
        }
        html.append("<p>The packets of ")
                .append(result.variant())
                .append(": <a download=\"")
                .append(result.check().id())
                .append(".pcapng\" href=\"data:application/octet-stream;base64,")
                .append(Base64.getEncoder().encodeToString(Evidence.pcapng(result, report.started())))
                .append("\">")
                .append(result.check().id())
                .append(".pcapng</a></p>\n<pre>")
                .append(escaped(Evidence.ladder(result)))
                .append("</pre>\n");
    }

    private static String name(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    private static String words(Verdict verdict) {
        return verdict.name().replace('_', ' ');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
