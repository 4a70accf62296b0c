package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ByteSize;
import org.rdma4j.tools.PathMtu;
import picocli.CommandLine;

/** The options of {@code ibv_xsrq_pingpong}. */
final class XsrqOptions extends CommonOptions {

    private static final int MOST_CLIENTS = 1024;

    @CommandLine.Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            converter = ByteSize.class,
            description = "Bytes a message; the same on all ends (default: ${DEFAULT-VALUE}).")
    private long size;

    @CommandLine.Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096; the same on all ends (default: ${DEFAULT-VALUE}).")
    int mtu;

    @CommandLine.Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Clients that the server waits for (default: ${DEFAULT-VALUE}).")
    int clients;

    @CommandLine.Option(
            names = {"-n", "--num_tests"},
            paramLabel = "N",
            defaultValue = "5",
            description = "Messages each way for each client; the same on all ends (default: ${DEFAULT-VALUE}).")
    int tests;

    @Override
    long size() {
        return size;
    }

    @Override
    void checkRanges() {
        super.checkRanges();
        range("-c", clients, 1, MOST_CLIENTS);
        range("-n", tests, 1, Integer.MAX_VALUE);
        if (!PathMtu.exists(mtu)) {
            throw refused("-m is 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
    }
}
