package org.rdma4j.tools.decode;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.vectors.Captures;

/**
 * How fast {@code decode --stats} is, beside tshark on the same file. Not a test: it needs two idle cores.
 *
 * <pre>
 *   mvn -B -q test-compile -pl tools -am
 *   java --enable-native-access=ALL-UNNAMED -cp CLASSPATH org.rdma4j.tools.decode.DecodeThroughput 1024
 * </pre>
 *
 * The file has as many MB as are asked for: the capture of all tools of rdma-core and perftest, over and over, each time
 * later. To the decoder the later times are the same PSNs again, so it has more to find than in a capture of one run.
 */
final class DecodeThroughput {

    private static final int ROUNDS = 3;
    private static final long MEGABYTE = 1 << 20;
    private static final String CAPTURE = "rxe-6.1-tools.pcap";

    private DecodeThroughput() {}

    /** @param arguments the file's size in MB; {@code keep} behind it leaves the file there */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        long size = (arguments.length > 0 ? Long.parseLong(arguments[0]) : 256) * MEGABYTE;
        Path file = Files.createTempFile("rdma4j-decode", ".pcap");
        try {
            long frames = write(file, size);
            System.out.printf("%s: %d frames, %d MB%n", file, frames, Files.size(file) / MEGABYTE);
            for (int round = 1; round <= ROUNDS; round++) {
                double ours = ours(file);
                double theirs = round == 1 ? tshark(file) : 0;
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.printf(
                        "round %d: %.2f s, %.0f frames/s, %.0f MB/s; live heap %d MB%s%n",
                        round,
                        ours,
                        frames / ours,
                        size / (double) MEGABYTE / ours,
                        (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE,
                        theirs > 0
                                ? String.format(
                                        "; tshark %.2f s, %.0f frames/s: %.1f ×",
                                        theirs, frames / theirs, theirs / ours)
                                : "");
            }
        } finally {
            if (arguments.length < 2) {
                Files.delete(file);
            }
        }
    }

    private static double ours(Path file) {
        long start = System.nanoTime();
        CommandRun run = CommandRun.of("decode", "--stats", file.toString());
        double seconds = (System.nanoTime() - start) / 1e9;
        if (run.status() != 0) {
            throw new IllegalStateException(run.err());
        }
        return seconds;
    }

    private static double tshark(Path file) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(
                        "tshark", "-r", file.toString(), "-q", "-z", "io,phs", "-d", "udp.port==4791,infiniband")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.waitFor();
        return (System.nanoTime() - start) / 1e9;
    }

    private static long write(Path file, long size) throws IOException {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader =
                CaptureReader.open(CAPTURE, new java.io.ByteArrayInputStream(Captures.read(CAPTURE)))) {
            reader.forEachRemaining(packets::add);
        }
        long span = packets.getLast().timestamp() - packets.getFirst().timestamp() + 1_000_000_000;
        long written = 0;
        long frames = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            out.write(ByteBuffer.allocate(24)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(0xA1B2_3C4D)
                    .putShort((short) 2)
                    .putShort((short) 4)
                    .putLong(0)
                    .putInt(1 << 18)
                    .putInt(1)
                    .array());
            for (long time = 0; written < size; time += span) {
                for (CapturedPacket packet : packets) {
                    long at = packet.timestamp() + time;
                    byte[] bytes = packet.bytes().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                    out.write(ByteBuffer.allocate(16)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt((int) (at / 1_000_000_000))
                            .putInt((int) (at % 1_000_000_000))
                            .putInt(bytes.length)
                            .putInt((int) packet.originalLength())
                            .array());
                    out.write(bytes);
                    written += 16 + bytes.length;
                    frames++;
                }
            }
        }
        return frames;
    }
}
