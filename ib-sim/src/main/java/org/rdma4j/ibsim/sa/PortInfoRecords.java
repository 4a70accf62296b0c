package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.sm.FoundNode;
import org.rdma4j.ibsim.sm.FoundPort;
import org.rdma4j.ibsim.sm.FoundSubnet;
import org.rdma4j.wire.NetworkOrder;

/** PortInfoRecord (IBTA volume 1, 15.2.5.3): EndportLID, PortNum, a byte, PortInfo (64 bytes). */
final class PortInfoRecords {

    static final int LENGTH = 68;
    static final int PORT_INFO = 4;

    private static final int LID_COMPONENT = 0;
    private static final int PORT_COMPONENT = 1;

    private PortInfoRecords() {}

    static Answer find(FoundSubnet subnet, RecordMatch match) {
        List<byte[]> records = new ArrayList<>();
        for (FoundNode node : subnet.nodes()) {
            for (int number = 0; number <= node.portCount(); number++) {
                FoundPort port = node.port(number);
                if (port == null) {
                    continue;
                }
                byte[] record = of(port, node.isSwitch() ? node.port(0) : port);
                if (match.field(record, LID_COMPONENT, 0, 2) && match.field(record, PORT_COMPONENT, 2, 1)) {
                    records.add(record);
                }
            }
        }
        return Answer.of(records);
    }

    private static byte[] of(FoundPort port, FoundPort end) {
        byte[] record = new byte[LENGTH];
        MemorySegment.ofArray(record).set(NetworkOrder.SHORT, 0, (short) (end == null ? 0 : end.lid()));
        record[2] = (byte) port.number();
        System.arraycopy(port.info(), 0, record, PORT_INFO, port.info().length);
        return record;
    }
}
