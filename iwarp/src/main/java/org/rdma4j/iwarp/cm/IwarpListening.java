package org.rdma4j.iwarp.cm;

import java.util.HashMap;
import java.util.Map;
import org.rdma4j.cm.EndpointOwner;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;

/** What a listener hears: makes an identifier of each request, and tells that what becomes of it. */
final class IwarpListening implements ConnectionEvents {

    private final EndpointOwner owner;
    private final LocalPorts ports;
    private final Map<IwarpConnection, IwarpEndpoint> asked = new HashMap<>();

    IwarpListening(EndpointOwner owner, LocalPorts ports) {
        this.owner = owner;
        this.ports = ports;
    }

    @Override
    public void requested(IwarpConnection connection) {
        if (!owner.hasRoom()) {
            connection.reject(new byte[0]);
            return;
        }
        IwarpEndpoint child = owner.child(
                connection.local(), connection.remote(), childOwner -> new IwarpEndpoint(childOwner, ports, this));
        asked.put(connection, child);
        child.asked(connection);
    }

    @Override
    public void established(IwarpConnection connection) {
        IwarpEndpoint child = asked.get(connection);
        if (child != null) {
            child.established(connection);
        }
    }

    /** Peers reject what they are asked, and here they ask. */
    @Override
    public void rejected(IwarpConnection connection) {
        forget(connection);
    }

    @Override
    public void failed(IwarpConnection connection, ConnectionEnd end) {
        IwarpEndpoint child = asked.remove(connection);
        if (child != null) {
            child.failed(connection, end);
        }
    }

    @Override
    public void ended(IwarpConnection connection, ConnectionEnd end) {
        IwarpEndpoint child = asked.remove(connection);
        if (child != null) {
            child.ended(connection, end);
        }
    }

    /** Whatever more becomes of a connection, nobody is there to be told. */
    void forget(IwarpConnection connection) {
        asked.remove(connection);
    }
}
