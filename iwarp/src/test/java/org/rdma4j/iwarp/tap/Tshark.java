package org.rdma4j.iwarp.tap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another decoder than ours, where it is installed. */
final class Tshark {

    private Tshark() {}

    /** A field of each frame that a filter finds. */
    static List<String> field(Path file, String filter, String name) throws IOException, InterruptedException {
        return run(file, filter, "-T", "fields", "-e", name);
    }

    /** All that it says of the frames that a filter finds, in words. */
    static List<String> words(Path file, String filter) throws IOException, InterruptedException {
        return run(file, filter, "-V");
    }

    private static List<String> run(Path file, String filter, String... form) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString(), "-Y", filter));
        command.addAll(List.of(form));
        command.addAll(List.of("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"));
        // Short SENDs look like these two to it.
        command.addAll(List.of("--disable-protocol", "rpcordma", "--disable-protocol", "smb_direct"));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            abort("tshark is not installed, so its opinion is missing: " + e.getMessage());
            return List.of();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "no end: tshark");
        assertEquals(0, process.exitValue(), "tshark failed");
        return output.lines().toList();
    }
}
