package org.rdma4j.transport;

import java.util.Arrays;
import org.rdma4j.wire.Gid;

/**
 * Which queue pairs are attached to which multicast groups (10.5). Looked through for each packet to QPN 0xFFFFFF, without
 * allocation: a device has few groups.
 */
final class MulticastGroups {

    private static final IbQp[] NOBODY = {};

    private Gid[] groups = {};
    private IbQp[][] members = {};

    void attach(IbQp qp, Gid group) {
        int index = find(group.high(), group.low());
        if (index >= 0) {
            members[index] = with(members[index], qp);
            return;
        }
        groups = Arrays.copyOf(groups, groups.length + 1);
        members = Arrays.copyOf(members, groups.length);
        groups[groups.length - 1] = group;
        members[groups.length - 1] = new IbQp[] {qp};
    }

    private static IbQp[] with(IbQp[] some, IbQp qp) {
        IbQp[] more = Arrays.copyOf(some, some.length + 1);
        more[some.length] = qp;
        return more;
    }

    /** Detaches one that is attached. @return true where the device has nobody in the group any more */
    boolean detach(IbQp qp, Gid group) {
        int index = find(group.high(), group.low());
        IbQp[] left = Arrays.stream(members[index]).filter(each -> each != qp).toArray(IbQp[]::new);
        members[index] = left;
        if (left.length > 0) {
            return false;
        }
        int last = groups.length - 1;
        groups[index] = groups[last];
        members[index] = members[last];
        groups = Arrays.copyOf(groups, last);
        members = Arrays.copyOf(members, last);
        return true;
    }

    /** The queue pairs that get what is sent to a group. */
    IbQp[] members(long high, long low) {
        int index = find(high, low);
        return index < 0 ? NOBODY : members[index];
    }

    int size() {
        return groups.length;
    }

    private int find(long high, long low) {
        for (int index = 0; index < groups.length; index++) {
            if (groups[index].low() == low && groups[index].high() == high) {
                return index;
            }
        }
        return -1;
    }
}
