package org.rdma4j.tools.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
        LabProcess server = lab.startInGuest(1, guestLine(options));
        lab.awaitPort(1, PORT);
        LabProcess client = lab.startRdma4j(ourLine(options, Lab.guestAddress(1)));
        return end(server, client);
    }

    /** Our server, the real client. */
    Outcome withOurServer(Lab lab, String options) {
        LabProcess server = lab.startRdma4j(ourLine(options, null));
        lab.awaitHostPort(PORT);
        LabProcess client = lab.startInGuest(1, guestLine(options) + " " + Lab.HOST);
        return end(client, server);
    }

    /** The failure of one shows what the other said as well. */
    private static Outcome end(LabProcess theirs, LabProcess ours) {
        try {
            LabResult ourResult = ours.await(END).succeeded();
            return new Outcome(theirs.await(END).succeeded(), ourResult);
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\nthe guest's said so far: " + theirs.output() + "\nours: " + ours.output()
                            + ours.errors(),
                    e);
        }
    }

    private String guestLine(String options) {
        String gidOption = theirs.startsWith("ibv_") ? " -g " : " -x ";
        return theirs + " -d rxe0" + gidOption + family.gidIndex + " " + options;
    }

    private String[] ourLine(String options, String host) {
        List<String> line = new ArrayList<>(List.of(ours.split(" ")));
        line.addAll(List.of("-d", "roce2:" + family.host));
        line.addAll(List.of(options.split(" ")));
        if (host != null) {
            line.add(host);
        }
        return line.toArray(String[]::new);
    }
}
