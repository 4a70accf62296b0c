package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.HardwareVectors;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;

class DecodeCommandTest {

    @TempDir
    private Path folder;

    static List<Captures.Capture> captures() {
        return Captures.all();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void showsEveryPacketOfRealPeersWithTheVerdictOnItsIcrc(Captures.Capture capture) throws IOException {
        CommandRun run = CommandRun.of("decode", file(capture.bytes()));
        int damaged = capture.name().equals(Captures.DAMAGED) ? Captures.DAMAGED_FRAMES : 0;
        List<String> lines = packets(run);
        assertEquals(capture.roceFrames() + 1, lines.size());
        assertEquals(damaged, count(lines, "  ICRC WRONG"));
        assertEquals(capture.roceFrames() - damaged, count(lines, "  ICRC right"));
        capture.opcodes()
                .forEach((opcode, count) ->
                        assertEquals(count.longValue(), count(lines, "  " + Opcode.name(opcode) + "  ")));
        assertEquals(capture.naks(), count(lines, " NAK "));
        String others = capture.frames() == capture.roceFrames()
                ? "; 0 other frames"
                : "; " + (capture.frames() - capture.roceFrames()) + " other frame";
        assertTrue((lines.getLast() + "; 0 other frames").contains(others), lines.getLast());
        assertEquals(damaged > 0 ? ExitStatus.FAILED : ExitStatus.SUCCESS, run.status());
        assertEquals(damaged > 0 ? 1 : 0, run.err().lines().count());
    }

    /** The lines without what was found. */
    private static List<String> packets(CommandRun run) {
        return run.lines().stream().filter(line -> !line.contains("  └ ")).toList();
    }

    private static long count(List<String> lines, String part) {
        return lines.stream().filter(line -> line.contains(part)).count();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void showsTheSamePacketsInEveryOtherForm(Captures.Capture capture) throws IOException {
        String file = file(capture.bytes());
        List<String> json = CommandRun.of("decode", "--json", file).lines();
        assertEquals(capture.roceFrames(), count(json, "\"encapsulation\":"));
        assertEquals(1, count(json, "\"type\":\"summary\""));
        json.forEach(JsonReader::read);
        List<String> fields = packets(CommandRun.of("decode", "--fields", file));
        assertEquals(capture.roceFrames(), count(fields, " BTH "));
        assertEquals(capture.roceFrames(), count(fields, " ICRC  "));
        List<String> ladder = CommandRun.of("decode", "--ladder", file).lines();
        assertEquals(capture.roceFrames(), count(ladder, "│ 0x"));
        ladder.forEach(line -> assertTrue(line.length() <= Ladder.WIDTH || line.contains("other frame"), line));
        List<String> stats = CommandRun.of("decode", "--stats", file).lines();
        capture.opcodes()
                .forEach((opcode, count) -> assertTrue(
                        stats.stream()
                                .anyMatch(line -> line.startsWith(Opcode.name(opcode) + " ")
                                        && line.substring(36).strip().startsWith(count + " ")),
                        () -> Opcode.name(opcode) + " " + count + " in " + stats));
    }

    @ParameterizedTest
    @CsvSource({
        "connectx-cnp, CNP, 10.0.17.1 → 10.0.18.1, BECN",
        "connectx-ack-vlan, RC ACKNOWLEDGE, 192.170.1.2 → 192.170.1.50, VLAN 1",
        "roce-v1-send, RC SEND_ONLY, fe80::200:ff:fe00:1 → fe80::200:ff:fe00:2, 16 B",
        "ipv6-rnr-nak, RC ACKNOWLEDGE, 2001:db8::2 → 2001:db8::1, RNR NAK 61.44 ms",
        "ib-local-write, RC RDMA_WRITE_ONLY, LID 6098 → LID 14172, 14 B",
    })
    void showsFramesOfEveryEncapsulation(String vector, String opcode, String ends, String fact) throws IOException {
        CommandRun run = CommandRun.of("decode", "-F", vectors(HardwareVectors.named(vector)));
        String line = run.lines().getFirst();
        assertTrue(line.contains("  " + opcode + "  "), line);
        assertTrue(line.contains(ends.strip()), line);
        assertTrue(line.contains("  " + fact), line);
        assertTrue(line.contains("  ICRC right"), line);
        assertEquals(ExitStatus.SUCCESS, run.status());
    }

    @Test
    void showsAllFields() throws IOException {
        CommandRun run = CommandRun.of("decode", "--fields", vectors(HardwareVectors.named("connectx-ack-vlan")));
        assertEquals(
                """
                Ethernet       Destination 10:e2:d5:00:00:00  Source b8:59:9f:07:7e:2a  EtherType 0x8100
                VLAN           TPID 0x8100  PCP 0  DEI 0  VID 1  EtherType 0x0800
                IPv4           Version 4  IHL 5  DSCP 0  ECN 2 (ECT(0))  TotalLength 48  Identification 0x9d4e \
                 Flags 0x4000 (DF)  TTL 64  Protocol 17  Checksum 0x19e4 (right)  Source 192.170.1.2 \
                 Destination 192.170.1.50
                UDP            SourcePort 64079  DestinationPort 4791  Length 28  Checksum 0x0000 (none)
                BTH            OpCode 17 (RC ACKNOWLEDGE)  SE 0  M 1  PadCnt 0  TVer 0  P_Key 0xffff  FECN 0  BECN 0 \
                 reserved6 0  DestQP 0xdeaded  AckReq 0  reserved7 0  PSN 13597687
                AETH           Syndrome 0x00 (ACK credits 0)  MSN 2
                ICRC           ICRC 59caeaf7 (right)
                """,
                run.lines().stream()
                                .filter(line -> line.startsWith("          "))
                                .map(String::strip)
                                .reduce((all, next) -> all + "\n" + next)
                                .orElseThrow()
                        + "\n");
    }

    @Test
    void aWrongIcrcIsShownWithTheRightOneAndFails() throws IOException {
        CommandRun run = CommandRun.of("decode", "-F", vectors(HardwareVectors.named("ipv6-rnr-nak-damaged")));
        assertTrue(run.out().contains("ICRC 1da00354 (WRONG, expected 1da00355)"), run.out());
        assertEquals(ExitStatus.FAILED, run.status());
        assertTrue(run.err().endsWith(": 1 of 1 packets have a wrong ICRC\n"), run.err());
    }

    @Test
    void aTruncatedCaptureGivesAllWholePacketsAndOneClearLine() throws IOException {
        byte[] whole = Captures.read("rxe-ipv6-rc-pingpong.pcap");
        String file = file(Arrays.copyOf(whole, whole.length - 5));
        CommandRun run = CommandRun.of("decode", file);
        assertEquals(40, packets(CommandRun.of("decode", file(whole))).size() - 1);
        assertEquals(ExitStatus.FAILED, run.status());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(
                run.err().matches("rdma4j decode: .*: at byte \\d+: the file ends within a frame: .*\\n"), run.err());
        assertEquals(39, packets(run).size() - 1);
        assertEquals(
                "39 RoCE packets, every ICRC right; 12 other frames: 12 IP protocol 6",
                run.lines().getLast());
    }

    @Test
    void ofFramesThatTheCaptureCutShortTheHeadersAreShown() throws IOException {
        byte[] frame = HardwareVectors.named("fpga-write").bytes();
        Path file = folder.resolve("snap.pcapng");
        try (OutputStream stream = Files.newOutputStream(file);
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            writer.addInterface(1, "eth0");
            for (int kept : new int[] {frame.length - 4, 70, 60, 50}) {
                writer.write(0, 0, MemorySegment.ofArray(frame), 0, kept, frame.length, List.of());
            }
        }
        CommandRun run = CommandRun.of("decode", file.toString());
        assertEquals(2, count(run.lines(), "ICRC cut off  VA 0x0000000000001230  R_Key 0x00000000  DMALen 16  16 B"));
        assertEquals(2, count(run.lines(), "malformed: the capture kept only"));
    }

    @Test
    void saysWhatFramesAreThatTheKernelHadNotCutYet() throws IOException {
        byte[] packets = new byte[8192];
        byte[] frame = FrameBuilder.roceV2(Gid.ofIpv4(1)).build(MemorySegment.ofArray(packets), 0, packets.length);
        CommandRun run = CommandRun.of("decode", capture(1, frame));
        assertEquals(1, count(run.lines(), "malformed: 8192 bytes, more than a packet holds: packets that"));
        assertEquals(ExitStatus.FAILED, run.status());
    }

    @Test
    void tellsTheReasonThatACaptureCarries() throws IOException {
        byte[] frame = HardwareVectors.named("fpga-write").bytes();
        Path file = folder.resolve("reason.pcapng");
        try (OutputStream stream = Files.newOutputStream(file);
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            writer.addInterface(1, "eth0");
            writer.write(0, 0, MemorySegment.ofArray(frame), 0, frame.length);
            writer.write(
                    0,
                    0,
                    MemorySegment.ofArray(frame),
                    0,
                    frame.length,
                    frame.length,
                    List.of(RuleComment.of(Rule.REMOTE_ACCESS)));
        }
        List<String> lines = packets(CommandRun.of("decode", "--wrong", file.toString()));
        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().endsWith("  # " + RuleComment.of(Rule.REMOTE_ACCESS)), lines.getFirst());
        List<String> ladder =
                CommandRun.of("decode", "--ladder", file.toString()).lines();
        assertTrue(ladder.get(3).strip().startsWith("└ KEY-01: "), ladder.toString());
    }

    @Test
    void showsWhatSomebodyNotedOnAPacketInEveryForm() throws IOException {
        byte[] frame = HardwareVectors.named("fpga-write").bytes();
        Path file = folder.resolve("noted.pcapng");
        try (OutputStream stream = Files.newOutputStream(file);
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            writer.addInterface(1, "eth0");
            writer.write(
                    0, 0, MemorySegment.ofArray(frame), 0, frame.length, frame.length, List.of("look here", "and é"));
        }
        String name = file.toString();
        String line = CommandRun.of("decode", name).lines().getFirst();
        assertTrue(line.endsWith("  # look here  # and é"), line);
        List<String> ladder = CommandRun.of("decode", "--ladder", name).lines();
        assertTrue(ladder.get(2).strip().startsWith("└ look here"), ladder.toString());
        assertTrue(ladder.get(3).strip().startsWith("└ and é"), ladder.toString());
        assertEquals(
                "look here,and é\n",
                CommandRun.of("decode", "-e", "frame.comment", name).out());
        assertTrue(CommandRun.of("decode", "--json", name).out().contains("\"comments\":[\"look here\",\"and é\"]"));
    }

    @ParameterizedTest
    @CsvSource({
        "--qp=0x14, 18",
        "'--qp=0x13,20', 36",
        "--qp=1, 5",
        "--host=fd77::3, 41",
        "--host=fd77::4, 0",
        "--opcode=acknowledge, 15",
        "--opcode=rc rdma_read, 6",
        "--count=7, 7",
        "--wrong, 0",
    })
    void choosesPackets(String option, int packets) throws IOException {
        CommandRun run = CommandRun.of("decode", option, file(Captures.read("rxe-ipv6-rping.pcap")));
        assertEquals(packets, count(run.lines(), "ICRC right  "), run.out());
    }

    @Test
    void showsSeveralFilesOneAfterTheOther() throws IOException {
        String file = file(Captures.read("rxe-cm-reject.pcap"));
        List<String> lines = CommandRun.of("decode", file, file).lines();
        assertEquals(2, count(lines, "== " + file));
        assertEquals(4, count(lines, "UD SEND_ONLY"));
    }

    @Test
    void whatIsNoCaptureIsOneLine() throws IOException {
        for (String text : List.of("", "no capture")) {
            CommandRun run = CommandRun.of("decode", file(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            assertEquals(ExitStatus.FAILED, run.status());
            assertEquals(1, run.err().lines().count(), run.err());
        }
        assertEquals(
                "rdma4j decode: no such file: gone.pcap\n",
                CommandRun.of("decode", "gone.pcap").err());
        assertEquals(ExitStatus.USAGE, CommandRun.of("decode").status());
        CommandRun run = CommandRun.of("decode", "--qp", "many", file(new byte[0]));
        assertEquals(ExitStatus.USAGE, run.status());
        assertTrue(run.err().contains("'many' is no queue pair number"), run.err());
    }

    private String file(byte[] bytes) throws IOException {
        return Files.write(Files.createTempFile(folder, "", ".pcap"), bytes).toString();
    }

    private String vectors(HardwareVectors.Frame frame) throws IOException {
        return capture(frame.linkType(), frame.bytes());
    }

    private String capture(int linkType, byte[] frame) throws IOException {
        Path file = Files.createTempFile(folder, "", ".pcapng");
        try (OutputStream stream = Files.newOutputStream(file);
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            writer.addInterface(linkType, "eth0");
            writer.write(0, 0, MemorySegment.ofArray(frame), 0, frame.length);
        }
        return file.toString();
    }
}
