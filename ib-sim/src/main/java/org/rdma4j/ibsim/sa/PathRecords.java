package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.ibsim.sm.FoundPort;
import org.rdma4j.ibsim.sm.FoundSubnet;
import org.rdma4j.ibsim.sm.Routes;
import org.rdma4j.wire.NetworkOrder;

/** PathRecord (IBTA volume 1, 15.2.5.16): the way from one end port to another, and what fits through it. */
final class PathRecords {

    static final int LENGTH = 64;
    static final int DGID = 8;
    static final int SGID = 24;
    static final int DLID = 40;
    static final int SLID = 42;
    static final int MTU = 54;
    static final int RATE = 55;

    static final int DGID_COMPONENT = 2;
    static final int SGID_COMPONENT = 3;
    static final int DLID_COMPONENT = 4;
    static final int SLID_COMPONENT = 5;

    private static final int REVERSIBLE_NUMB_PATH = 49;
    private static final int P_KEY = 50;
    private static final int LIFETIME = 56;
    private static final int P_KEY_COMPONENT = 13;
    private static final int MTU_SELECTOR_COMPONENT = 16;
    private static final int MTU_COMPONENT = 17;
    private static final int EXACTLY = 2 << 6;
    private static final int REVERSIBLE = 0x81;
    private static final int DEFAULT_PKEY = 0xFFFF;

    /** 4.096 µs times 2 to this power: more than any packet is on its way where nothing is crowded. */
    private static final int PACKET_LIFETIME = 14;

    private static final int SELECTOR_SHIFT = 6;
    private static final int VALUE = 0x3F;

    private PathRecords() {}

    /** A question names the source, by its GID or its LID (C15-0.1.14). */
    static Answer find(FoundSubnet subnet, byte[] wanted, RecordMatch match) {
        if (!match.names(SGID_COMPONENT) && !match.names(SLID_COMPONENT)) {
            return Answer.failed(SaMad.INSUFFICIENT_COMPONENTS);
        }
        List<byte[]> records = new ArrayList<>();
        for (FoundPort from : subnet.endPorts()) {
            if (!match.field(end(SGID, SLID, from), SGID_COMPONENT, SGID, 16)
                    || !match.field(end(SGID, SLID, from), SLID_COMPONENT, SLID, 2)) {
                continue;
            }
            for (FoundPort to : subnet.endPorts()) {
                byte[] record = of(subnet, from, to);
                if (record.length > 0
                        && match.field(record, DGID_COMPONENT, DGID, 16)
                        && match.field(record, DLID_COMPONENT, DLID, 2)
                        && match.field(record, P_KEY_COMPONENT, P_KEY, 2)
                        && mtuFits(wanted, record, match)) {
                    records.add(record);
                }
            }
        }
        return Answer.of(records);
    }

    private static byte[] end(int gid, int lid, FoundPort port) {
        byte[] record = new byte[LENGTH];
        MemorySegment segment = MemorySegment.ofArray(record);
        segment.set(NetworkOrder.LONG, gid, Directory.DEFAULT_PREFIX);
        segment.set(NetworkOrder.LONG, gid + 8L, port.guid());
        segment.set(NetworkOrder.SHORT, lid, (short) port.lid());
        return record;
    }

    /** MtuSelector: 0 greater than, 1 less than, 2 exactly, 3 the largest that there is. */
    private static boolean mtuFits(byte[] wanted, byte[] record, RecordMatch match) {
        if (!match.names(MTU_SELECTOR_COMPONENT) || !match.names(MTU_COMPONENT)) {
            return true;
        }
        int value = wanted[MTU] & VALUE;
        int here = record[MTU] & VALUE;
        return switch ((wanted[MTU] & 0xFF) >> SELECTOR_SHIFT) {
            case 0 -> here > value;
            case 1 -> here < value;
            case 2 -> here == value;
            default -> true;
        };
    }

    /** @return nothing where there is no way */
    private static byte[] of(FoundSubnet subnet, FoundPort from, FoundPort to) {
        Routes.Way way = subnet.way(from, to.lid());
        if (way == null) {
            return new byte[0];
        }
        byte[] record = end(DGID, DLID, to);
        MemorySegment segment = MemorySegment.ofArray(record);
        MemorySegment.copy(MemorySegment.ofArray(end(SGID, SLID, from)), SGID, segment, SGID, 16);
        segment.set(NetworkOrder.SHORT, SLID, (short) from.lid());
        record[REVERSIBLE_NUMB_PATH] = (byte) REVERSIBLE;
        segment.set(NetworkOrder.SHORT, P_KEY, (short) DEFAULT_PKEY);
        record[MTU] = (byte) (EXACTLY | way.mtu());
        record[RATE] = (byte) (EXACTLY | way.rate());
        record[LIFETIME] = (byte) (EXACTLY | PACKET_LIFETIME);
        return record;
    }
}
