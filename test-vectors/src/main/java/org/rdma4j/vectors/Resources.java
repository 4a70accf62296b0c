package org.rdma4j.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

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

    /** What a column like {@code 0×50 17×44} counts, by number. */
    static Map<Integer, Integer> counts(String column) {
        Map<Integer, Integer> counts = new TreeMap<>();
        Stream.of(column.split(" "))
                .map(entry -> entry.split("×"))
                .forEach(entry -> counts.put(Integer.valueOf(entry[0]), Integer.valueOf(entry[1])));
        return Map.copyOf(counts);
    }
}
