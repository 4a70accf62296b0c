package org.rdma4j.tools.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rdma4j.tools.ExitStatus;

/** This JVM's lab: a namespace of its own, brought up by the first test that asks and taken down when the JVM ends. */
final class LabSession {

    /** With the process id, so that two runs on one machine do not meet. */
    static final String NAMESPACE = "rdma4j-" + ProcessHandle.current().pid();

    /** The first time, the image is built: packages and a kernel come over the network. */
    private static final Duration UP_LIMIT = Duration.ofMinutes(20);

    private static int guestsUp;
    private static String missing;

    private LabSession() {}

    /**
     * Makes sure that guests 1 to {@code guests} are up.
     *
     * @return null, or what this machine lacks
     * @throws AssertionError if it lacks nothing and they do not come up all the same
     */
    static synchronized String up(int guests) {
        if (missing != null || guests <= guestsUp) {
            return missing;
        }
        if (guestsUp == 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(LabSession::down));
        }
        LabResult result = start("up", Integer.toString(guests)).await(UP_LIMIT);
        if (result.status() == ExitStatus.MISSING) {
            missing = result.errors().strip();
            System.err.println("lab tests skipped: " + missing);
        } else {
            result.succeeded();
            guestsUp = guests;
        }
        return missing;
    }

    private static void down() {
        start("down").await(Duration.ofSeconds(20));
    }

    /** Starts the lab's script with these arguments. */
    static LabProcess start(String... arguments) {
        return start(List.of(arguments), Map.of());
    }

    static LabProcess start(List<String> arguments, Map<String, String> environment) {
        List<String> line = new ArrayList<>(List.of(script().toString()));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("LAB_NS", NAMESPACE);
        builder.environment()
                .put("LAB_OWNER", Long.toString(ProcessHandle.current().pid()));
        builder.environment().putAll(environment);
        return LabProcess.start("lab " + String.join(" ", arguments), builder);
    }

    /** Maven runs a module's tests in the module's folder, an IDE often in the checkout's. */
    private static Path script() {
        Path here = Path.of("lab", "lab").toAbsolutePath();
        return Files.exists(here) ? here : Path.of("tools", "lab", "lab").toAbsolutePath();
    }
}
