package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.sm.FoundPort;
import org.rdma4j.ibsim.sm.FoundSubnet;
import org.rdma4j.wire.NetworkOrder;

/** NodeRecord (IBTA volume 1, 15.2.5.2): LID, two bytes, NodeInfo (40 bytes), NodeDescription (64), one for each end port. */
final class NodeRecords {

    static final int LENGTH = 108;
    static final int NODE_INFO = 4;
    static final int DESCRIPTION = 44;

    private static final int INFO_LENGTH = 40;

    // Components with their places: those that a question may name.
    private static final int[][] FIELDS = {{0, 0, 2}, {4, 6, 1}, {5, 7, 1}, {6, 8, 8}, {7, 16, 8}, {8, 24, 8}};

    private NodeRecords() {}

    static Answer find(FoundSubnet subnet, RecordMatch match) {
        List<byte[]> records = new ArrayList<>();
        for (FoundPort port : subnet.endPorts()) {
            byte[] record = of(port);
            boolean fits = true;
            for (int[] field : FIELDS) {
                fits &= match.field(record, field[0], field[1], field[2]);
            }
            if (fits) {
                records.add(record);
            }
        }
        return Answer.of(records);
    }

    private static byte[] of(FoundPort port) {
        byte[] record = new byte[LENGTH];
        MemorySegment segment = MemorySegment.ofArray(record);
        segment.set(NetworkOrder.SHORT, 0, (short) port.lid());
        System.arraycopy(port.node().info(), 0, record, NODE_INFO, INFO_LENGTH);
        segment.set(NetworkOrder.LONG, NODE_INFO + 20L, port.guid());
        byte[] description = port.node().descriptionBytes();
        System.arraycopy(description, 0, record, DESCRIPTION, description.length);
        return record;
    }
}
