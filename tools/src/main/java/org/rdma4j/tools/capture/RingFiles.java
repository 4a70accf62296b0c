package org.rdma4j.tools.capture;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;

/** A capture file, or as many as are kept: when one is full the next begins, and the oldest goes. */
final class RingFiles implements AutoCloseable {

    private static final String APPLICATION = "rdma4j capture";
    private static final int BUFFER = 1 << 18;

    /** Of a packet's block besides the frame. */
    private static final int BLOCK = 32;

    private final Path file;
    private final OutputStream standardOutput;
    private final String interfaceName;
    private final long size;
    private final int kept;
    private final Deque<Path> files = new ArrayDeque<>();
    private PcapngWriter writer;
    private long written;
    private int number;

    /**
     * @param file {@code null} for the stream, which is closed in the end
     * @param size bytes of a file; {@link Long#MAX_VALUE}: there is one only
     * @param kept how many files stay; 0 for all
     */
    RingFiles(Path file, OutputStream standardOutput, String interfaceName, long size, int kept) throws IOException {
        this.file = file;
        this.standardOutput = standardOutput;
        this.interfaceName = interfaceName;
        this.size = size;
        this.kept = kept;
        next();
    }

    /** {@code trace.pcapng}, or {@code trace-0003.pcapng} of several. */
    private Path name() {
        if (size == Long.MAX_VALUE) {
            return file;
        }
        String whole = file.getFileName().toString();
        int dot = whole.lastIndexOf('.');
        String stem = dot > 0 ? whole.substring(0, dot) : whole;
        String ending = dot > 0 ? whole.substring(dot) : "";
        return file.resolveSibling(String.format(Locale.ROOT, "%s-%04d%s", stem, number, ending));
    }

    private void next() throws IOException {
        if (writer != null) {
            writer.close();
        }
        OutputStream stream = standardOutput;
        if (file != null) {
            number++;
            Path name = name();
            stream = Files.newOutputStream(name);
            files.add(name);
            if (kept > 0 && files.size() > kept) {
                Files.deleteIfExists(files.removeFirst());
            }
        }
        writer = new PcapngWriter(new BufferedOutputStream(stream, BUFFER), APPLICATION);
        writer.addInterface(LinkType.ETHERNET, interfaceName);
        written = 0;
    }

    void write(long time, MemorySegment memory, long at, int length, int originalLength) throws IOException {
        if (written + BLOCK + length > size && written > 0) {
            next();
        }
        writer.write(0, time, memory, at, length, originalLength, List.of());
        written += BLOCK + length;
    }

    /** Whoever reads along sees what is there. */
    void flush() throws IOException {
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
