package org.rdma4j.tools.conform;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Peer;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.report.HtmlReport;
import org.rdma4j.tools.conform.report.JsonReport;
import org.rdma4j.tools.conform.report.JunitReport;
import org.rdma4j.tools.conform.report.Report;
import org.rdma4j.tools.conform.report.Row;
import picocli.CommandLine;

/** {@code conform}: runs checks, tells how they end, writes reports. */
@CommandLine.Command(
        name = "conform",
        mixinStandardHelpOptions = true,
        description = {
            "Proves a RoCE v2 or iWARP device right or wrong, rule by rule: one side of each connection is played by hand,",
            "packet by packet. Without --peer rdma4j's own devices are under test. A real one needs only ordinary",
            "programs: perftest's, ucmatose and udaddy; for iWARP rping."
        },
        subcommands = {ListCommand.class, ShowCommand.class, DiffCommand.class},
        footer = {
            "",
            "Example: everything against rdma4j's own device; two groups against a Linux machine, with a report",
            "  rdma4j conform",
            "  rdma4j conform PSN RNR --peer rxe --host 10.0.0.2 --via ssh --html report.html"
        })
public final class ConformCommand implements Callable<Integer> {

    private static final int MOST_LANES = 32;

    @CommandLine.Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "Checks (PSN-01), or groups (PSN); default: all.")
    private List<String> ids = List.of();

    @CommandLine.Mixin
    private PeerOptions peer;

    @CommandLine.Option(
            names = "--variants",
            paramLabel = "WHICH",
            defaultValue = "all",
            description = {
                "usual: MTU 1024, PSNs far from where they wrap; all: every MTU, IPv4 and IPv6, PSNs that wrap;",
                "of iWARP: both revisions of MPA, CRCs, every way to cut the stream",
                "(default: ${DEFAULT-VALUE})."
            })
    private Variants variants;

    /** Which variants are run. */
    enum Variants {
        usual,
        all
    }

    @CommandLine.Option(
            names = "--lanes",
            paramLabel = "N",
            defaultValue = "8",
            description = "Checks at a time (default: ${DEFAULT-VALUE}).")
    private int lanes;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", description = "Write the report for programs.")
    private Path json;

    @CommandLine.Option(names = "--junit", paramLabel = "FILE", description = "Write the report for build servers.")
    private Path junit;

    @CommandLine.Option(names = "--html", paramLabel = "FILE", description = "Write the report for people.")
    private Path html;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Ranges.check(spec, "--lanes", lanes, 1, MOST_LANES);
        PrintWriter out = spec.commandLine().getOut();
        List<Check> chosen = Selection.of(spec, ids);
        Profile profile = Profile.of(peer.profile());
        Instant started = Instant.now();
        long start = System.nanoTime();
        List<Peer> peers = peer.open(lanes, out);
        Report report;
        try {
            Peer tested = peers.getFirst();
            // Whoever names no check wants those that concern this peer.
            List<Check> checks = ids.isEmpty()
                    ? chosen.stream()
                            .filter(check -> tested.is(check.course().kind()))
                            .toList()
                    : chosen;
            Function<Check, List<Variant>> ways =
                    check -> variants == Variants.usual ? List.of(peer.usual(check)) : peer.variants(check);
            Progress progress =
                    new Progress(out, checks, check -> ways.apply(check).size());
            List<Result> results = new Runner(peers, profile, progress::tell).run(checks, ways);
            progress.end();
            report = Report.of(peers.getFirst().name(), started, System.nanoTime() - start, results);
        } finally {
            peers.stream().distinct().forEach(Peer::close);
        }
        tell(out, report);
        write(json, () -> JsonReport.of(report));
        write(junit, () -> JunitReport.of(report));
        write(html, () -> HtmlReport.of(report));
        return report.isFine() ? ExitStatus.SUCCESS : ExitStatus.FAILED;
    }

    private static void tell(PrintWriter out, Report report) {
        List<Row> findings = report.rows().stream()
                .filter(row -> row.verdict() != Verdict.PASS && row.verdict() != Verdict.NOT_APPLICABLE)
                .toList();
        if (!findings.isEmpty()) {
            out.println();
        }
        for (Row row : findings) {
            out.println(row.verdict() + " " + row.check() + " (" + row.worst().variant() + ")");
            out.println("    " + row.reason());
        }
        for (Row row : report.rows()) {
            for (Result result : row.unsteady()) {
                out.println("unsteady " + row.check() + " (" + result.variant() + ")");
                out.println("    " + result.verdict() + " at " + result.history());
            }
        }
        String counts = report.counts().entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
        out.printf(
                "%n%s: %d checks, %d runs in %.1f s: %s%n",
                report.peer(), report.rows().size(), report.runs(), report.nanos() / 1e9, counts);
        out.flush();
    }

    /** Makes a report. */
    private interface Writer {
        String text();
    }

    private static void write(Path file, Writer writer) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, writer.text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
