package org.rdma4j.link.tap;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.rdma4j.link.FrameTap;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;

/**
 * Writes what crosses one link or several into a pcapng file: whole Ethernet frames, each link an interface of its own.
 * A packet that was dropped, refused or answered as a duplicate carries the decision as its comment.
 *
 * <p>Frames are written by the thread that drives the link, before it goes on, into a buffer of fixed size: a slow disk
 * slows the link, and no frame is lost. Where the file cannot be written (a full disk) the trace ends there, the link
 * goes on, and {@link #close} tells how many frames are missing.
 */
public final class PcapngTap implements AutoCloseable {

    private static final int BUFFER = 256 << 10;
    private static final String APPLICATION = "rdma4j";

    private static final List<List<String>> COMMENTS =
            Stream.of(Rule.values()).map(PcapngTap::commentsOn).toList();

    private final PcapngWriter writer;
    private final long epochAtZero;
    private long frames;
    private long missing;
    private IOException failure;
    private boolean closed;

    /**
     * Writes to a stream, which {@link #close} closes.
     *
     * @param epochAtZero what the time 0 of the links' clock is, in nanoseconds since 1970
     */
    public PcapngTap(OutputStream stream, long epochAtZero) throws IOException {
        this.writer = new PcapngWriter(new BufferedOutputStream(stream, BUFFER), APPLICATION);
        this.epochAtZero = epochAtZero;
    }

    /** Creates or replaces a file, for links that are driven by {@link System#nanoTime()}. */
    public static PcapngTap create(Path file) throws IOException {
        long epoch = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        return new PcapngTap(Files.newOutputStream(file), epoch - System.nanoTime());
    }

    private static List<String> commentsOn(Rule decision) {
        boolean ordinary = decision == Rule.ACCEPTED || decision == Rule.ACCEPTED_ACK;
        return ordinary ? List.of() : List.of(RuleComment.of(decision));
    }

    /** A tap for a link: what it sends and what it receives. */
    public FrameTap of(String linkName) throws IOException {
        return new Side(addInterface(linkName), true);
    }

    /**
     * A tap for a link whose peers have one too, on this same file: only what it receives, so that each frame is there
     * once, with what its receiver decided. What is lost between two links is in the file not at all.
     */
    public FrameTap arrivalsAt(String linkName) throws IOException {
        return new Side(addInterface(linkName), false);
    }

    private synchronized int addInterface(String name) throws IOException {
        return writer.addInterface(LinkType.ETHERNET, name);
    }

    /** Frames written so far. */
    public synchronized long frames() {
        return frames;
    }

    private synchronized void write(
            int index, long now, int direction, MemorySegment frame, long offset, int length, List<String> comments) {
        if (failure != null || closed) {
            missing++;
            return;
        }
        try {
            writer.write(index, epochAtZero + now, direction, frame, offset, length, length, comments);
            frames++;
        } catch (IOException e) {
            failure = e;
            missing++;
        }
    }

    /**
     * Writes what is still in the buffer, and closes the file. Detach the taps first.
     *
     * @throws IOException where frames are missing from the file, with the reason
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (writer) {
            if (failure == null) {
                writer.flush();
            }
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            String count = missing == 0 ? "the last frames are" : missing + " frames and maybe some before them are";
            throw new IOException(count + " missing from the trace: " + failure.getMessage(), failure);
        }
    }

    /** One link's view of the file. */
    private final class Side implements FrameTap {

        private final int index;
        private final boolean bothWays;

        Side(int index, boolean bothWays) {
            this.index = index;
            this.bothWays = bothWays;
        }

        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            if (bothWays) {
                write(index, now, PcapngWriter.OUTBOUND, frame, offset, length, List.of());
            }
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            write(index, now, PcapngWriter.INBOUND, frame, offset, length, COMMENTS.get(decision.ordinal()));
        }
    }
}
