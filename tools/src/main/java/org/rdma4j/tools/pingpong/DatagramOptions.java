package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ByteSize;
import picocli.CommandLine;

/** The options of a game of datagrams: each message is one packet, so there is no path MTU to choose. */
final class DatagramOptions extends PingpongOptions {

    @CommandLine.Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            converter = ByteSize.class,
            description = "Bytes a message, at most what one packet carries (default: ${DEFAULT-VALUE}).")
    private long size;

    @Override
    long size() {
        return size;
    }
}
