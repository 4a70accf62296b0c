package org.rdma4j.vectors;

import java.util.List;
import java.util.Map;

/** The captures of siw peers that this module carries: what each is, and its bytes. No CRC is in use in any of them. */
public final class IwarpCaptures {

    private static final List<Capture> ALL = Resources.table("iwarp.tsv").stream()
            .map(columns -> new Capture(
                    columns[0],
                    Integer.parseInt(columns[1]),
                    Integer.parseInt(columns[2]),
                    Resources.counts(columns[3]),
                    columns[4]))
            .toList();

    /**
     * A capture and what two other tools counted in it.
     *
     * @param name the pcap file's name
     * @param frames all frames, those without payload included
     * @param connections MPA requests, and as many replies
     * @param opcodes FPDUs by RDMAP's opcode
     * @param description what was run
     */
    public record Capture(String name, int frames, int connections, Map<Integer, Integer> opcodes, String description) {

        /** The pcap file. */
        public byte[] bytes() {
            return Captures.read(name);
        }

        /** All FPDUs. */
        public int fpdus() {
            return opcodes.values().stream().mapToInt(Integer::intValue).sum();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private IwarpCaptures() {}

    /** Every capture, by name. */
    public static List<Capture> all() {
        return ALL;
    }
}
