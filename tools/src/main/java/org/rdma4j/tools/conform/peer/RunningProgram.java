package org.rdma4j.tools.conform.peer;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A program that this process started; closing ends it. */
final class RunningProgram implements Program {

    private static final int END_SECONDS = 5;

    private final Process process;
    private final Thread atExit; // a program that polls its queues would go on for ever
    private final StringBuilder output = new StringBuilder(); // its own lock

    RunningProgram(Process process) {
        this.process = process;
        this.atExit = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(atExit);
        Thread.ofVirtual().start(this::collect);
    }

    private void collect() {
        char[] chunk = new char[1024];
        try (Reader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (int count = reader.read(chunk); count >= 0; count = reader.read(chunk)) {
                append(String.valueOf(chunk, 0, count));
            }
        } catch (IOException e) {
            append("\n(lost the rest: " + e + ")\n");
        }
    }

    private void append(String text) {
        synchronized (output) {
            output.append(text);
        }
    }

    @Override
    public String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException _) {
            // The hook is at it.
        }
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
