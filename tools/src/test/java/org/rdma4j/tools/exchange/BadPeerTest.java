package org.rdma4j.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;
import org.rdma4j.verbs.DeviceContext;

/** Peers that hang up, talk nonsense or are not there: one line that names what was awaited and what came. */
class BadPeerTest {

    private static final String PINGPONG = "pingpong rc -n 5";
    private static final String PERF = "perf send-bw -n 5";

    private static final String VERSION = "6.06\0\0\0\0\0\0\0\0\0\0\0\0";
    private static final String SIZES = "\0\0\20\0" + "\0\0\0@";
    private static final String KEYS = "0000:0001:000019:f6fc95:00000000:00005628f45d7000:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:09:00000000:\0";
    private static final String ADDRESS = "0000:000011:448f08:00000000000000000000ffff7f000009\0";

    /** Our server, and a client that says this and hangs up. */
    private static CommandRun serve(String command, String said) throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = TwoEnds.Server.start(command + " -d " + TwoEnds.device(5) + " -p " + port);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(bytes(said));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
        return server.end();
    }

    /** Our client, and a server that says this and hangs up. */
    private static CommandRun ask(String command, String said) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> {
                try (Socket socket = listener.accept()) {
                    socket.getOutputStream().write(bytes(said));
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            List<String> line = new ArrayList<>(Arrays.asList(command.split(" ")));
            line.addAll(List.of("-d", TwoEnds.device(6), "-p", "" + listener.getLocalPort(), "127.0.0.1"));
            CommandRun run = CommandRun.of(line.toArray(String[]::new));
            server.join();
            return run;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void assertOneLine(CommandRun run, int status, String named) {
        assertEquals(status, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(named), run.err());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 51})
    void pingpongPeerThatHangsUpInItsAddress(int length) throws IOException {
        String said = ADDRESS.substring(0, length);
        String named = "hung up before it had sent its pingpong address (" + length + " of 52 bytes came)";
        assertOneLine(serve(PINGPONG, said), ExitStatus.FAILED, named);
        assertOneLine(ask(PINGPONG, said), ExitStatus.FAILED, named);
    }

    @Test
    void pingpongClientThatHangsUpBeforeItIsDone() throws IOException {
        assertOneLine(serve(PINGPONG, ADDRESS), ExitStatus.FAILED, "hung up before it had sent its \"done\"");
    }

    @Test
    void peerThatResetsTheConnection() throws IOException {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = TwoEnds.Server.start(PERF + " -d " + TwoEnds.device(5) + " -p " + port);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(bytes(VERSION));
            socket.getInputStream().read();
        }
        assertOneLine(server.end(), ExitStatus.FAILED, "hung up before it had sent its cycle buffer's size");
    }

    @Test
    void pingpongPeerThatTalksNonsense() throws IOException {
        String said = "GET / HTTP/1.1\r\nHost: here\r\nUser-Agent: something\r\n\r\n";
        String named = "sent no pingpong address but \"GET / HTTP/1.1\\x0d\\x0aHost: here\\x0d";
        assertOneLine(serve(PINGPONG, said), ExitStatus.FAILED, named);
        assertOneLine(ask(PINGPONG, said), ExitStatus.FAILED, named);
    }

    @Test
    void pingpongPeerWithoutGid() throws IOException {
        String said = "0001:000011:448f08:00000000000000000000000000000000\0";
        String named = "gave no GID";
        assertOneLine(serve(PINGPONG, said), ExitStatus.FAILED, named);
        assertOneLine(ask(PINGPONG, said), ExitStatus.FAILED, named);
    }

    @Test
    void pingpongPeerOfTheOtherAddressFamily() throws IOException {
        String said = "0000:000011:448f08:fd770000000000000000000000000001\0";
        assertOneLine(serve(PINGPONG, said), ExitStatus.FAILED, "fd77::1");
    }

    @ParameterizedTest
    @CsvSource({
        "0, its perftest version (0 of 16",
        "10, its perftest version (10 of 16",
        "16, its cycle buffer's size",
        "20, its cache line's size",
        "24, its MTU",
        "26, its keys (0 of 108",
        "100, its keys (74 of 108"
    })
    void perftestPeerThatHangsUpInTheExchange(int length, String named) throws IOException {
        String said = (VERSION + SIZES + "5\0" + KEYS).substring(0, length);
        assertOneLine(serve(PERF, said), ExitStatus.FAILED, named);
        assertOneLine(ask(PERF, said), ExitStatus.FAILED, named);
    }

    @Test
    void perftestPeerThatHangsUpAtABarrier() throws IOException {
        assertOneLine(
                serve(PERF, VERSION + SIZES + "5\0" + KEYS), ExitStatus.FAILED, "hung up before it had sent its keys");
    }

    @Test
    void perftestPeerThatHangsUpDuringTheTest() throws IOException {
        String said = VERSION + SIZES + "5\0" + KEYS.repeat(4);
        assertOneLine(serve(PERF, said), ExitStatus.FAILED, "hung up during the test");
    }

    @Test
    void perftestPeerThatTalksNonsense() throws IOException {
        for (String said : new String[] {
            "SSH-2.0-OpenSSH_9.2p1 Debian",
            "\0".repeat(200),
            "99999999999999999999999999999",
            VERSION + "\377\377\377\377"
        }) {
            assertOneLine(serve(PERF, said), ExitStatus.FAILED, "the peer 127.0.0.1 ");
            assertOneLine(ask(PERF, said), ExitStatus.FAILED, "the peer 127.0.0.1 ");
        }
        assertOneLine(
                serve(PERF, VERSION + SIZES + "9\0"), ExitStatus.FAILED, "no MTU code from 1 to 5 but \"9\\x00\"");
        assertOneLine(
                serve(PERF, VERSION + SIZES + "3\0" + KEYS.replace(':', ';')),
                ExitStatus.FAILED,
                "sent no perftest keys but \"0000;0001;");
    }

    @Test
    void perftestPeerOfAnotherAge() throws IOException {
        assertOneLine(serve(PERF, "5.31" + "\0".repeat(12)), ExitStatus.FAILED, "of version 5.31");
    }

    @ParameterizedTest
    @ValueSource(strings = {PINGPONG, PERF})
    void serverWhosePortIsTaken(String command) throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            CommandRun run =
                    CommandRun.of((command + " -d " + TwoEnds.device(5) + " -p " + taken.getLocalPort()).split(" "));
            assertOneLine(run, ExitStatus.FAILED, "TCP port " + taken.getLocalPort() + " cannot be had");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PINGPONG, PERF})
    void clientThatFindsNobody(String command) {
        String line = command + " -d " + TwoEnds.device(6) + " -p " + TwoEnds.freePort();
        assertOneLine(CommandRun.of((line + " 127.0.0.1").split(" ")), ExitStatus.FAILED, "Connection refused");
        assertOneLine(CommandRun.of((line + " nobody.invalid").split(" ")), ExitStatus.FAILED, "nobody.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {PINGPONG, PERF})
    void deviceThatIsNotThereOrTaken(String command) {
        assertOneLine(CommandRun.of((command + " -d mlx5_0").split(" ")), ExitStatus.USAGE, "mlx5_0");
        assertOneLine(
                CommandRun.of((command + " -d roce2:198.51.100.7").split(" ")), ExitStatus.FAILED, "198.51.100.7");
        try (DeviceContext _ = DeviceContext.open(TwoEnds.device(7))) {
            assertOneLine(
                    CommandRun.of((command + " -d " + TwoEnds.device(7)).split(" ")),
                    ExitStatus.FAILED,
                    "port 4791 is taken");
        }
    }
}
