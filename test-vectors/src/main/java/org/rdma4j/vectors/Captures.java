package org.rdma4j.vectors;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The captures of real peers that this module carries: what each is, and its bytes. INDEX.md tells how they were made. */
public final class Captures {

    /** Frames with a wrong ICRC in {@code rxe-corrupt-write.pcap}; there are none in any other capture. */
    public static final int DAMAGED_FRAMES = 4;

    /** The one capture with frames that the network damaged. */
    public static final String DAMAGED = "rxe-corrupt-write.pcap";

    private static final List<Capture> ALL = Resources.table("captures.tsv").stream()
            .map(columns -> new Capture(
                    columns[0],
                    Integer.parseInt(columns[1]),
                    Resources.counts(columns[2]),
                    Integer.parseInt(columns[3]),
                    columns[4]))
            .toList();

    /**
     * A capture and what another tool counted in it.
     *
     * @param name the pcap file's name
     * @param frames all frames, TCP and the rest included
     * @param opcodes RoCE frames by the BTH's opcode
     * @param naks frames that carry a NAK or an RNR NAK
     * @param description what was run
     */
    public record Capture(String name, int frames, Map<Integer, Integer> opcodes, int naks, String description) {

        /** The pcap file. */
        public byte[] bytes() {
            return read(name);
        }

        /** RoCE frames. */
        public int roceFrames() {
            return opcodes.values().stream().mapToInt(Integer::intValue).sum();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Captures() {}

    /** Every capture, by name. */
    public static List<Capture> all() {
        return ALL;
    }

    /** The names of all captures. */
    public static List<String> names() {
        return ALL.stream().map(Capture::name).toList();
    }

    /** The capture of a name. */
    public static Capture named(String name) {
        return ALL.stream()
                .filter(capture -> capture.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no capture named " + name));
    }

    /** The whole pcap file, unpacked where it is stored in gzip. */
    public static byte[] read(String name) {
        byte[] plain = Resources.readOrNull(name);
        if (plain != null) {
            return plain;
        }
        byte[] packed = Resources.readOrNull(name + ".gz");
        if (packed == null) {
            throw new IllegalArgumentException("no capture named " + name);
        }
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
