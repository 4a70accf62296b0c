package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** Whether an address can be reached from a device. */
final class AddressResolution {

    private AddressResolution() {}

    /** @return ADDR_ERROR with the reason, or {@code null} where it can */
    static CmEvent failure(CmId id, ConnectionManager manager, InetSocketAddress destination) {
        InetAddress to = destination.getAddress();
        boolean group = to != null && to.isMulticastAddress();
        if (to == null || to.isAnyLocalAddress() || (group && id.portSpace() != PortSpace.UDP)) {
            return error(id, CmEvent.EINVAL, destination + " is nothing to connect to");
        }
        Gid remote = Gid.of(to);
        if (CmPaths.gidOfFamily(id.device(), remote.isIpv4()) == null) {
            return error(
                    id, CmEvent.EHOSTUNREACH, id.device().name() + " has no address of the family of " + IpText.of(to));
        }
        try {
            if (!group) {
                manager.port().way(remote);
            }
            return null;
        } catch (LinkException | VerbsException e) {
            return error(id, CmEvent.EHOSTUNREACH, e.getMessage());
        }
    }

    private static CmEvent error(CmId id, int errno, String why) {
        return CmEvent.failed(CmEventType.ADDR_ERROR, id, errno, PrivateData.EMPTY, why);
    }
}
