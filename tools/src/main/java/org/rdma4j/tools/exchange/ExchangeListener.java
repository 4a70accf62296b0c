package org.rdma4j.tools.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** The server's TCP port: open from the moment it is made, so that a client can come while the server still prepares. */
public final class ExchangeListener implements AutoCloseable {

    /** Clients may come at once. */
    private static final int BACKLOG = 64;

    private final ServerSocketChannel socket;

    private ExchangeListener(ServerSocketChannel socket) {
        this.socket = socket;
    }

    /**
     * Listens on all addresses of this host, as the tools it answers to do.
     *
     * @param port 1 to 65535; 0 takes one that is free
     * @throws ToolException where the port is in use or not allowed
     */
    public static ExchangeListener listen(int port) {
        try {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.bind(new InetSocketAddress(port), BACKLOG);
            } catch (BindException e) {
                socket.close();
                throw new ToolException(
                        ExitStatus.FAILED,
                        "TCP port " + port + " cannot be had (" + e.getMessage() + "): choose another with -p",
                        e);
            }
            return new ExchangeListener(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return socket.socket().getLocalPort();
    }

    /** Waits for one client. */
    public ExchangeChannel accept() {
        try {
            return new ExchangeChannel(socket.accept());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
