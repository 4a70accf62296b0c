package org.rdma4j.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;
import org.rdma4j.tools.conform.mutant.Tamper;
import org.rdma4j.tools.conform.mutant.Tampered;
import org.rdma4j.tools.conform.mutant.TamperedLink;
import org.rdma4j.vectors.Captures;
import org.rdma4j.wire.Syndrome;

/** {@code rdma4j replay --act}: sides of Linux rxe's captures, acted against our own tools. */
class ActTest {

    private static final String MESSAGES = " -s 9000 -n 5 -m 4096";

    @TempDir
    private Path folder;

    private Path capture(String name) throws IOException {
        return Files.write(folder.resolve(name), Captures.read(name));
    }

    private static TwoEnds.Server server(String line, int port) {
        return TwoEnds.Server.start(line + " -d " + TwoEnds.device(41) + " -p " + port);
    }

    private CommandRun actClient(String name, int port, String options) throws IOException {
        String line = "replay " + capture(name) + " --act client 127.0.0.1 -d " + TwoEnds.device(42) + " -p " + port
                + " " + options;
        return CommandRun.of(line.strip().split(" +"));
    }

    @ParameterizedTest
    @CsvSource({
        "rxe-send-bw.pcap, perf send-bw -s 9000 -n 5 -m 4096, '', 15, 5",
        "rxe-write-bw.pcap, perf write-bw -s 9000 -n 5 -m 4096, '', 15, 5",
        "rxe-write-mtu512.pcap, perf write-bw -s 9001 -n 5 -m 512, '', 90, 5",
        "rxe-read-bw.pcap, perf read-bw -s 9000 -n 5 -m 4096, --ignore payload, 5, 15",
        "rxe-atomic-CMP_AND_SWAP.pcap, perf atomic-bw -A CMP_AND_SWAP -n 5, --ignore payload, 5, 5",
        "rxe-rc-pingpong.pcap, pingpong rc -s 5000 -n 5 -m 1024, '', 65, 30",
        "rxe-uc-pingpong.pcap, pingpong uc -s 5000 -n 5 -m 1024, '', 25, 25",
        "rxe-ud-pingpong.pcap, pingpong ud -s 1000 -n 5, '', 5, 5",
    })
    void theClientOfACaptureIsActedAgainstOurServer(String name, String line, String options, int packets, int answers)
            throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = server(line, port);
        CommandRun act = actClient(name, port, options);
        assertEquals(ExitStatus.SUCCESS, act.status(), act.out() + act.err());
        assertTrue(
                act.out()
                        .contains("connection 1 as client: " + packets + " packets sent; of " + answers
                                + " things that the peer had to say all are as in the capture"),
                act.out());
        assertEquals(ExitStatus.SUCCESS, server.end().status());
    }

    @Test
    void allConnectionsOfAnExchangeAreActed() throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = server("pingpong srq -q 4 -s 2000 -n 22 -m 1024", port);
        CommandRun act = actClient("rxe-srq-pingpong.pcap", port, "");
        assertEquals(ExitStatus.SUCCESS, act.status(), act.out() + act.err());
        for (int number = 1; number <= 4; number++) {
            assertTrue(act.out().contains("connection " + number + " as client: "), act.out());
        }
        assertEquals(ExitStatus.SUCCESS, server.end().status());
    }

    /** Each end says with which PSN the other one starts, and rping's client tells of its memory in its messages. */
    @ParameterizedTest
    @CsvSource({
        "rxe-rping.pcap, rping -s -C 3, 18, 18",
        "rxe-ucmatose.pcap, cmatose -S 300 -C 5, 10, 10",
    })
    void theClientOfAConnectionByRdmaCmIsActed(String name, String line, int packets, int answers) throws IOException {
        String address = TwoEnds.device(46).substring("roce2:".length());
        String at = line.startsWith("rping") ? " -a " : " -b ";
        TwoEnds.Server server = TwoEnds.Server.start(line + at + address);
        CommandRun act =
                CommandRun.of("replay", capture(name).toString(), "--act", "client", address, "-d", TwoEnds.device(47));
        assertEquals(ExitStatus.SUCCESS, act.status(), act.out() + act.err());
        assertTrue(
                act.out().contains(packets + " packets sent; of " + answers + " things that the peer had to say all"),
                act.out());
        assertEquals(ExitStatus.SUCCESS, server.end().status());
    }

    @Test
    void theServerOfAConnectionByRdmaCmIsActed() throws IOException {
        String address = TwoEnds.device(48).substring("roce2:".length());
        TwoEnds.Server act = TwoEnds.Server.start(
                "replay " + capture("rxe-ucmatose.pcap") + " --act server --ignore payload -d " + TwoEnds.device(48));
        CommandRun client = CommandRun.of(("cmatose -S 300 -C 5 -s " + address + " -b "
                        + TwoEnds.device(49).substring("roce2:".length()))
                .split(" "));
        CommandRun acted = act.end();
        assertEquals(ExitStatus.SUCCESS, acted.status(), acted.out() + acted.err());
        assertEquals(ExitStatus.SUCCESS, client.status(), client.out() + client.err());
    }

    @Test
    void aRefusalOfTheConnectionIsOneLine() throws IOException {
        String address = TwoEnds.device(50).substring("roce2:".length());
        TwoEnds.Server other = TwoEnds.Server.start("rping -s -p 9999 -C 1 -a " + address);
        CommandRun act = CommandRun.of(
                "replay", capture("rxe-rping.pcap").toString(), "--act", "client", address, "-d", TwoEnds.device(51));
        assertEquals(ExitStatus.FAILED, act.status(), act.out());
        assertTrue(act.err().contains("the peer " + address + " refused the connection: "), act.err());
        assertEquals(1, act.err().lines().count(), act.err());
        CommandRun.of(("rping -c -p 9999 -C 1 -a " + address + " --ib-dev " + TwoEnds.device(52)).split(" "));
        other.end();
    }

    @Test
    void damageIsReproducedAndTheAnswersToItAreTheSame() throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = server("perf write-bw -s 9000 -n 5 -m 4096", port);
        CommandRun act = actClient(Captures.DAMAGED, port, "");
        assertEquals(ExitStatus.SUCCESS, act.status(), act.out() + act.err());
        assertTrue(act.out().contains("153 packets sent, 3 of them damaged as they were; of 42 things"), act.out());
        assertEquals(ExitStatus.SUCCESS, server.end().status());
    }

    @ParameterizedTest
    @CsvSource({
        "rxe-send-bw.pcap, perf send-bw -s 9000 -n 5 -m 4096, --ignore payload",
        "rxe-read-bw.pcap, perf read-bw -s 9000 -n 5 -m 4096, ''",
        "rxe-rc-pingpong.pcap, pingpong rc -s 5000 -n 5 -m 1024, ''",
    })
    void theServerOfACaptureIsActedAgainstOurClient(String name, String line, String options) throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server act = TwoEnds.Server.start(
                "replay " + capture(name) + " --act server -d " + TwoEnds.device(43) + " -p " + port + " " + options);
        CommandRun client =
                CommandRun.of((line + " -d " + TwoEnds.device(44) + " -p " + port + " 127.0.0.1").split(" +"));
        CommandRun acted = act.end();
        assertEquals(ExitStatus.SUCCESS, acted.status(), acted.out() + acted.err());
        assertEquals(ExitStatus.SUCCESS, client.status(), client.err());
    }

    /** Changes the third answer that the peer gives. */
    private abstract static class ThirdAnswer implements Tamper {

        private int count;

        abstract void change(Tampered answer);

        @Override
        public void fromDevice(Tampered packet, Ways ways) {
            if (++count == 3) {
                change(packet);
            }
            ways.fromDevice(packet);
        }
    }

    /** The client of a capture against a server that a tamper makes a mutant of. */
    private List<String> differences(String name, String line, Set<Ignored> ignored, Tamper tamper) throws IOException {
        return differences(name, line, ignored, tamper, 2_000_000_000L);
    }

    private List<String> differences(String name, String line, Set<Ignored> ignored, Tamper tamper, long patience)
            throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = server(line, port);
        StringWriter out = new StringWriter();
        CaptureFile file = new CaptureFile(capture(name));
        Survey survey = Survey.of(file, 4791);
        Acting acting = new Acting(
                Role.CLIENT,
                TwoEnds.device(45),
                "127.0.0.1",
                port,
                4791,
                null,
                ignored,
                new Pacing(1),
                patience,
                link -> {
                    TamperedLink tampered = new TamperedLink(link);
                    tampered.tamper(tamper);
                    return tampered;
                });
        int differences = acting.run(
                file, survey, survey.connections().getFirst(), new Mapping(List.of(), List.of()), new PrintWriter(out));
        server.end();
        List<String> lines = new ArrayList<>(out.toString().lines().toList());
        lines.removeIf(each -> !each.startsWith("connection 1, "));
        assertEquals(differences, lines.size());
        return lines;
    }

    private static void assertOne(List<String> lines, String text) {
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.getFirst().contains(text), lines.toString());
    }

    @Test
    void anAlteredMsnIsNamed() throws IOException {
        List<String> lines = differences("rxe-write-bw.pcap", "perf write-bw" + MESSAGES, Set.of(), new ThirdAnswer() {
            @Override
            void change(Tampered answer) {
                answer.msn(answer.msn() + 1);
            }
        });
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(
                lines.getFirst()
                        .matches("connection 1, answer to PSN \\+(\\d+): the capture has ACK MSN (\\d) "
                                + "\\(frame \\d+\\), the peer sent ACK MSN (\\d)"),
                lines.toString());
    }

    @Test
    void anAnswerThatIsARefusalIsNamed() throws IOException {
        List<String> lines = differences("rxe-write-bw.pcap", "perf write-bw" + MESSAGES, Set.of(), new ThirdAnswer() {
            @Override
            void change(Tampered answer) {
                answer.syndrome(Syndrome.NAK_REMOTE_ACCESS);
            }
        });
        assertOne(lines, "the peer sent NAK remote access error");
    }

    @Test
    void anAlteredByteOfAReadResponseIsNamed() throws IOException {
        List<String> lines =
                differences("rxe-ud-pingpong.pcap", "pingpong ud -s 1000 -n 5", Set.of(), new ThirdAnswer() {
                    @Override
                    void change(Tampered answer) {
                        answer.flipPayload(77);
                    }
                });
        assertOne(lines, "the peer's request PSN +2: the capture has UD SEND only Q_Key 0x11111111 1000 B");
        assertTrue(lines.getFirst().contains(": byte 77 is 0x"), lines.toString());
    }

    @Test
    void anotherKindOfReadResponseIsNamed() throws IOException {
        List<String> lines =
                differences("rxe-read-bw.pcap", "perf read-bw" + MESSAGES, Set.of(Ignored.PAYLOAD), new ThirdAnswer() {
                    @Override
                    void change(Tampered answer) {
                        answer.opcode(answer.opcode() - 1); // LAST as MIDDLE, whose AETH is payload then
                    }
                });
        assertOne(lines, "answer to PSN +2: the capture has RC READ resp last MSN 1 808 B");
        assertTrue(lines.getFirst().contains("the peer sent RC READ resp middle 812 B"), lines.toString());
    }

    @Test
    void answersThatDoNotComeAreNamedAndThePeerIsGivenUp() throws IOException {
        List<String> lines = differences(
                "rxe-write-bw.pcap",
                "perf write-bw" + MESSAGES,
                Set.of(),
                new Tamper() {
                    @Override
                    public void fromDevice(Tampered packet, Ways ways) {}
                },
                100_000_000);
        assertTrue(lines.getFirst().contains("answer to PSN +2: the capture has ACK MSN 1"), lines.toString());
        assertTrue(lines.stream().allMatch(line -> line.endsWith("the peer did not send it")), lines.toString());
    }

    @Test
    void whatCannotBeActedIsOneLine() throws IOException {
        Path silent = folder.resolve("silent.pcapng"); // the packets without what was said over TCP
        CommandRun.of("replay", capture("rxe-send-bw.pcap").toString(), "-w", silent.toString());
        CommandRun untold = CommandRun.of("replay", silent.toString(), "--act", "client", "127.0.0.1");
        assertEquals(ExitStatus.FAILED, untold.status());
        assertTrue(
                untold.err().contains("does not hold what the ends of connection 1 said over TCP beforehand"),
                untold.err());
        Path cut = Files.write(folder.resolve("cut.pcap"), cutTo(256, Captures.read("rxe-send-bw.pcap")));
        CommandRun half = CommandRun.of("replay", cut.toString(), "--act", "client", "127.0.0.1");
        assertEquals(ExitStatus.FAILED, half.status());
        assertTrue(half.err().contains(" of connection 1 is not whole in the capture"), half.err());
        Path text = Files.writeString(folder.resolve("text.pcap"), "not a capture, whatever it is called");
        CommandRun none = CommandRun.of("replay", text.toString(), "--act", "client", "127.0.0.1");
        assertEquals(ExitStatus.FAILED, none.status());
        assertTrue(none.err().contains("neither pcap nor pcapng"), none.err());
        refused(ExitStatus.USAGE, "holds no connection 7; there are: 1 RC client", "rxe-send-bw.pcap", "-n 7");
        refused(ExitStatus.FAILED, "cannot connect to 127.0.0.1 port", "rxe-send-bw.pcap", "");
        refused(ExitStatus.USAGE, "--patience 0.0 is no time", "rxe-send-bw.pcap", "--patience 0");
        refused(ExitStatus.USAGE, "one of -i, -w, -d, --act and --list", "rxe-send-bw.pcap", "--list");
        CommandRun noHost = CommandRun.of("replay", "x.pcap", "--act", "client");
        assertTrue(noHost.err().contains("--act client takes a HOST"), noHost.err());
        CommandRun host = CommandRun.of("replay", "x.pcap", "--act", "server", "10.0.0.1");
        assertTrue(host.err().contains("HOST 10.0.0.1 goes with --act client"), host.err());
        CommandRun side = CommandRun.of("replay", "x.pcap", "--act", "middle");
        assertEquals(ExitStatus.USAGE, side.status());
        assertTrue(side.err().contains("'middle'"), side.err());
    }

    /** A pcap as a capture would have made it that keeps so many bytes of each frame. */
    private static byte[] cutTo(int most, byte[] pcap) {
        ByteBuffer whole = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer cut = ByteBuffer.allocate(pcap.length).order(ByteOrder.LITTLE_ENDIAN);
        cut.put(pcap, 0, 24);
        for (int at = 24; at < pcap.length; at += 16 + whole.getInt(at + 8)) {
            int kept = Math.min(most, whole.getInt(at + 8));
            cut.put(pcap, at, 8).putInt(kept).putInt(whole.getInt(at + 12));
            cut.put(pcap, at + 16, kept);
        }
        return Arrays.copyOf(cut.array(), cut.position());
    }

    private void refused(int status, String text, String name, String options) throws IOException {
        CommandRun run = actClient(name, TwoEnds.freePort(), options);
        assertEquals(status, run.status(), run.err());
        assertTrue(run.err().contains(text), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void aPeerThatHangsUpIsOneLine() throws IOException {
        try (ServerSocket listener = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> {
                try {
                    listener.accept().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            CommandRun run = actClient("rxe-send-bw.pcap", listener.getLocalPort(), "");
            assertEquals(ExitStatus.FAILED, run.status());
            assertTrue(
                    run.err()
                            .contains(
                                    "the peer 127.0.0.1 hung up before it had sent the 16 bytes that it said in frame 6"),
                    run.err());
            assertEquals(1, run.err().lines().count(), run.err());
        }
    }
}
