package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.HardwareVectors;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Vcrc;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** What decode says about whole captures of real peers: what was lost, what was sent again, and why. */
class DecodeStoryTest {

    @TempDir
    private Path folder;

    private String capture(String name) throws IOException {
        return Files.write(folder.resolve(name), Captures.read(name)).toString();
    }

    private List<String> findings(String name) throws IOException {
        return CommandRun.of("decode", "--findings", capture(name)).lines();
    }

    private static void has(List<String> lines, int frame, String text) {
        String start = String.format("%6d ", frame);
        assertTrue(
                lines.stream().anyMatch(line -> line.startsWith(start) && line.contains(text)),
                () -> frame + ": " + text + " in\n" + String.join("\n", lines));
    }

    @Test
    void tellsWhyReadsAreAskedForAgain() throws IOException {
        List<String> found = findings("rxe-loss8-read.pcap");
        has(found, 32, "response-gap: the response PSN 3 to frame 23 is missing");
        has(found, 50, "retransmission: back to PSN 3: frame 32 showed 2.457 ms ago that a response is missing");
        has(found, 53, "gap: PSNs 12 to 14 of the resend are missing");
        has(found, 162, "nak: the responder expects PSN 27; missing in front of frame 147");
        has(found, 163, "retransmission: back to PSN 27: the NAK in frame 162 asked for it");
        has(
                found,
                182,
                "retransmission: back to PSN 32, round 2: frame 175 showed 2.085 ms ago that a response is missing");
    }

    @Test
    void tellsTimeoutsFromNaks() throws IOException {
        List<String> found = findings("rxe-loss8-write.pcap");
        has(found, 27, "gap: PSN 3 is missing");
        has(found, 48, "retransmission: back to PSN 3: nothing asked for it for 68.143 ms: a timeout (inferred)");
        has(found, 119, "retransmission: back to PSN 40: the NAK in frame 118 asked for it 8.348 ms ago");
        has(found, 243, "gap: PSN 87 of the resend is missing");
    }

    @Test
    void tellsDamageAndWhichBitItWas() throws IOException {
        List<String> found = findings(Captures.DAMAGED);
        has(found, 32, "bit 7 of byte 1031 of the payload (frame byte 1101) flipped on the way explains it");
        has(found, 33, "gap: PSN 9 is missing in front of this packet: it is frame 32, damaged");
        assertEquals(
                Captures.DAMAGED_FRAMES,
                found.stream().filter(line -> line.contains("bad-icrc")).count());
    }

    @Test
    void tellsCopiesOfTheNetworkFromResends() throws IOException {
        List<String> found = findings("rxe-duplicate-send.pcap");
        assertTrue(found.stream().filter(line -> line.contains(" duplicate: ")).count() > 15, found::toString);
        assertTrue(found.stream().noneMatch(line -> line.contains("retransmission")), found::toString);
    }

    @Test
    void tellsOvertakenPacketsFromResends() throws IOException {
        List<String> found = findings("rxe-reorder-send.pcap");
        has(found, 26, "late: PSN 0 was overtaken: frame 24 came before it");
        has(found, 69, "nak: the responder expects PSN 7");
    }

    @Test
    void tellsAConnectionsStartFromItsHandshake() throws IOException {
        List<String> found = findings("rxe-ipv6-rping.pcap");
        assertTrue(found.toString().contains("connection: CM: QP 0x000014 to QP 0x000013"), found::toString);
        assertTrue(
                findings("rxe-rc-pingpong.pcap").getFirst().contains("pingpong: QP 0x000011 to QP 0x000011"),
                "the exchange of the pingpong tools");
    }

    @ParameterizedTest
    @CsvSource({
        "rxe-atomic-CMP_AND_SWAP.pcap", "rxe-read-bw.pcap", "rxe-riostream.pcap", "rxe-rping.pcap", "rxe-send-bw.pcap",
        "rxe-srq-pingpong.pcap", "rxe-uc-pingpong.pcap", "rxe-udaddy.pcap", "rxe-write-bw.pcap", "rxe-write-mtu256.pcap"
    })
    void findsNothingWhereNothingIsWrong(String name) throws IOException {
        List<String> found = findings(name);
        assertEquals(
                1, found.stream().filter(line -> !line.contains("connection: ")).count(), found::toString);
    }

    @Test
    void theLadderShowsWhatIsMissing() throws IOException {
        List<String> ladder = CommandRun.of("decode", "--ladder", capture("rxe-loss8-read.pcap"))
                .lines();
        int at = ladder.indexOf("                    │     ✕┄┄ missing: PSN 3 ┄┄│  lost (inferred): implied NAK");
        assertTrue(at > 0, () -> String.join("\n", ladder.subList(0, 20)));
        assertTrue(ladder.get(at + 1).startsWith("    32    7921.000  │◀───── READ resp middle ──│ 0x00002b      4"));
    }

    @Test
    void thePlainFormHasALineAPacketAndSaysThatThereIsMore() throws IOException {
        List<String> lines =
                CommandRun.of("decode", capture("rxe-loss8-read.pcap")).lines();
        assertEquals(494 + 1, lines.size());
        assertTrue(lines.getLast().endsWith("; found (--findings): 0 errors, 51 warnings"), lines.getLast());
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("again (a response is missing, frame 32)")),
                () -> String.join("\n", lines));
    }

    @Test
    void statsHaveTheFiguresOfEachFlow() throws IOException {
        String stats =
                CommandRun.of("decode", "--stats", capture("rxe-send-bw.pcap")).out();
        assertTrue(stats.contains("flow 1  10.77.0.3 → 10.77.0.2  RC to QP 0x000020 from QP 0x000020"), stats);
        assertTrue(stats.contains("15 requests: 0 sent again, 0 lost"), stats);
        assertTrue(stats.contains("5 messages of 9000 to 9000 bytes, mean 9000; 45000 bytes"), stats);
    }

    @Test
    void picturesAreWellFormedXml() throws IOException, ParserConfigurationException, SAXException {
        Path ladder = folder.resolve("ladder.svg");
        Path plot = folder.resolve("plot.svg");
        String file = capture("rxe-loss8-read.pcap");
        CommandRun run = CommandRun.of("decode", "--ladder=" + ladder, "--plot", plot.toString(), file);
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        assertEquals("", run.out());
        assertTrue(elements(ladder, "line") > 494, "an arrow a packet");
        assertTrue(elements(plot, "line") > 494, "a mark a packet");
        assertTrue(elements(plot, "path") >= 1 + 3, "NAKs");
    }

    private static int elements(Path file, String name) throws IOException, ParserConfigurationException, SAXException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(Files.readAllBytes(file)));
        return document.getElementsByTagNameNS("*", name).getLength();
    }

    @ParameterizedTest
    @CsvSource({
        "--finding=nak, 3",
        "--finding=response-gap, 19",
        "'--filter=opcode=ACKNOWLEDGE,finding=nak', 3",
        "--filter=qp=0x2b, 351",
        "'--filter=host=10.77.0.9', 0",
    })
    void choosesByWhatWasFound(String option, int packets) throws IOException {
        CommandRun run = CommandRun.of("decode", option, capture("rxe-loss8-read.pcap"));
        assertEquals(
                packets,
                run.lines().stream()
                        .filter(line -> line.contains("  ICRC right"))
                        .count());
    }

    @Test
    void whatCannotBeFilteredByIsNamed() throws IOException {
        CommandRun run = CommandRun.of("decode", "--filter", "colour=red", capture("rxe-cm-reject.pcap"));
        assertEquals(ExitStatus.USAGE, run.status());
        assertTrue(run.err().contains("'colour' is nothing to filter by"), run.err());
    }

    @Test
    void aVcrcIsCheckedWhereThereIsOne() throws IOException {
        byte[] packet = HardwareVectors.named("ib-local-write").bytes();
        int length = 4 * Lrh.packetLength(MemorySegment.ofArray(packet), 0); // up to its ICRC
        byte[] whole = java.util.Arrays.copyOf(packet, length + Vcrc.LENGTH);
        MemorySegment segment = MemorySegment.ofArray(whole);
        Vcrc.write(segment, length, Vcrc.of(segment, 0, length));
        assertFalse(vcrc(whole).contains("bad-vcrc"));
        whole[length] ^= 1;
        assertTrue(vcrc(whole).contains("bad-vcrc: the VCRC is 0x"));
    }

    private String vcrc(byte[] packet) throws IOException {
        Path file = folder.resolve("vcrc.pcapng");
        try (OutputStream stream = Files.newOutputStream(file);
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            writer.addInterface(LinkType.INFINIBAND, "ib0");
            writer.write(0, 0, MemorySegment.ofArray(packet), 0, packet.length);
        }
        return CommandRun.of("decode", "--findings", file.toString()).out();
    }
}
