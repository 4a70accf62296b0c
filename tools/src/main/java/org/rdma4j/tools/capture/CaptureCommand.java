package org.rdma4j.tools.capture;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.rocev2.capture.CaptureChoice;
import org.rdma4j.rocev2.capture.FrameCapture;
import org.rdma4j.rocev2.capture.FrameCaptures;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** RDMA's frames from an interface into pcapng files. */
@CommandLine.Command(
        name = "capture",
        mixinStandardHelpOptions = true,
        description = {
            "Captures RoCE v1 and v2, and TCP of chosen ports, from an interface into a pcapng file or a ring of them.",
            "Until it is interrupted, or the count or the time is reached; says how many frames were dropped."
        },
        footer = {
            "",
            "Example:",
            "  rdma4j capture -i eth0 -w trace.pcapng",
            "  rdma4j capture -i eth0 --tcp 18515 -C 100 -W 10 -w ring.pcapng",
            "  rdma4j capture -i eth0 -w - | rdma4j decode --ladder -",
        })
public final class CaptureCommand implements Callable<Integer> {

    private static final String STANDARD_OUTPUT = "-";
    private static final long WAIT_NANOS = 100_000_000;
    private static final long MEGABYTE = 1_000_000;

    @CommandLine.Option(
            names = {"-i", "--interface"},
            required = true,
            paramLabel = "NAME",
            description = "The interface.")
    private String interfaceName;

    @CommandLine.Option(
            names = {"-w", "--write"},
            required = true,
            paramLabel = "FILE",
            description = "The pcapng file; - is standard output.")
    private String file;

    @CommandLine.Option(
            names = "--by",
            paramLabel = "HOW",
            description = "packet (Linux' packet sockets) or pcap4j (libpcap). Default: packet where there are such.")
    private FrameCaptures.By by;

    @CommandLine.Option(
            names = "--tcp",
            paramLabel = "PORT",
            split = ",",
            description = "TCP of these ports too: iWARP, and what tools tell each other first.")
    private List<Integer> tcpPorts = List.of();

    @CommandLine.Option(names = "--all", description = "Every frame.")
    private boolean all;

    @CommandLine.Option(
            names = "--udp-port",
            paramLabel = "PORT",
            description = "The UDP port of RoCE v2 (default: " + LinkOptions.ROCE_V2_PORT + ").")
    private int udpPort = LinkOptions.ROCE_V2_PORT;

    @CommandLine.Option(
            names = {"-C", "--file-size"},
            paramLabel = "MB",
            description = "Begin another file (FILE-0002…) after so many million bytes.")
    private long fileSize;

    @CommandLine.Option(
            names = {"-W", "--files"},
            paramLabel = "N",
            description = "Keep the last N files only, with -C.")
    private int files;

    @CommandLine.Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "Stop after N frames.")
    private long count = Long.MAX_VALUE;

    @CommandLine.Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Stop after so long.")
    private double seconds;

    private volatile boolean stopped;
    private long frames;

    @Override
    public Integer call() throws IOException {
        check();
        boolean isStream = file.equals(STANDARD_OUTPUT);
        CountDownLatch ended = new CountDownLatch(1);
        // Not System.out, which says nothing when whoever reads along has gone: the capture would never end.
        OutputStream standardOutput = isStream ? new FileOutputStream(FileDescriptor.out) : null;
        try (FrameCapture capture = open();
                RingFiles ring = new RingFiles(
                        isStream ? null : Path.of(file),
                        standardOutput,
                        interfaceName,
                        fileSize > 0 ? fileSize * MEGABYTE : Long.MAX_VALUE,
                        files)) {
            Thread hook = new Thread(() -> interrupted(capture, ended), "capture");
            Runtime.getRuntime().addShutdownHook(hook);
            run(capture, ring, isStream);
            long dropped = capture.dropped();
            System.err.println(interfaceName + ": " + frames + (frames == 1 ? " frame" : " frames") + " captured, "
                    + dropped + " dropped by the kernel" + (dropped > 0 ? " for want of room" : ""));
            if (!stopped) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        } finally {
            ended.countDown();
        }
        return ExitStatus.SUCCESS;
    }

    private void check() {
        if (files > 0 && fileSize == 0) {
            throw new ToolException(ExitStatus.USAGE, "-W " + files + " goes with -C: it says how many files are kept");
        }
        if (file.equals(STANDARD_OUTPUT) && fileSize > 0) {
            throw new ToolException(ExitStatus.USAGE, "-C goes with a file, not with standard output");
        }
        for (int port : tcpPorts) {
            if (port < 1 || port > 0xFFFF) {
                throw new ToolException(ExitStatus.USAGE, "--tcp " + port + " is no port: 1 to 65535");
            }
        }
    }

    private FrameCapture open() {
        try {
            return FrameCaptures.open(interfaceName, new CaptureChoice(all, udpPort, tcpPorts), by);
        } catch (LinkException e) {
            int status = e.kind() == LinkException.Kind.UNSUPPORTED ? ExitStatus.MISSING : ExitStatus.FAILED;
            throw new ToolException(status, e.getMessage(), e);
        }
    }

    /** Interrupted by the user: the JVM ends once the files are whole. */
    private void interrupted(FrameCapture capture, CountDownLatch ended) {
        stopped = true;
        capture.wakeup();
        try {
            boolean isWhole = ended.await(10, TimeUnit.SECONDS);
            if (!isWhole) {
                System.err.println("rdma4j capture: the file may lack its end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(FrameCapture capture, RingFiles ring, boolean isStream) throws IOException {
        long deadline = seconds > 0
                ? System.nanoTime() + Duration.ofNanos((long) (seconds * 1e9)).toNanos()
                : Long.MAX_VALUE;
        try {
            while (!stopped && frames < count && System.nanoTime() < deadline) {
                int found = capture.poll((time, memory, at, length, original) -> {
                    if (frames < count) {
                        take(ring, time, memory, at, length, original);
                    }
                });
                if (found == 0) {
                    if (isStream) {
                        ring.flush();
                    }
                    capture.await(Math.min(WAIT_NANOS, Math.max(1, deadline - System.nanoTime())));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void take(RingFiles ring, long time, MemorySegment memory, long at, int length, int original) {
        try {
            ring.write(time, memory, at, length, original);
            frames++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
