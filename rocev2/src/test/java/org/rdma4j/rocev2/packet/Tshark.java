package org.rdma4j.rocev2.packet;

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

    /** All frames that a filter finds are RoCE to it, as many as there are, and none is malformed. */
    static void judge(Path file, String filter, int frames) throws IOException, InterruptedException {
        assertEquals(frames, lines(file, "infiniband && (" + filter + ")").size());
        assertEquals(List.of(), lines(file, "_ws.malformed"));
    }

    private static List<String> lines(Path file, String filter) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString(), "-Y", filter));
        command.addAll(List.of("-T", "fields", "-e", "frame.number"));
        command.addAll(List.of("-d", "udp.port==4791,infiniband"));
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
