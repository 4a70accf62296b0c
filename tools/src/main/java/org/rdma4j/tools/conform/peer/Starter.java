package org.rdma4j.tools.conform.peer;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** How the ordinary programs at the peer's machine are started. */
public interface Starter {

    /** @return the running program, or a stand-in where a person starts it */
    Program start(String command);

    /** In a guest of the lab, from inside of its network. */
    static Starter lab(int guest) {
        Path script = Stream.of(System.getProperty("rdma4j.home", "."), "..")
                .map(checkout -> Path.of(checkout, "tools", "lab", "lab")
                        .toAbsolutePath()
                        .normalize())
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new ToolException(
                        ExitStatus.MISSING, "--via lab: the lab is part of a checkout of rdma4j, and this is none"));
        return command -> run(List.of(script.toString(), "run", Integer.toString(guest), command));
    }

    /** On another machine, where ssh needs no password. */
    static Starter ssh(String host) {
        return command -> run(List.of("ssh", "-o", "BatchMode=yes", host, command));
    }

    /** By the reader of these lines. */
    static Starter manual(String host, PrintWriter out) {
        return command -> {
            out.println("on " + host + " run: " + command);
            out.flush();
            return Program.ELSEWHERE;
        };
    }

    private static Program run(List<String> line) {
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(line)).redirectErrorStream(true);
            builder.environment().put("LAB_TIMEOUT", "600");
            Process process = builder.start();
            process.getOutputStream().close();
            return new RunningProgram(process);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + line.getFirst(), e);
        }
    }
}
