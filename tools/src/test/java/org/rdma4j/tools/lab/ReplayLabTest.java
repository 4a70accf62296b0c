package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.Tshark;

/** {@code rdma4j replay} with rxe: sides of old captures against the real programs, and a new capture sent once more. */
@LabTest(guests = 2)
class ReplayLabTest {

    private static final int PORT = 18515;
    private static final Duration END = Duration.ofSeconds(40);
    private static final String ALL = "things that the peer had to say all are as in the capture";

    @TempDir
    private Path folder;

    private String capture(String name) throws IOException {
        return Files.write(folder.resolve(name), Captures.read(name)).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "rxe-send-bw.pcap, ib_send_bw -d rxe0 -x 1 -s 9000 -n 5, ''",
        "rxe-read-bw.pcap, ib_read_bw -d rxe0 -x 1 -s 9000 -n 5, --ignore=payload",
        "rxe-rc-pingpong.pcap, ibv_rc_pingpong -d rxe0 -g 1 -s 5000 -n 5, ''",
    })
    void theClientOfACaptureIsActedAgainstTheRealServer(String name, String command, String option, Lab lab)
            throws IOException {
        LabProcess server = lab.startInGuest(1, command);
        lab.awaitPort(1, PORT);
        LabResult act = option.isEmpty()
                ? lab.rdma4j("replay", capture(name), "--act", "client", Lab.guestAddress(1))
                : lab.rdma4j("replay", capture(name), "--act", "client", Lab.guestAddress(1), option);
        assertTrue(act.succeeded().output().contains(ALL), act.toString());
        server.await(END).succeeded();
    }

    /** The capture's damaged and lost packets once more: rxe answers them as it did. */
    @Test
    void damagedPacketsAreAnsweredAsTheyWere(Lab lab) throws IOException {
        LabProcess server = lab.startInGuest(1, "ib_write_bw -d rxe0 -x 1 -s 9000 -n 5");
        lab.awaitPort(1, PORT);
        LabResult act = lab.rdma4j("replay", capture(Captures.DAMAGED), "--act", "client", Lab.guestAddress(1));
        assertTrue(act.succeeded().output().contains("3 of them damaged as they were"), act.toString());
        assertTrue(act.output().contains(ALL), act.toString());
        server.await(END);
    }

    @Test
    void theServerOfACaptureIsActedAgainstTheRealClient(Lab lab) throws IOException {
        LabProcess act = lab.startRdma4j(
                "replay",
                capture("rxe-send-bw.pcap"),
                "--act",
                "server",
                "-d",
                "roce2:" + Lab.HOST,
                "--ignore=payload");
        lab.awaitHostPort(PORT);
        lab.guest(1, "ib_send_bw -d rxe0 -x 1 -s 9000 -n 5 " + Lab.HOST).succeeded();
        assertTrue(act.await(END).succeeded().output().contains(ALL), act.output());
    }

    /** Each end of a connection by rdma_cm tells the other's first PSN; the data of the pings is the capture's. */
    @Test
    void rpingsClientIsActedAgainstTheRealServer(Lab lab) throws IOException {
        LabProcess server = lab.startInGuest(1, "rping -s -v -C 3 -a " + Lab.guestAddress(1));
        lab.awaitCmPort(1, 7174);
        LabResult act = lab.rdma4j("replay", capture("rxe-rping.pcap"), "--act", "client", Lab.guestAddress(1));
        assertTrue(act.succeeded().output().contains(ALL), act.toString());
        assertTrue(server.await(END).output().contains("rdma-ping-2: CDEFGHIJ"), server.output());
    }

    /** A server that posts receives for smaller messages than the capture's client sends. */
    @Test
    void anotherAnswerOfTheRealServerIsNamed(Lab lab) throws IOException {
        LabProcess server = lab.startInGuest(1, "ib_send_bw -d rxe0 -x 1 -s 8000 -n 5");
        lab.awaitPort(1, PORT);
        LabResult act = lab.rdma4j(
                "replay", capture("rxe-send-bw.pcap"), "--act", "client", Lab.guestAddress(1), "--patience", "1");
        assertEquals(ExitStatus.FAILED, act.status(), act.toString());
        assertTrue(act.output().contains("the peer sent NAK "), act.toString());
        server.close();
    }

    /** Captured live, sent out of an interface with other addresses, captured again: all as it should be. */
    @Test
    void aNewCaptureIsSentOnceMoreWithRightChecksums(Lab lab) throws IOException, InterruptedException {
        Path first = folder.resolve("first.pcapng");
        LabProcess capture =
                lab.startRdma4j("capture", "-i", "br0", "--tcp", "" + PORT, "-D", "15", "-w", first.toString());
        lab.host("sh", "-c", "until test -e " + first + "; do sleep 0.1; done").succeeded();
        LabProcess server = lab.startInGuest(1, "ib_write_bw -d rxe0 -x 1 -s 9000 -n 5");
        lab.awaitPort(1, PORT);
        lab.guest(2, "ib_write_bw -d rxe0 -x 1 -s 9000 -n 5 " + Lab.guestAddress(1))
                .succeeded();
        server.await(END).succeeded();
        capture.await(END).succeeded();

        Path second = folder.resolve("second.pcapng");
        LabProcess again = lab.startRdma4j("capture", "-i", "br0", "-D", "12", "-w", second.toString());
        lab.host("sh", "-c", "until test -e " + second + "; do sleep 0.1; done").succeeded();
        LabResult sent = lab.rdma4j(
                "replay",
                first.toString(),
                "-i",
                "br0",
                "--map=ip:10.77.0.0/24=10.77.9.0/24",
                "--map=mac:client=02:00:00:00:00:03",
                "--map=mac:server=02:00:00:00:00:02",
                "--map=qpn:server=0x123456",
                "--map=psn:client=0",
                "--map=rkey:server=0x77",
                "--map=va:server=0x1000");
        Matcher frames = Pattern.compile("(\\d+) of \\d+ frames sent")
                .matcher(sent.succeeded().output());
        assertTrue(frames.find(), sent.toString());
        int count = Integer.parseInt(frames.group(1));
        again.await(END).succeeded();
        LabResult decoded = lab.rdma4j("decode", second.toString());
        List<String> lines = decoded.succeeded()
                .output()
                .lines()
                .filter(line -> line.contains("10.77.9."))
                .toList();
        assertEquals(count, lines.size(), decoded.toString());
        assertTrue(lines.stream().allMatch(line -> line.contains("ICRC right")), decoded.toString());
        String write = lines.getFirst();
        assertTrue(write.contains("10.77.9.3 → 10.77.9.2  RC RDMA_WRITE_FIRST"), write);
        assertTrue(write.contains("QP 0x123456  PSN 0 "), write);
        assertTrue(write.contains("VA 0x0000000000001000  R_Key 0x00000077"), write);
        tsharkFindsNoWrongChecksum(second, count);
    }

    private static void tsharkFindsNoWrongChecksum(Path file, int frames) throws IOException, InterruptedException {
        List<String> lines = Tshark.lines(
                        file,
                        "-o",
                        "ip.check_checksum:TRUE",
                        "-o",
                        "udp.check_checksum:TRUE",
                        "-Y",
                        "ip.src == 10.77.9.0/24",
                        "-T",
                        "fields",
                        "-e",
                        "ip.checksum.status",
                        "-e",
                        "udp.checksum.status")
                .orElseGet(() -> abort(Tshark.MISSING));
        assertEquals(frames, lines.size(), lines.toString());
        // 1 is good, 3 is none: rxe makes no UDP checksum over IPv4.
        assertTrue(lines.stream().allMatch(line -> line.matches("1\\t[13]")), lines.toString());
    }
}
