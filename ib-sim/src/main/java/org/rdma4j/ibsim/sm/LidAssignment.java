package org.rdma4j.ibsim.sm;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.ibsim.mad.PortInfo;
import org.rdma4j.wire.NetworkOrder;

/**
 * Gives each end port a LID: the one that it has, if no other port that was found before has it too, so that connections
 * outlive a change of managers; otherwise the lowest free one.
 */
final class LidAssignment {

    private LidAssignment() {}

    static void assign(FoundSubnet subnet) {
        List<FoundPort> ports = subnet.endPorts();
        Set<Integer> taken = new HashSet<>();
        Set<FoundPort> keep = new HashSet<>();
        for (FoundPort port : ports) {
            int first = port.lid();
            int count = 1 << port.lidMaskControl();
            boolean possible = first != Lids.NONE && first + count - 1 <= Lids.LAST_UNICAST && first % count == 0;
            if (possible && isFree(taken, first, count)) {
                take(taken, first, count);
                keep.add(port);
            }
        }
        for (FoundPort port : ports) {
            if (!keep.contains(port)) {
                int count = 1 << port.lidMaskControl();
                int lid = count; // the first multiple behind 0
                while (!isFree(taken, lid, count)) {
                    lid += count;
                }
                take(taken, lid, count);
                MemorySegment.ofArray(port.info()).set(NetworkOrder.SHORT, PortInfo.LID, (short) lid);
            }
        }
        subnet.indexLids();
    }

    private static boolean isFree(Set<Integer> taken, int first, int count) {
        for (int lid = first; lid < first + count; lid++) {
            if (taken.contains(lid)) {
                return false;
            }
        }
        return true;
    }

    private static void take(Set<Integer> taken, int first, int count) {
        for (int lid = first; lid < first + count; lid++) {
            taken.add(lid);
        }
    }
}
