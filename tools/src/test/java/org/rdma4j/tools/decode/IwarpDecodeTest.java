package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.trace.Ladder;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.IwarpCaptures;

class IwarpDecodeTest {

    private static final int PCAP_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int ETHERNET_AND_IPV4 = 34;

    @TempDir
    Path folder;

    private String file(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes).toString();
    }

    static Stream<IwarpCaptures.Capture> captures() {
        return IwarpCaptures.all().stream();
    }

    private static long count(List<String> lines, String part) {
        return lines.stream().filter(line -> line.contains(part)).count();
    }

    @Test
    void drawsBothSidesOfAConversation() throws IOException {
        String file = file("rping.pcap", Captures.read("siw-rping.pcap"));
        List<String> ladder = CommandRun.of("decode", "--ladder", file).lines();
        assertEquals(
                List.of(
                        "     4       0.000  │── MPA Request ──────────▶│  Rev 2  IRD 1  ORD 1  0 B private data",
                        "     6   14474.000  │◀──────────── MPA Reply ──│  Rev 2  IRD 1  ORD 1  0 B private data",
                        "     8   19634.000  │── Send ─────────────────▶│ QN0           1  16 B",
                        "     9   23538.000  │◀───────── Read Request ──│ QN1           1  64 B"),
                ladder.subList(2, 6));
        assertEquals("    10   26834.000  │── Read Response ────────▶│ ba9aa100      -  64 B", ladder.get(8));
    }

    /** A pcap's connection, and another one between the same ports: its sequence numbers differ. */
    private static byte[] twice(byte[] pcap) {
        byte[] both = Arrays.copyOf(pcap, 2 * pcap.length - PCAP_HEADER);
        System.arraycopy(pcap, PCAP_HEADER, both, pcap.length, pcap.length - PCAP_HEADER);
        ByteBuffer records = ByteBuffer.wrap(both).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = pcap.length; at < both.length; ) {
            int tcp = at + RECORD_HEADER + ETHERNET_AND_IPV4;
            both[tcp + 4]++; // the highest bytes of sequence and acknowledgment number
            both[tcp + 8]++;
            at += RECORD_HEADER + records.getInt(at + 8);
        }
        return both;
    }

    /** ucmatose's server sends before its client has sent anything: siw lets it, RFC 5044 does not. */
    @Test
    void tellsWhoSpokeFirst() throws IOException {
        String file = file("ucmatose.pcap", Captures.read("siw-ucmatose.pcap"));
        List<String> findings = CommandRun.of("decode", "--findings", file).lines();
        assertTrue(
                findings.getFirst()
                        .contains(
                                "  warning  └ 10.78.0.2:7471 was asked for the connection and sends first: it shall wait"),
                findings::toString);
        assertTrue(findings.getFirst().endsWith("[MPA-09, RFC 5044, 7.1.2]"), findings::toString);
        assertEquals(1, count(findings, "[MPA-09, "), findings::toString);
        assertEquals(1, count(CommandRun.of("decode", "--ladder", file).lines(), "└ 10.78.0.2:7471 was asked for"));
        assertEquals(1, count(CommandRun.of("decode", "--json", file).lines(), "\"rule\":\"MPA-09\""));
        assertEquals(
                1,
                count(
                        CommandRun.of("decode", "--findings", "--finding", "mpa-09", file)
                                .lines(),
                        "[MPA-09, "));
        assertEquals(
                0,
                count(
                        CommandRun.of("decode", "--findings", "--finding", "error", file)
                                .lines(),
                        "[MPA-09, "));
        String twice = file("twice.pcap", twice(Captures.read("siw-ucmatose.pcap")));
        assertEquals(2, count(CommandRun.of("decode", "--findings", twice).lines(), "[MPA-09, "), "ports used again");
        assertEquals(0, count(CommandRun.of("decode", "--findings", twice).lines(), "[DDP-08, "));
        String rping = file("rping.pcap", Captures.read("siw-rping.pcap"));
        assertEquals(0, count(CommandRun.of("decode", "--findings", rping).lines(), "└"), "nobody spoke out of turn");
    }

    @ParameterizedTest
    @MethodSource("captures")
    void showsEveryFpduInEachForm(IwarpCaptures.Capture capture) throws IOException {
        String file = file(capture.name(), capture.bytes());
        CommandRun run = CommandRun.of("decode", file);
        assertEquals(ExitStatus.SUCCESS, run.status(), run::toString);
        assertEquals(capture.connections(), count(run.lines(), "  MPA Request  "));
        assertEquals(capture.connections(), count(run.lines(), "  MPA Reply  "));
        capture.opcodes()
                .forEach((opcode, count) -> assertEquals(
                        count.longValue(),
                        run.lines().stream()
                                .filter(line -> line.matches(".*  RDMAP " + RdmapOpcode.name(opcode) + " {2,}.*"))
                                .count(),
                        RdmapOpcode.name(opcode)));
        assertEquals(capture.fpdus(), count(run.lines(), "  CRC off"));
        String counts = capture.fpdus()
                + (capture.fpdus() == 1 ? " FPDU of iWARP on " : " FPDUs of iWARP on ")
                + capture.connections();
        assertEquals(1, count(run.lines(), counts), counts);
        assertEquals(1, count(CommandRun.of("decode", "--stats", file).lines(), counts), counts);
        List<String> ladder = CommandRun.of("decode", "--ladder", file).lines();
        assertEquals(1, count(ladder, counts), counts);
        long arrows = ladder.stream()
                .filter(line -> line.matches(" *\\d+ +[0-9.]+ {2}│.*│.*"))
                .count();
        assertEquals(capture.fpdus() + 2L * capture.connections(), arrows);
        ladder.forEach(line -> assertTrue(line.length() <= Ladder.WIDTH || line.contains("other frame"), line));
        List<String> fields = CommandRun.of("decode", "--fields", file).lines();
        assertEquals(capture.fpdus(), count(fields, " MPA CRC "));
        assertEquals(capture.fpdus(), count(fields, " RDMAP          RV 1  "));
        List<String> json = CommandRun.of("decode", "--json", file).lines();
        assertEquals(capture.fpdus() + 2L * capture.connections(), count(json, "\"type\":\"iwarp\""));
        json.forEach(JsonReader::read);
    }

    @Test
    void aLineHasWhatOneLooksFor() throws IOException {
        List<String> lines = CommandRun.of("decode", file("rping.pcap", Captures.read("siw-rping.pcap")))
                .lines();
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.matches(" +\\d+ +\\d+\\.\\d{6}  10\\.78\\.0\\.3:\\d+ →"
                                + " 10\\.78\\.0\\.2:7174  MPA Request +  Rev 2  IRD 1  ORD 1  0 B private data")),
                () -> String.join("\n", lines));
        assertTrue(
                lines.stream().anyMatch(line -> line.matches(".*  RDMAP Send +  QN 0  MSN 1  MO 0  CRC off  16 B")),
                () -> String.join("\n", lines));
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.matches(".*  RDMAP Read Request +  QN 1  MSN 1  MO 0  CRC off"
                                + "  64 B  from STag 0x\\p{XDigit}{8}  TO 0x\\p{XDigit}{16}  to STag .*")),
                () -> String.join("\n", lines));
    }

    @Test
    void filtersChooseAmongThem() throws IOException {
        String file = file("rping.pcap", Captures.read("siw-rping.pcap"));
        assertEquals(
                3,
                count(CommandRun.of("decode", "--opcode", "read request", file).lines(), "  RDMAP "));
        assertEquals(
                0, count(CommandRun.of("decode", "--host", "10.78.0.9", file).lines(), " → "));
        assertEquals(
                18 + 5,
                count(CommandRun.of("decode", "--host", "10.78.0.2", file).lines(), " → "));
        assertEquals(0, count(CommandRun.of("decode", "--wrong", file).lines(), " → "));
        assertEquals(0, count(CommandRun.of("decode", "--qp", "0x11", file).lines(), " → "));
    }
}
