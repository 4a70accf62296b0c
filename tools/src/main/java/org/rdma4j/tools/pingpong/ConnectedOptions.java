package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ByteSize;
import org.rdma4j.tools.PathMtu;
import picocli.CommandLine;

/** The options of a game over connections. */
final class ConnectedOptions extends PingpongOptions {

    @CommandLine.Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            converter = ByteSize.class,
            description = "Bytes a message (default: ${DEFAULT-VALUE}).")
    private long size;

    @CommandLine.Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096; the same on both ends (default: ${DEFAULT-VALUE}).")
    int mtu;

    @Override
    long size() {
        return size;
    }

    @Override
    void checkRanges() {
        super.checkRanges();
        if (!PathMtu.exists(mtu)) {
            throw refused("-m is 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
    }
}
