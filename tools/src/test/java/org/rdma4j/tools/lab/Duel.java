package org.rdma4j.tools.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.rdma4j.tools.CommandRun;

/**
 * A program of rdma-core or perftest in guest 1 against its counterpart of ours on this host, both with the same
 * options.
 *
 * @param theirs the program in the guest
 * @param ours the words behind {@code rdma4j}
 * @param family the addresses that RDMA runs on; the exchange over TCP runs on IPv4, which the real servers listen on
 * @param guestDevice the RDMA device in the guest
 * @param ourDevice the one here
 */
record Duel(String theirs, String ours, Family family, String guestDevice, String ourDevice) {

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

    /** Over rxe0's network, by UDP sockets here. */
    Duel(String theirs, String ours, Family family) {
        this(theirs, ours, family, "rxe0", "roce2:" + family.host);
    }

    /** What both said. Both ended with status 0. */
    record Outcome(LabResult theirs, LabResult ours) {}

    /** perftest measures its processor's clock at the end, and on a busy machine it cannot now and then. */
    private static final class NoisyClock extends AssertionError {
        private static final long serialVersionUID = 1L;

        static boolean is(String output) {
            return output.contains("Can't produce a report");
        }

        NoisyClock(AssertionError e) {
            super(e.getMessage(), e);
        }
    }

    /** Once more where the guest was only too busy to tell the time. */
    private static Outcome fairly(Supplier<Outcome> duel) {
        try {
            return duel.get();
        } catch (NoisyClock _) {
            return duel.get();
        }
    }

    /** The real server, our client. */
    Outcome withOurClient(Lab lab, String options) {
        return fairly(() -> ourClient(lab, options));
    }

    /** Our server, the real client. */
    Outcome withOurServer(Lab lab, String options) {
        return fairly(() -> ourServer(lab, options));
    }

    private Outcome ourClient(Lab lab, String options) {
        Path trace = newTrace();
        LabProcess server = lab.startInGuest(1, guestLine(options));
        lab.awaitPort(1, PORT);
        LabProcess client = lab.startRdma4j(ourLine(options, trace, Lab.guestAddress(1)));
        return end(server, client, trace);
    }

    private Outcome ourServer(Lab lab, String options) {
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
            theirs.close();
            if (NoisyClock.is(theirs.output())) {
                throw new NoisyClock(e);
            }
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
        return theirs + " -d " + guestDevice + gidOption + family.gidIndex + " " + options;
    }

    private String[] ourLine(String options, Path trace, String host) {
        List<String> line = new ArrayList<>(List.of(ours.split(" ")));
        line.addAll(List.of("-d", ourDevice, "--trace", trace.toString()));
        line.addAll(List.of(options.split(" ")));
        if (host != null) {
            line.add(host);
        }
        return line.toArray(String[]::new);
    }
}
