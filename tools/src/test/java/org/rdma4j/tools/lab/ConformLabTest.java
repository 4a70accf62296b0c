package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.tools.conform.Profile;
import org.rdma4j.tools.conform.report.JsonReport;

/** {@code rdma4j conform} against the kernel's rxe: the profile that is committed is what it finds. */
@LabTest
class ConformLabTest {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Test
    void rxeBehavesAsItsProfileSays(Lab lab, @TempDir Path folder) throws IOException {
        Path report = folder.resolve("rxe.json");
        LabResult result = lab.startRdma4j(
                        "conform",
                        "--peer",
                        "rxe",
                        "--host",
                        Lab.guestAddress(1),
                        "--via",
                        "lab",
                        "--variants",
                        "usual",
                        "--frames",
                        "br0",
                        "--json",
                        report.toString())
                .await(LIMIT);
        Map<String, String> expected = new TreeMap<>();
        Profile.of("rxe")
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
