package org.rdma4j.tools.conform.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;

/** What the reports of {@code rdma4j conform} tell of checks of iWARP. */
class IwarpReportTest {

    private static final Pattern CAPTURE = Pattern.compile("base64,([A-Za-z0-9+/=]+)");

    @TempDir
    private Path folder;

    /** A story of a Send with a gap: the stream is drawn, and its capture says the same to another reader. */
    @Test
    void theStreamIsDrawnAndCaptured() throws IOException {
        Path html = folder.resolve("report.html");
        CommandRun run = CommandRun.of("conform", "DDP-09b", "--variants", "usual", "--html", html.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        String page = Files.readString(html);
        for (String part : List.of("MPA Request", "Read Response", "invalid message offset", "ends its stream (FIN)")) {
            assertTrue(page.contains(part), () -> "no \"" + part + "\" in the ladder");
        }
        Matcher found = CAPTURE.matcher(page);
        assertTrue(found.find(), "no capture");
        Path capture = folder.resolve("DDP-09b.pcapng");
        Files.write(capture, Base64.getDecoder().decode(found.group(1)));
        CommandRun decoded = CommandRun.of("decode", capture.toString());
        assertTrue(decoded.out().contains("invalid message offset"), decoded::toString);
        assertTrue(
                decoded.lines().stream().filter(line -> line.contains("Send")).count() >= 2, decoded::toString);
    }

    @Test
    void eachRunSaysHowItsConnectionWasSetUp() throws IOException {
        Path json = folder.resolve("report.json");
        CommandRun run = CommandRun.of("conform", "MPA-04a", "--json", json.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        Map<?, ?> report = (Map<?, ?>) JsonReader.read(Files.readString(json));
        Map<?, ?> check = (Map<?, ?>) ((List<?>) report.get("checks")).getFirst();
        List<?> runs = (List<?>) check.get("runs");
        assertEquals(4, runs.size());
        for (Object each : runs) {
            assertTrue(((Map<?, ?>) each).keySet().containsAll(List.of("mpa", "crc", "cut")), each::toString);
        }
    }

    @Test
    void cardsNameWhatAnOrdinaryPeerRuns() {
        CommandRun show = CommandRun.of("conform", "show", "RDP-05");
        assertTrue(show.out().contains("rping -s -P") && show.out().contains("MPA revision 1"), show::toString);
        CommandRun inside = CommandRun.of("conform", "show", "RDP-13");
        assertTrue(inside.out().contains("no ordinary program"), inside::toString);
    }
}
