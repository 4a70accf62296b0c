package org.rdma4j.tools.conform.iwarp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections of the operating system's TCP, from and to one address of this host.
 *
 * @param local that address
 */
public record TcpStrands(InetAddress local) implements Strands {

    private static final int CONNECT_MILLIS = 5_000;

    @Override
    public Strand call(InetSocketAddress peer) {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(local, 0));
            socket.connect(peer, CONNECT_MILLIS);
        } catch (IOException e) {
            closed(socket);
            throw new UncheckedIOException(e);
        }
        return TcpStrand.on(socket, true);
    }

    private static void closed(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Door open() {
        try {
            return new TcpDoor(new ServerSocket(0, 1, local));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A listening socket. */
    private static final class TcpDoor implements Door {

        private final ServerSocket server;
        private final Queue<Strand> come = new ConcurrentLinkedQueue<>();

        TcpDoor(ServerSocket server) {
            this.server = server;
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                come.add(TcpStrand.on(server.accept(), false));
            } catch (IOException _) {
                // Closed before anybody came.
            }
        }

        @Override
        public InetSocketAddress address() {
            return (InetSocketAddress) server.getLocalSocketAddress();
        }

        @Override
        public Strand poll() {
            return come.poll();
        }

        @Override
        public void close() {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
