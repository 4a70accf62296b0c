package org.rdma4j.tools.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.CommandRun;

/**
 * A program of rdma-core or perftest in guest 1 against its counterpart of ours on this host, both with the same
 * options.
 *
 * @param theirs the program in the guest
 * @param ours the words behind {@code rdma4j}
 * @param family the addresses that RDMA runs on; the exchange over TCP runs on IPv4, which the real servers listen on
 */
record Duel(String theirs, String ours, Family family) {

    private static final int PORT = 18515;
    private static final Duration END = Duration.ofSeconds(40);

    /** Of a failing run's ladder. */
    private static final int SHOWN_LINES = 60;

    /** Which entry of rxe0's GID table is used, and the address of ours that can talk to it. */
    enum Family {
        IPV4(1, Lab.HOST),
        IPV6(2, Lab.HOST_IPV6);

        private final int gidIndex;
        private final String host;

        Family(int gidIndex, String host) {
            this.gidIndex = gidIndex;
            this.host = host;
        }
    }

    /** What both said. Both ended with status 0. */
    record Outcome(LabResult theirs, LabResult ours) {}

    /** The real server, our client. */
    Outcome withOurClient(Lab lab, String options) {
        Path trace = newTrace();
        LabProcess server = lab.startInGuest(1, guestLine(options));
        lab.awaitPort(1, PORT);
        LabProcess client = lab.startRdma4j(ourLine(options, trace, Lab.guestAddress(1)));
        return end(server, client, trace);
    }

    /** Our server, the real client. */
    Outcome withOurServer(Lab lab, String options) {
        Path trace = newTrace();
        LabProcess server = lab.startRdma4j(ourLine(options, trace, null));
        lab.awaitHostPort(PORT);
        LabProcess client = lab.startInGuest(1, guestLine(options) + " " + Lab.HOST);
        return end(client, server, trace);
    }

    /** The failure of one shows what the other said as well, and the last packets of the run. */
    private static Outcome end(LabProcess theirs, LabProcess ours, Path trace) {
        try {
            LabResult ourResult = ours.await(END).succeeded();
            Outcome outcome = new Outcome(theirs.await(END).succeeded(), ourResult);
            Files.delete(trace);
            return outcome;
        } catch (AssertionError e) {
            ours.close();
            throw new AssertionError(
                    e.getMessage() + "\nthe guest's said so far: " + theirs.output() + "\nours: " + ours.output()
                            + ours.errors() + "\nthe end of " + trace + ":\n" + lastPackets(trace),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newTrace() {
        try {
            return Files.createTempFile("duel", ".pcapng");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lastPackets(Path trace) {
        List<String> lines =
                CommandRun.of("decode", "--ladder", trace.toString()).lines();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    private String guestLine(String options) {
        String gidOption = theirs.startsWith("ibv_") ? " -g " : " -x ";
        return theirs + " -d rxe0" + gidOption + family.gidIndex + " " + options;
    }

    private String[] ourLine(String options, Path trace, String host) {
        List<String> line = new ArrayList<>(List.of(ours.split(" ")));
        line.addAll(List.of("-d", "roce2:" + family.host, "--trace", trace.toString()));
        line.addAll(List.of(options.split(" ")));
        if (host != null) {
            line.add(host);
        }
        return line.toArray(String[]::new);
    }
}
