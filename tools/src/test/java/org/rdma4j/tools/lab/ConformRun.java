package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rdma4j.tools.conform.Profile;
import org.rdma4j.tools.conform.report.JsonReport;

/** Runs of {@code rdma4j conform} against a guest of the lab. */
final class ConformRun {

    private static final Duration LIMIT = Duration.ofMinutes(6);

    private ConformRun() {}

    /** Every check ends as the peer's profile says, and the profile has a line for each. */
    static void holds(Lab lab, String profile, String host, Path folder, String... options) throws IOException {
        Path report = folder.resolve(profile + ".json");
        List<String> arguments = new ArrayList<>(List.of("conform", "--peer", profile, "--host", host, "--via", "lab"));
        arguments.addAll(List.of("--variants", "usual", "--json", report.toString()));
        arguments.addAll(List.of(options));
        LabResult result = lab.startRdma4j(arguments.toArray(String[]::new)).await(LIMIT);
        Map<String, String> expected = new TreeMap<>();
        Profile.of(profile)
                .lines()
                .forEach((id, line) -> expected.put(id, line.verdict().name()));
        assertEquals(
                text(expected), text(new TreeMap<>(JsonReport.verdicts(Files.readString(report)))), result.output());
        result.succeeded();
    }

    /** A line each, so that a difference shows as one. */
    private static String text(Map<String, String> verdicts) {
        StringBuilder lines = new StringBuilder();
        verdicts.forEach(
                (id, verdict) -> lines.append(id).append(' ').append(verdict).append('\n'));
        return lines.toString();
    }
}
