package org.rdma4j.tools.conform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.suite.Suite;

/** {@code rdma4j conform}, its reports and its subcommands. */
class ConformCommandTest {

    @TempDir
    private Path folder;

    @Test
    void ownDevicePassesAllInEveryVariant() throws IOException {
        Path json = folder.resolve("all.json");
        CommandRun run = CommandRun.of("conform", "--json", json.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        for (Map<?, ?> check : checks(json)) {
            assertEquals(Verdict.PASS.name(), check.get("verdict"), check::toString);
        }
        assertEquals(Suite.checks().size(), checks(json).size());
    }

    @Test
    void everyCheckHasItsCard() {
        Set<String> ids = new HashSet<>();
        for (Check check : Suite.checks()) {
            assertTrue(ids.add(check.id()), check.id() + " is there twice");
            assertFalse(check.clause().isEmpty(), check.id() + " names no clause");
            assertFalse(check.stimulus().isEmpty(), check.id() + " tells no stimulus");
            assertFalse(check.answer().isEmpty(), check.id() + " tells no answer");
        }
        assertTrue(ids.size() >= 150, () -> ids.size() + " checks");
    }

    @Test
    void reportsTellTheSame() throws IOException {
        Path json = folder.resolve("report.json");
        Path html = folder.resolve("report.html");
        Path junit = folder.resolve("report.xml");
        CommandRun run = CommandRun.of(
                "conform",
                "PSN-01",
                "ACK-21",
                "--variants",
                "usual",
                "--json",
                json.toString(),
                "--html",
                html.toString(),
                "--junit",
                junit.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        assertEquals(
                List.of("PSN-01", "ACK-21"),
                checks(json).stream().map(check -> check.get("id").toString()).toList());
        String page = Files.readString(html);
        assertTrue(page.contains("id=\"PSN-01\"") && page.contains("data:application/octet-stream;base64,"));
        assertFalse(page.contains("http://") || page.contains("https://"), "the page needs a network");
        assertTrue(page.contains("NAK"), "no ladder of the gap");
        assertTrue(Files.readString(junit).contains("<testcase classname=\"conform.ACK\""));
    }

    @Test
    void framesThatAreNoPacketsAreDrawnAsSuch() throws IOException {
        Path html = folder.resolve("frames.html");
        CommandRun run = CommandRun.of("conform", "HDR-12a", "--variants", "usual", "--html", html.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        String page = Files.readString(html);
        assertTrue(page.contains("a frame of 82 bytes that is no packet of RoCE"), page);
    }

    private static List<Map<?, ?>> checks(Path json) throws IOException {
        Object report = JsonReader.read(Files.readString(json));
        List<?> checks = (List<?>) ((Map<?, ?>) report).get("checks");
        return checks.stream().<Map<?, ?>>map(check -> (Map<?, ?>) check).toList();
    }

    @Test
    void listAndShowTellTheCards() {
        CommandRun list = CommandRun.of("conform", "list", "RNR");
        assertTrue(list.lines().stream().allMatch(line -> line.startsWith("RNR-")), list::toString);
        CommandRun show = CommandRun.of("conform", "show", "PSN-01");
        assertTrue(show.out().contains("9.7.1") && show.out().contains("ib_write_bw"), show::toString);
    }

    @Test
    void diffNamesWhatDiffers() throws IOException {
        Path before = Files.writeString(
                folder.resolve("before.json"), "{\"checks\":[{\"id\":\"PSN-01\",\"verdict\":\"PASS\"}]}");
        Path after = Files.writeString(
                folder.resolve("after.json"), "{\"checks\":[{\"id\":\"PSN-01\",\"verdict\":\"FAIL\"}]}");
        CommandRun same = CommandRun.of("conform", "diff", before.toString(), before.toString());
        assertEquals(ExitStatus.SUCCESS, same.status());
        CommandRun differs = CommandRun.of("conform", "diff", before.toString(), after.toString());
        assertEquals(ExitStatus.FAILED, differs.status());
        assertEquals("PSN-01    PASS -> FAIL", differs.lines().getFirst());
    }

    @Test
    void wrongWordsGetOneLine() {
        assertEquals(
                "rdma4j conform: no check or group is called \"XYZ-1\"; groups are HDR, CRC, PSN, ACK, RNR, RDA, RTX, "
                        + "OPS, QPS, KEY, LEN, MEM, UC, UD, CM, ECN, CNT, ISO, MPA, DDP, RDP, TRM (rdma4j conform --help tells "
                        + "more)",
                CommandRun.of("conform", "XYZ-1").err().strip());
        assertEquals(ExitStatus.USAGE, CommandRun.of("conform", "--peer", "rxe").status());
        assertEquals(
                ExitStatus.USAGE,
                CommandRun.of("conform", "--peer", "nobody", "--host", "127.0.0.1")
                        .status());
        CommandRun empty = CommandRun.of("conform", "diff", "nothing.json", "nothing.json");
        assertEquals(ExitStatus.FAILED, empty.status());
    }
}
