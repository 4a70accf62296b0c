package org.rdma4j.cm;

import java.net.InetSocketAddress;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;

/** Multicast groups of RoCE: nobody needs to make one, its GID is its IP address (annex A17). */
final class CmGroups {

    private CmGroups() {}

    /** @return MULTICAST_JOIN with where the group's datagrams go, or MULTICAST_ERROR */
    static CmEvent join(CmId id, InetSocketAddress group) {
        Gid gid = gid(group);
        try {
            queuePair(id).attachMulticast(gid, 0);
        } catch (VerbsException | LinkException e) {
            return CmEvent.failed(
                    CmEventType.MULTICAST_ERROR,
                    id,
                    CmException.Errno.EINVAL.status(),
                    PrivateData.EMPTY,
                    e.getMessage());
        }
        DatagramParameters way = new DatagramParameters(
                AhAttributes.to(gid), DatagramParameters.MULTICAST_QPN, DatagramParameters.UDP_QKEY);
        return CmEvent.datagrams(CmEventType.MULTICAST_JOIN, id, PrivateData.EMPTY, way);
    }

    static void leave(CmId id, InetSocketAddress group) {
        queuePair(id).detachMulticast(gid(group), 0);
    }

    private static QueuePair queuePair(CmId id) {
        if (id.qp() == null) {
            throw CmException.invalid("a group is joined with a queue pair, and the identifier has none");
        }
        return id.qp();
    }

    private static Gid gid(InetSocketAddress group) {
        if (group.getAddress() == null || !group.getAddress().isMulticastAddress()) {
            throw CmException.invalid("%s is no multicast group", group);
        }
        return Gid.of(group.getAddress());
    }
}
