package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * An endpoint whose peer is spoken to by datagrams of the general services interface, from one of the ports of the
 * {@link PortTable} (annex A11).
 */
abstract sealed class GsiEndpoint implements Endpoint, PortTable.Holder permits ConnectionEndpoint, DatagramEndpoint {

    final ConnectionManager manager;
    final EndpointOwner owner;
    private InetSocketAddress bound;
    private boolean listening;

    GsiEndpoint(ConnectionManager manager, EndpointOwner owner) {
        this.manager = manager;
        this.owner = owner;
    }

    @Override
    public EndpointOwner owner() {
        return owner;
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    /** Whether a group is a destination. */
    abstract boolean reachesGroups();

    @Override
    public final InetSocketAddress bind(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (!ip.isAnyLocalAddress() && CmPaths.gidIndex(owner.device(), Gid.of(ip)) < 0) {
            throw new CmException(
                    CmException.Errno.EADDRNOTAVAIL,
                    IpText.of(ip) + " is no address of " + owner.device().name());
        }
        int port = manager.ports().bind(this, owner.portSpace(), ip, address.getPort());
        bound = new InetSocketAddress(ip, port);
        return bound;
    }

    @Override
    public final InetAddress route(InetAddress to) {
        boolean group = to.isMulticastAddress();
        if (group && !reachesGroups()) {
            throw CmException.invalid("%s is nothing to connect to", IpText.of(to));
        }
        Gid remote = Gid.of(to);
        Gid own = CmPaths.gidOfFamily(owner.device(), remote.isIpv4());
        if (own == null) {
            throw new CmException(
                    CmException.Errno.EHOSTUNREACH,
                    owner.device().name() + " has no address of the family of " + IpText.of(to));
        }
        try {
            if (!group) {
                manager.port().way(remote);
            }
        } catch (LinkException | VerbsException e) {
            throw new CmException(CmException.Errno.EHOSTUNREACH, e.getMessage());
        }
        return own.toAddress();
    }

    @Override
    public QpAttributes qpAttributes(QpState to) {
        if (to != QpState.INIT) {
            throw CmException.invalid("nothing is to be known for %s", to);
        }
        return QpSteps.init(owner.settings().pkeyIndex());
    }

    @Override
    public void listen(int backlog, QpType type) {
        listening = true;
    }

    /** Gives the port back. */
    @Override
    public void close() {
        listening = false;
        if (bound != null) {
            manager.ports().release(this, owner.portSpace(), bound.getPort());
            bound = null;
        }
    }
}
