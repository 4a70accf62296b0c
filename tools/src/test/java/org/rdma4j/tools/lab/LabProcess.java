package org.rdma4j.tools.lab;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command that runs, on this host or in a guest. Its output is collected as it comes; closing ends it. */
public final class LabProcess implements AutoCloseable {

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final String command;
    private final Process process;
    private final Thread outputReader;
    private final Thread errorReader;
    private final Object lock = new Object(); // guards the three below; notified when one changes
    private int streamsOpen = 2;
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();

    private LabProcess(String command, Process process) {
        this.command = command;
        this.process = process;
        this.outputReader = collect(process.inputReader(StandardCharsets.UTF_8), output);
        this.errorReader = collect(process.errorReader(StandardCharsets.UTF_8), errors);
    }

    static LabProcess start(String command, ProcessBuilder builder) {
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new LabProcess(command, process);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** What it has written to stdout so far; in a guest, to stderr as well. */
    public String output() {
        synchronized (lock) {
            return output.toString();
        }
    }

    /** What it has written to stderr so far. */
    public String errors() {
        synchronized (lock) {
            return errors.toString();
        }
    }

    /** Waits until its output or errors hold {@code text}: the sign that a server is ready. */
    public LabProcess awaitOutput(String text, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (lock) {
            while (output.indexOf(text) < 0 && errors.indexOf(text) < 0) {
                if (streamsOpen == 0) {
                    throw new AssertionError("ended without saying \"" + text + "\": " + result());
                }
                if (System.nanoTime() >= end) {
                    close();
                    throw new AssertionError("no \"" + text + "\" within " + limit.toSeconds() + " s: " + result());
                }
                try {
                    lock.wait(100);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted while waiting for " + result(), e);
                }
            }
        }
        return this;
    }

    /** Waits for its end. If it takes longer than that, it is ended and the test fails with what it said. */
    public LabResult await(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                close();
                throw new AssertionError("still running after " + limit.toSeconds() + " s, ended: " + result());
            }
            outputReader.join(END_LIMIT);
            errorReader.join(END_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new AssertionError("interrupted while waiting for " + result(), e);
        }
        return result();
    }

    private LabResult result() {
        return new LabResult(command, process.isAlive() ? -1 : process.exitValue(), output(), errors());
    }

    /** The process on this host. */
    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it if it still runs; a command in a guest is ended there. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Thread collect(Reader reader, StringBuilder into) {
        return Thread.ofVirtual().start(() -> {
            char[] chunk = new char[4096];
            try (reader) {
                for (int count = reader.read(chunk); count >= 0; count = reader.read(chunk)) {
                    append(into, String.valueOf(chunk, 0, count));
                }
            } catch (IOException e) {
                append(into, "\n(lost the rest: " + e + ")\n");
            }
            synchronized (lock) {
                streamsOpen--;
                lock.notifyAll();
            }
        });
    }

    private void append(StringBuilder into, String text) {
        synchronized (lock) {
            into.append(text);
            lock.notifyAll();
        }
    }
}
