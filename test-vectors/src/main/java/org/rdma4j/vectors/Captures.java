package org.rdma4j.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The captures of real peers that this module carries, by file name. */
public final class Captures {

    private Captures() {}

    /** The whole file. */
    public static byte[] read(String name) {
        try (InputStream stream = Captures.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException("no capture named " + name);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
