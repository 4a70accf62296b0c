package org.rdma4j.tools;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rdma4j.link.FrameTap;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.DeviceContext;

/** Writes what crosses a device's wire to a pcapng file; a packet that was not taken carries the reason as a comment. */
public final class TraceFile implements FrameTap, AutoCloseable {

    private final PcapngWriter writer;
    private final int index;
    private final long epochOffset;

    /** Creates the file and shows it the device's frames from now on. Close the device first, then this. */
    public TraceFile(Path file, DeviceContext device) {
        try {
            writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20), "rdma4j");
            index = writer.addInterface(LinkType.ETHERNET, device.name());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Instant now = Instant.now();
        epochOffset = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        device.tap(this);
    }

    @Override
    public void sent(long now, MemorySegment frame, long offset, int length) {
        write(now, frame, offset, length, List.of());
    }

    @Override
    public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
        write(
                now,
                frame,
                offset,
                length,
                decision.accepted() ? List.of() : List.of(decision.id() + ": " + decision.text()));
    }

    private void write(long now, MemorySegment frame, long offset, int length, List<String> comments) {
        try {
            writer.write(index, now + epochOffset, frame, offset, length, length, comments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
