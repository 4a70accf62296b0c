package org.rdma4j.tools.replay;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;

/** What the acted side asks for: where its messages end, and what the responses to its READs may look like. */
final class SentRequests {

    private static final int SMALLEST_MTU = 256;
    private static final int LARGEST_MTU = 4096;

    /**
     * @param psn relative
     * @param bytes what the READ asks for
     */
    private record Read(int psn, long bytes) {}

    private final int firstPsn;
    private final NavigableSet<Integer> ends = new TreeSet<>();
    private final Set<Read> reads = new HashSet<>();
    private final Map<Integer, Set<Integer>> shapes = new HashMap<>(); // by PSN; made when first asked for
    private int longest;

    SentRequests(int firstPsn) {
        this.firstPsn = firstPsn;
    }

    /** A request as it was captured. */
    void add(Packet packet) {
        int opcode = packet.bth().opcode();
        int psn = Psn.difference(packet.bth().psn(), firstPsn);
        saw(packet);
        if (Opcode.operation(opcode) == Opcode.RC_RDMA_READ_REQUEST) {
            packet.extension(Reth.class).ifPresent(reth -> reads.add(new Read(psn, reth.dmaLength())));
        } else if (Opcode.isLastOrOnly(opcode)) {
            ends.add(psn);
        }
    }

    /** Any packet of the connection: the longest ones tell the path MTU. */
    void saw(Packet packet) {
        longest = Math.max(longest, (int) packet.payload().byteSize());
    }

    /** How many messages end at this PSN or before it: what the MSN of its acknowledge counts (9.7.7.1). */
    int completed(int psn) {
        prepare();
        return ends.headSet(psn, true).size();
    }

    /** Whether a READ asks for a response of this kind at this PSN. */
    boolean mayBeAnsweredBy(int opcode, int psn) {
        prepare();
        return shapes.getOrDefault(psn, Set.of()).contains(Opcode.operation(opcode));
    }

    private void prepare() {
        if (!shapes.isEmpty()) {
            return;
        }
        int mtu = Math.clamp(Integer.highestOneBit(Math.max(1, 2 * longest - 1)), SMALLEST_MTU, LARGEST_MTU);
        for (Read read : reads) {
            int packets = (int) Math.max(1, (read.bytes + mtu - 1) / mtu);
            ends.add(read.psn + packets - 1);
            for (int index = 0; index < packets; index++) {
                shapes.computeIfAbsent(read.psn + index, any -> new HashSet<>()).add(shape(index, packets));
            }
        }
    }

    private static int shape(int index, int packets) {
        if (packets == 1) {
            return Opcode.RC_RDMA_READ_RESPONSE_ONLY;
        }
        if (index == 0) {
            return Opcode.RC_RDMA_READ_RESPONSE_FIRST;
        }
        return index == packets - 1 ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }
}
