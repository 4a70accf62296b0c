package org.rdma4j.rocev2.nio;

import java.util.HashMap;
import java.util.Map;
import org.rdma4j.rocev2.udp.LocalAddress;

/**
 * Channels that packets leave from, one for each UDP source port in use, up to a bound; where none can be had the
 * receiving channel sends, from port 4791, which is as legal.
 */
final class NioSourcePorts implements AutoCloseable {

    private static final int MAX_CHANNELS = 64;

    private final LocalAddress local;
    private final Map<Integer, NioSocket> byPort = new HashMap<>();

    NioSourcePorts(LocalAddress local) {
        this.local = local;
    }

    /** The channel bound to this port; null where it is taken by another process or there are too many. */
    NioSocket get(int port) {
        NioSocket known = byPort.get(port);
        if (known != null || byPort.size() >= MAX_CHANNELS) {
            return known;
        }
        NioSocket opened = NioSocket.sending(local, port);
        if (opened != null) {
            byPort.put(port, opened);
        }
        return opened;
    }

    @Override
    public void close() {
        byPort.values().forEach(NioSocket::close);
        byPort.clear();
    }
}
