package org.rdma4j.vectors;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Another decoder than ours, where it is installed. */
public final class Tshark {

    /** Why a test without it is skipped. */
    public static final String MISSING = "tshark is not installed, so its opinion is missing";

    private static final long PATIENCE = 120;

    private Tshark() {}

    /**
     * What it prints of a capture, knowing the port of RoCE v2.
     *
     * @param options its own, besides the file's
     * @return the lines; empty where it is not installed
     * @throws IllegalStateException where it fails, or does not end within two minutes
     */
    public static Optional<List<String>> lines(Path file, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-d", "udp.port==4791,infiniband"));
        // Short SENDs look like these two to it.
        command.addAll(List.of("--disable-protocol", "rpcordma", "--disable-protocol", "smb_direct"));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            return Optional.empty();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("tshark fails, or has no end: " + command);
        }
        return Optional.of(output.lines().toList());
    }
}
