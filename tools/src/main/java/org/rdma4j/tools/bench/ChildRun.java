package org.rdma4j.tools.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/**
 * A command that ran to its end in a process of its own, its output thrown away, and what it cost.
 *
 * @param seconds from its start to its end
 * @param processorSeconds of user and system time together, as far as was seen some tens of milliseconds before its end
 * @param residentBytes of memory at most; 0 where the system does not tell
 */
record ChildRun(double seconds, double processorSeconds, long residentBytes) {

    /** A look takes time from a process that has use for all cores. */
    private static final long LOOK_EVERY_MILLIS = 50;

    private static final String PEAK = "VmHWM:";
    private static final int STATUS_UNIT = 1024;

    /** @param environment what it has besides this process's own */
    static ChildRun of(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        long start = System.nanoTime();
        try {
            Process process = builder.start();
            Duration processor = Duration.ZERO;
            long resident = 0;
            while (!process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                processor = process.info().totalCpuDuration().orElse(processor);
                resident = Math.max(resident, peak(process.pid()));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            if (process.exitValue() != 0) {
                throw new ToolException(
                        ExitStatus.FAILED, String.join(" ", command) + " ended with status " + process.exitValue());
            }
            return new ChildRun(seconds, processor.toNanos() / 1e9, resident);
        } catch (IOException e) {
            throw new ToolException(ExitStatus.MISSING, "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException(ExitStatus.FAILED, "interrupted while " + command.getFirst() + " ran", e);
        }
    }

    private static long peak(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try {
            for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(PEAK)) {
                    String[] words = line.substring(PEAK.length()).strip().split(" ", -1);
                    return Long.parseLong(words[0]) * STATUS_UNIT;
                }
            }
            return 0;
        } catch (IOException | UncheckedIOException _) {
            return 0; // it has ended, or this is no Linux
        }
    }
}
