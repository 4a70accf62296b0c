package org.rdma4j.pcap;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessMode;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a capture file packet by packet: pcap in either byte order with µs or ns, pcapng, and either of them in gzip. The
 * format is told by the first bytes.
 *
 * <p>Of a damaged file the packets in front of the damage come out; then {@link #hasNext()} throws a {@link
 * CaptureException} that names the byte, once. Behind a damaged block of pcapng it goes on.
 */
public final class CaptureReader implements Iterator<CapturedPacket>, AutoCloseable {

    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int BUFFER = 1 << 16;

    private final InputStream stream;
    private final PacketSource source;
    private CapturedPacket ahead;
    private boolean ended;

    private CaptureReader(String name, InputStream stream) throws IOException {
        this.stream = unpacked(name, stream);
        CaptureInput input = new CaptureInput(name, this.stream);
        this.source = source(input);
    }

    /**
     * Opens a file.
     *
     * @throws IOException where it cannot be read
     * @throws CaptureException where it is empty or no capture
     */
    public static CaptureReader open(Path file) throws IOException {
        file.getFileSystem().provider().checkAccess(file, AccessMode.READ); // which names what is wrong better
        return open(file.toString(), new FileInputStream(file.toFile())); // faster with large pieces than a channel's
    }

    /** Reads from a stream, which it closes in the end, or where this fails; the name is for messages. */
    public static CaptureReader open(String name, InputStream stream) throws IOException {
        try {
            return new CaptureReader(name, stream);
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private static InputStream unpacked(String name, InputStream stream) throws IOException {
        byte[] start = stream.readNBytes(2);
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(start), stream);
        boolean isPacked = start.length == 2 && ((start[0] & 0xFF) << 8 | start[1] & 0xFF) == GZIP_MAGIC;
        if (!isPacked) {
            return whole;
        }
        try {
            return new GZIPInputStream(whole, BUFFER);
        } catch (EOFException | ZipException e) {
            throw new CaptureException(name, 0, "the compressed data is damaged or breaks off", e);
        }
    }

    private static PacketSource source(CaptureInput input) {
        int start = input.readOrEnd(4, "the magic number");
        if (start < 0) {
            throw input.damaged(0, "the file is empty");
        }
        int magic = input.int32(start);
        if (magic == PcapngBlock.SECTION_HEADER) {
            return new PcapngSource(input);
        }
        PacketSource pcap = PcapSource.open(magic, input);
        if (pcap == null) {
            throw input.damaged(0, String.format("neither pcap nor pcapng: it starts with 0x%08x", magic));
        }
        return pcap;
    }

    /**
     * The next packet; {@code null} behind the last.
     *
     * @throws CaptureException once for each damage that is reached; the packets behind it follow where it is {@link
     *     CaptureException#passable}
     */
    public CapturedPacket read() {
        CapturedPacket packet = ahead;
        ahead = null;
        if (packet != null || ended) {
            return packet;
        }
        ended = true;
        try {
            packet = source.next();
        } catch (CaptureException e) {
            ended = !e.passable();
            throw e;
        }
        ended = packet == null;
        return packet;
    }

    /**
     * True where another packet is there.
     *
     * @throws CaptureException as {@link #read} does
     */
    @Override
    public boolean hasNext() {
        ahead = read();
        return ahead != null;
    }

    @Override
    public CapturedPacket next() {
        CapturedPacket packet = read();
        if (packet == null) {
            throw new NoSuchElementException();
        }
        return packet;
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
