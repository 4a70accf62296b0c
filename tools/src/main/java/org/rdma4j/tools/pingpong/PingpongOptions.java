package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.wire.Gid;
import picocli.CommandLine;

/** The options of the games that are played until so many messages have gone each way. */
abstract class PingpongOptions extends CommonOptions {

    @CommandLine.Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "500",
            description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
    int receiveDepth;

    @CommandLine.Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages each way (default: ${DEFAULT-VALUE}).")
    int iterations;

    @CommandLine.Option(
            names = {"-c", "--chk"},
            description = "Check what was received. The client writes what the server checks: give it to both.")
    boolean check;

    /** @throws org.rdma4j.tools.ToolException where the peer gave none */
    Gid gidOf(PingpongRecord remote) {
        return required(remote.gid());
    }

    @Override
    void checkRanges() {
        super.checkRanges();
        range("-r", receiveDepth, 1, 1 << 16);
        range("-n", iterations, 1, Integer.MAX_VALUE);
    }

    /** The two lines that each game ends with. */
    void printTimes(long nanos) {
        double micros = nanos / 1e3;
        long bytes = size() * iterations * 2;
        print("%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, micros / 1e6, bytes * 8 / micros);
        print("%d iters in %.2f seconds = %.2f usec/iter", iterations, micros / 1e6, micros / iterations);
    }
}
