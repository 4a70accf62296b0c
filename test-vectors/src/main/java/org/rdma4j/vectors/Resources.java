package org.rdma4j.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The files that lie beside these classes. */
final class Resources {

    private Resources() {}

    /** The whole file, or null where there is none of this name. */
    static byte[] readOrNull(String name) {
        try (InputStream stream = Resources.class.getResourceAsStream(name)) {
            return stream == null ? null : stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a table, cut at its tabs, without its comments. */
    static List<String[]> table(String name) {
        String text = new String(readOrNull(name), StandardCharsets.UTF_8);
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t"))
                .toList();
    }
}
