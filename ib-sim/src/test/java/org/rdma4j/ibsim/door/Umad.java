package org.rdma4j.ibsim.door;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Programs that find a simulated fabric by {@code libumad2sim.so}, sitting at one node. */
final class Umad {

    private static final int LIMIT_SECONDS = 60;

    private final int port;
    private final String node;
    private final Path directory;

    Umad(int port, String node, Path directory) {
        this.port = port;
        this.node = node;
        this.directory = directory;
    }

    /** What a program printed, and how it ended. */
    record Result(String command, int status, String output) {

        Result succeeded() {
            assertEquals(0, status, command + "\n" + output);
            return this;
        }

        /** Without the lines that tell the time. */
        String withoutTimes() {
            return output.lines().filter(line -> !line.contains("generated on")).collect(Collectors.joining("\n"));
        }

        /** The number behind a name and its dots. */
        long number(String name) {
            Matcher matcher = Pattern.compile(name + ":\\.*(\\d+)").matcher(output);
            if (!matcher.find()) {
                throw new AssertionError(command + " tells no " + name + "\n" + output);
            }
            return Long.parseLong(matcher.group(1));
        }
    }

    private Process start(Path output, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "IBSIM_SERVER_NAME", "127.0.0.1",
                        "IBSIM_SERVER_PORT", Integer.toString(port),
                        "SIM_HOST", node,
                        "LD_PRELOAD", ManagementTools.LIBRARY.toString(),
                        "OSM_CACHE_DIR", directory.toString(),
                        "OSM_TMP_DIR", directory.toString()));
        return builder.start();
    }

    Result run(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "out", "");
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.set(0, program(words.getFirst()));
        Process process = start(output, words);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError(command + " did not end\n" + Files.readString(output));
        }
        return new Result(command, process.exitValue(), Files.readString(output));
    }

    private static String program(String name) {
        Path inSbin = Path.of("/usr/sbin", name);
        return Files.isExecutable(inSbin) ? inSbin.toString() : name;
    }

    /** One sweep. */
    void openSm(String... options) throws IOException, InterruptedException {
        run("opensm -f " + directory.resolve("osm.log") + " " + String.join(" ", options))
                .succeeded();
    }

    /** The LID that SA knows a node's port by. */
    int lid(String name) throws IOException, InterruptedException {
        String output = run("saquery -L " + name).output();
        return Integer.parseInt(output.strip());
    }

    /** OpenSM, until it is closed. */
    record Manager(Process process) implements AutoCloseable {

        @Override
        public void close() {
            process.destroy();
            process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    Manager startOpenSm(String... options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("/usr/sbin/opensm", "-f", directory.resolve("osm.log").toString()));
        command.addAll(List.of(options));
        return new Manager(start(directory.resolve("osm.out"), command));
    }
}
