package org.rdma4j.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link BenchPeer} in a process of its own: the same Java with the same modules and rights. */
final class SecondProcess implements AutoCloseable {

    private static final String MAIN_MODULE = "org.rdma4j.tools";
    private static final String MAIN_CLASS = "org.rdma4j.tools.Main";

    private final Process process;
    private final PrintStream orders;
    private final BufferedReader answers;

    SecondProcess() throws IOException {
        process = new ProcessBuilder(command())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String modules = System.getProperty("jdk.module.path");
        if (modules != null) {
            command.addAll(List.of("-p", modules, "-m", MAIN_MODULE + "/" + MAIN_CLASS));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
        }
        command.add("bench-peer");
        return command;
    }

    void order(String line) {
        orders.println(line);
        orders.flush();
    }

    String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("the second process ended; its words are on stderr");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        orders.close();
        process.destroy();
        process.onExit().join();
    }
}
