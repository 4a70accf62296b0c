package org.rdma4j.ibsim.door;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The simulator that the tools were made for, serving a file over UDP. */
final class Ibsim implements AutoCloseable {

    private static final int LIMIT_SECONDS = 20;

    private final Process process;
    private final int port;

    Ibsim(Path topology, Path directory) throws IOException, InterruptedException {
        port = Served.freePort();
        Path output = directory.resolve("ibsim.log");
        process = new ProcessBuilder("/usr/bin/ibsim", "-s", "-r", "-l", Integer.toString(port), topology.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!Files.readString(output).contains("Network simulator ready")) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("ibsim does not serve:\n" + Files.readString(output));
            }
            Thread.sleep(20);
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }
}
