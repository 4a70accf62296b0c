package org.rdma4j.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/**
 * Frames a second of {@code decode} in its forms, each beside tshark with the nearest output on the same file: both are
 * whole processes, from their start to their end. Decode has a heap so small that it could not hold the file.
 */
final class DecodeMeasures implements AutoCloseable {

    private static final String HEAP = "-Xmx128m";
    private static final long MEGABYTE = 1 << 20;
    private static final long MOST_RESIDENT = 256 * MEGABYTE;
    private static final double FRAMES_PER_SECOND = 500_000;
    private static final double MUST = 10;
    private static final double AIM = 20;

    /** Of the forms that tshark takes minutes for. */
    private static final int FIRST_FRAMES = 250_000;

    private static final List<String> FIELDS =
            List.of("frame.number", "ip.src", "ip.dst", "infiniband.bth.opcode", "infiniband.bth.psn");

    private final Path launcher;
    private final Path file;
    private final long frames;

    /** Makes the capture. */
    DecodeMeasures(int megabytes) throws IOException {
        String home = System.getProperty("rdma4j.home");
        if (home == null) {
            throw new ToolException(ExitStatus.MISSING, "decode is measured by its launcher: run ./rdma4j bench");
        }
        launcher = Path.of(home, "rdma4j");
        file = Files.createTempFile("rdma4j-bench", ".pcapng");
        try {
            frames = SampleCapture.write(file, megabytes * MEGABYTE);
        } catch (IOException | RuntimeException e) {
            Files.delete(file);
            throw e;
        }
        System.err.printf(
                Locale.ROOT,
                "%s: %d frames of %.0f bytes in the mean%n",
                file,
                frames,
                (double) megabytes * MEGABYTE / frames);
    }

    List<Measure> measures() {
        List<String> stats = List.of("--stats");
        List<String> theirFields = new ArrayList<>(List.of("-T", "fields"));
        FIELDS.forEach(field -> theirFields.addAll(List.of("-e", field)));
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure(
                "--stats, against 500 000 a second",
                Measure.Kind.RATE,
                () -> FRAMES_PER_SECOND,
                () -> new Measure.Sample(frames / ours(frames, stats).seconds(), Double.NaN),
                1,
                4));
        measures.add(new Measure(
                "--stats, memory against 256 MB",
                Measure.Kind.PROCESS_MEMORY,
                () -> MOST_RESIDENT,
                () -> new Measure.Sample(ours(frames, stats).residentBytes(), Double.NaN),
                1,
                0.75));
        measures.add(besideTshark("--stats, -z io,phs", frames, stats, List.of("-q", "-z", "io,phs")));
        measures.add(besideTshark("a line a packet", frames, List.of(), List.of()));
        measures.add(
                besideTshark("--findings, -z expert", frames, List.of("--findings"), List.of("-q", "-z", "expert")));
        measures.add(besideTshark("-e, -T fields", frames, List.of("-e", String.join(",", FIELDS)), theirFields));
        long fewer = Math.min(frames, FIRST_FRAMES);
        measures.add(besideTshark("--json, -T ek", fewer, List.of("--json"), List.of("-T", "ek")));
        return measures;
    }

    /** @param count frames from the file's start on that both look at */
    private Measure besideTshark(String name, long count, List<String> ours, List<String> theirs) {
        return new Measure(
                name,
                Measure.Kind.RATE,
                () -> count / tshark(count, theirs).seconds(),
                () -> new Measure.Sample(count / ours(count, ours).seconds(), Double.NaN),
                MUST,
                AIM);
    }

    private ChildRun ours(long count, List<String> form) {
        List<String> command = new ArrayList<>(List.of(launcher.toString(), "decode"));
        return run(command, count, form, Map.of("RDMA4J_JAVA_OPTS", HEAP));
    }

    private ChildRun tshark(long count, List<String> form) {
        return run(new ArrayList<>(List.of("tshark", "-r")), count, form, Map.of());
    }

    private ChildRun run(List<String> command, long count, List<String> form, Map<String, String> environment) {
        command.add(file.toString());
        if (count < frames) {
            command.addAll(List.of("-c", Long.toString(count)));
        }
        command.addAll(form);
        ChildRun run = ChildRun.of(command, environment);
        System.err.printf(
                Locale.ROOT,
                "  %s %s: %.2f s, %.2f s of processor time, %d MB%n",
                Path.of(command.getFirst()).getFileName(),
                String.join(" ", form),
                run.seconds(),
                run.processorSeconds(),
                run.residentBytes() / MEGABYTE);
        return run;
    }

    @Override
    public void close() throws IOException {
        Files.delete(file);
    }
}
