package org.rdma4j.verbs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.transport.IbEngine;
import org.rdma4j.transport.Qp;
import org.rdma4j.wire.Gid;

/** The multicast groups that a queue pair is attached to. Under the device's control lock. */
final class QpGroups {

    private final DeviceContext device;
    private final Qp qp;
    private Set<Gid> groups = Set.of(); // exchanged as a whole: most queue pairs are in none

    QpGroups(DeviceContext device, Qp qp) {
        this.device = device;
        this.qp = qp;
    }

    void attach(Gid group) {
        if (!group.isMulticast()) {
            throw VerbsException.invalid("%s is no multicast group", group);
        }
        if (groups.contains(group)) {
            throw VerbsException.invalid("the queue pair is attached to %s already", group);
        }
        checkRoom(group);
        engine().attach(qp, group);
        Set<Gid> more = new HashSet<>(groups);
        more.add(group);
        groups = more;
    }

    void detach(Gid group) {
        if (!groups.contains(group)) {
            throw VerbsException.invalid("the queue pair is not attached to %s", group);
        }
        engine().detach(qp, group);
        Set<Gid> fewer = new HashSet<>(groups);
        fewer.remove(group);
        groups = fewer;
    }

    void detachAll() {
        List.copyOf(groups).forEach(this::detach);
    }

    void requireNone() {
        if (!groups.isEmpty()) {
            throw VerbsException.busy("the queue pair is attached to %d multicast groups", groups.size());
        }
    }

    private IbEngine engine() {
        return device.infiniband("multicast");
    }

    private void checkRoom(Gid group) {
        DeviceAttributes limits = device.queryDevice();
        int attached = engine().attached(group);
        if (attached >= limits.maxMcastQpAttach()) {
            throw new VerbsException(
                    VerbsException.Errno.ENOMEM,
                    attached + " queue pairs are attached to " + group + ", no more can be");
        }
        int joined = engine().groups();
        if (attached == 0 && joined >= limits.maxMcastGrp()) {
            throw new VerbsException(
                    VerbsException.Errno.ENOMEM, "the device is in " + joined + " multicast groups, no more can be");
        }
    }
}
