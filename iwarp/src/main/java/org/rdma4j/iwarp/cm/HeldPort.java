package org.rdma4j.iwarp.cm;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.rdma4j.cm.CmException;
import org.rdma4j.wire.IpText;

/** Keeps a TCP port from other programs between the time that an identifier is bound and the time that it is used. */
final class HeldPort {

    private final SocketChannel socket;
    private final InetSocketAddress address;

    private HeldPort(SocketChannel socket, InetSocketAddress address) {
        this.socket = socket;
        this.address = address;
    }

    /**
     * Takes a port.
     *
     * @param wanted port 0 for any that is free
     * @throws CmException EADDRINUSE where another program listens there, EADDRNOTAVAIL where the address is not here
     */
    static HeldPort take(InetSocketAddress wanted) {
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            // A port with nothing but connections that are over is free, as the kernel's iWARP has it.
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(wanted);
            return new HeldPort(socket, (InetSocketAddress) socket.getLocalAddress());
        } catch (IOException e) {
            close(socket);
            throw failure(wanted, e);
        }
    }

    private static CmException failure(InetSocketAddress wanted, IOException e) {
        String words = String.valueOf(e.getMessage());
        boolean inUse = e instanceof BindException && words.contains("in use");
        return new CmException(
                inUse ? CmException.Errno.EADDRINUSE : CmException.Errno.EADDRNOTAVAIL,
                "TCP port " + wanted.getPort() + " of " + IpText.of(wanted.getAddress()) + ": " + words);
    }

    InetSocketAddress address() {
        return address;
    }

    /** Lets go of it, for someone else who binds to it now. */
    void release() {
        close(socket);
    }

    private static void close(SocketChannel socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException _) {
                // It holds nothing any more, closed or not.
            }
        }
    }
}
