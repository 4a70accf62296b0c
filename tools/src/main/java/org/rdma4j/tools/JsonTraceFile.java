package org.rdma4j.tools;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.tap.JsonTrace;
import org.rdma4j.verbs.DeviceContext;

/** What {@code --trace-json} asks for: what one device does and why, as JSON lines. An interrupted command leaves whole lines too. */
public final class JsonTraceFile implements AutoCloseable {

    private final BufferedWriter writer;
    private final JsonTrace trace;
    private final Thread closer = new Thread(this::closeQuietly, "trace");

    /** Creates the file and tells it what the device does from now on. Close the device first, then this. */
    JsonTraceFile(Path file, DeviceContext device) {
        try {
            writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        trace = new JsonTrace(writer, device.name(), device::rawClock);
        device.trace(trace);
        Runtime.getRuntime().addShutdownHook(closer);
    }

    /** To be shown the device's frames. */
    FrameTap tap() {
        return trace;
    }

    /** Writes what is held back; fails where events are missing from the file. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the hook does it
        }
        try (writer) {
            trace.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeQuietly() {
        try (writer) {
            trace.flush();
        } catch (IOException e) {
            System.err.println("rdma4j: " + e.getMessage());
        }
    }
}
