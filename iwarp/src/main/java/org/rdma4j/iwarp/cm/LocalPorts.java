package org.rdma4j.iwarp.cm;

import java.net.InetAddress;
import org.rdma4j.cm.PortTable;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceService;
import org.rdma4j.wire.PortSpace;

/**
 * Which endpoints of a device have which TCP ports. The operating system has the last word on a port, but lets several
 * sockets that do not listen have the same one; identifiers may do that only where they say so.
 */
final class LocalPorts implements DeviceService {

    private final PortTable<IwarpEndpoint> table;

    LocalPorts(DeviceContext device) {
        this.table = new PortTable<>(device::random);
    }

    void add(IwarpEndpoint endpoint, InetAddress address, int port) {
        int _ = table.bind(endpoint, PortSpace.TCP, address, port);
    }

    void remove(IwarpEndpoint endpoint, int port) {
        table.release(endpoint, PortSpace.TCP, port);
    }

    // It has nothing to do: connections are driven by the device's engine.

    @Override
    public boolean progress(long now) {
        return false;
    }

    @Override
    public long nextDeadline() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean takes(AsyncEvent event) {
        return false;
    }

    @Override
    public void close() {}
}
