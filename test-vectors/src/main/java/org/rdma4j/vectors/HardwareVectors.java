package org.rdma4j.vectors;

import java.util.HexFormat;
import java.util.List;

/** Single frames of other senders, hardware among them, with the ICRC that is right for each. */
public final class HardwareVectors {

    private static final List<Frame> ALL = Resources.table("frames.tsv").stream()
            .map(columns -> new Frame(
                    columns[0],
                    linkType(columns[1]),
                    HexFormat.of().parseHex(columns[2]),
                    columns[3].equals("right"),
                    HexFormat.of().parseHex(columns[4]),
                    columns[5]))
            .toList();

    private HardwareVectors() {}

    /** One frame. */
    public static final class Frame {

        private final String name;
        private final int linkType;
        private final byte[] icrc;
        private final boolean intact;
        private final byte[] bytes;
        private final String description;

        private Frame(String name, int linkType, byte[] icrc, boolean intact, byte[] bytes, String description) {
            this.name = name;
            this.linkType = linkType;
            this.icrc = icrc;
            this.intact = intact;
            this.bytes = bytes;
            this.description = description;
        }

        public String name() {
            return name;
        }

        /** What the frame starts with, by the numbers of capture files: 1 Ethernet, 101 IP, 247 LRH. */
        public int linkType() {
            return linkType;
        }

        /** The ICRC that the frame should have: four bytes as they lie on the wire. */
        public byte[] icrc() {
            return icrc.clone();
        }

        /** True where the frame's own ICRC is the right one. */
        public boolean intact() {
            return intact;
        }

        /** The whole frame, up to its ICRC or VCRC. */
        public byte[] bytes() {
            return bytes.clone();
        }

        /** Who sent it, and what it is. */
        public String description() {
            return description;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Every frame. */
    public static List<Frame> all() {
        return ALL;
    }

    /** The names of all frames. */
    public static List<String> names() {
        return ALL.stream().map(Frame::name).toList();
    }

    /** The frame of a name. */
    public static Frame named(String name) {
        return ALL.stream()
                .filter(frame -> frame.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no frame named " + name));
    }

    private static int linkType(String column) {
        return switch (column) {
            case "ethernet" -> 1;
            case "raw" -> 101;
            case "infiniband" -> 247;
            default -> throw new IllegalArgumentException(column);
        };
    }
}
