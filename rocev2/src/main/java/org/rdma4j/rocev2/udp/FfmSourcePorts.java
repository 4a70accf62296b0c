package org.rdma4j.rocev2.udp;

import java.util.HashMap;
import java.util.Map;
import org.rdma4j.rocev2.syscall.LibC;

/**
 * Sockets that packets leave from. RoCE v2 puts entropy for the network's load balancing into the UDP source port, and a
 * socket has one port; so each source port in use gets a socket of its own, up to a bound, and where none can be had the
 * receiving socket sends, from port 4791, which is as legal.
 */
final class FfmSourcePorts implements AutoCloseable {

    private static final int MAX_SOCKETS = 64;

    private final LibC libc;
    private final LocalAddress local;
    private final Map<Integer, FfmSocket> byPort = new HashMap<>();

    FfmSourcePorts(LibC libc, LocalAddress local) {
        this.libc = libc;
        this.local = local;
    }

    /** The socket bound to this port; null where it is taken by another process or there are too many. */
    FfmSocket get(int port) {
        FfmSocket known = byPort.get(port);
        if (known != null || byPort.size() >= MAX_SOCKETS) {
            return known;
        }
        FfmSocket opened = FfmSocket.sending(libc, local, port);
        if (opened != null) {
            byPort.put(port, opened);
        }
        return opened;
    }

    @Override
    public void close() {
        byPort.values().forEach(FfmSocket::close);
        byPort.clear();
    }
}
