package org.rdma4j.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.verbs.DeviceContext;

/**
 * What {@code --trace} asks for: the frames of one device, both ways, in a capture file. A command that is interrupted
 * leaves a whole file too.
 */
public final class TraceFile implements AutoCloseable {

    private final PcapngTap tap;
    private final Thread closer = new Thread(this::closeQuietly, "trace");

    /** Creates the file and shows it the device's frames from now on. Close the device first, then this. */
    public TraceFile(Path file, DeviceContext device) {
        this(file, device, null);
    }

    /** @param other a tap that is shown the frames as well, or {@code null} */
    TraceFile(Path file, DeviceContext device, FrameTap other) {
        try {
            tap = PcapngTap.create(file);
            FrameTap own = tap.of(device.name());
            device.tap(other == null ? own : own.and(other));
            Runtime.getRuntime().addShutdownHook(closer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes what is held back; fails where frames are missing from the file. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the hook does it
        }
        try {
            tap.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeQuietly() {
        try {
            tap.close();
        } catch (IOException e) {
            System.err.println("rdma4j: " + e.getMessage());
        }
    }
}
