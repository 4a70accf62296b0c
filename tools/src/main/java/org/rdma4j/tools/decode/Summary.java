package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.OtherFrame;

/** What was counted in a file. */
public final class Summary {

    /** Kinds of other frames that are counted by name: what breaks off oddly could have any number of names. */
    private static final int MOST_KINDS = 20;

    private static final String MORE = "more";

    /** Packets of one opcode. */
    private static final class Count {
        long packets;
        long payloadBytes;
        long again;
    }

    private final Map<String, Long> others = new TreeMap<>();
    private final Count[] opcodes = new Count[256];
    private long frames;
    private long bytes;
    private long packets;
    private long wrongIcrcs;
    private long cutOff;
    private long malformed;
    private long again;

    public Summary() {}

    /** Takes note of a frame, whatever it is. */
    void addFrame(CapturedPacket captured) {
        frames++;
        bytes += captured.originalLength();
    }

    void add(DecodedFrame decoded) {
        if (decoded.frame() == null && decoded.malformed() == null) {
            return;
        }
        packets++;
        if (decoded.malformed() != null) {
            malformed++;
        }
        if (decoded.icrc() == IcrcVerdict.WRONG) {
            wrongIcrcs++;
        }
        if (decoded.icrc() == IcrcVerdict.CUT_OFF) {
            cutOff++;
        }
        if (decoded.malformed() == null) {
            Count count = count(decoded.opcode());
            count.packets++;
            count.payloadBytes += decoded.payloadLength();
            if (decoded.place().again() > 0) {
                count.again++;
                again++;
            }
        }
    }

    private Count count(int opcode) {
        if (opcodes[opcode] == null) {
            opcodes[opcode] = new Count();
        }
        return opcodes[opcode];
    }

    /** All frames, those that are not RoCE too. */
    long frames() {
        return frames;
    }

    /** Their bytes on the wire. */
    long bytes() {
        return bytes;
    }

    void addOther(OtherFrame other) {
        boolean isNamed = others.size() < MOST_KINDS || others.containsKey(other.what());
        others.merge(isNamed ? other.what() : MORE, 1L, Long::sum);
    }

    long packets() {
        return packets;
    }

    long wrongIcrcs() {
        return wrongIcrcs;
    }

    long malformed() {
        return malformed;
    }

    long again() {
        return again;
    }

    Map<String, Long> others() {
        return others;
    }

    /** One line for people. */
    String line() {
        List<String> parts = new ArrayList<>();
        parts.add(packets + (packets == 1 ? " RoCE packet" : " RoCE packets"));
        if (wrongIcrcs > 0) {
            parts.add(wrongIcrcs + " with a wrong ICRC");
        } else if (packets > 0 && cutOff + malformed < packets) {
            parts.add("every ICRC right");
        }
        if (cutOff > 0) {
            parts.add(cutOff + " with the ICRC cut off by the capture");
        }
        if (malformed > 0) {
            parts.add(malformed + " malformed");
        }
        if (again > 0) {
            parts.add(again + " sent again");
        }
        String line = String.join(", ", parts);
        if (others.isEmpty()) {
            return line;
        }
        long count = others.values().stream().mapToLong(Long::longValue).sum();
        String kinds = others.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        return line + "; " + count + (count == 1 ? " other frame: " : " other frames: ") + kinds;
    }

    /** What went by, opcode by opcode. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-36s %10s %14s %10s", "opcode", "packets", "payload bytes", "again"));
        for (int opcode = 0; opcode < opcodes.length; opcode++) {
            Count count = opcodes[opcode];
            if (count != null) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%-36s %10d %14d %10d",
                        Opcode.name(opcode),
                        count.packets,
                        count.payloadBytes,
                        count.again));
            }
        }
        return lines;
    }

    /** What makes the capture a bad one, in words; empty where nothing does. */
    String complaint() {
        List<String> complaints = new ArrayList<>();
        if (wrongIcrcs > 0) {
            complaints.add(wrongIcrcs + " of " + packets + " packets have a wrong ICRC");
        }
        if (malformed > 0) {
            complaints.add(malformed + " of " + packets + " packets are malformed");
        }
        return String.join(", ", complaints);
    }
}
