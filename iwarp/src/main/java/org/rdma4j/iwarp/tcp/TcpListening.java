package org.rdma4j.iwarp.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Function;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.iwarp.stream.StreamSocket;

/** A socket that connections are taken from. */
final class TcpListening implements StreamListener {

    /** Connections that are taken before others get their turn. */
    private static final int MOST = 64;

    private final TcpNetwork network;
    private final ServerSocketChannel channel;
    private final InetSocketAddress local;
    private final Function<StreamSocket, StreamHandler> accept;

    TcpListening(TcpNetwork network, ServerSocketChannel channel, Function<StreamSocket, StreamHandler> accept)
            throws IOException {
        this.network = network;
        this.channel = channel;
        this.accept = accept;
        this.local = (InetSocketAddress) channel.getLocalAddress();
        channel.register(network.selector(), SelectionKey.OP_ACCEPT, this);
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    void acceptable() {
        for (int count = 0; count < MOST && channel.isOpen(); count++) {
            try {
                SocketChannel taken = channel.accept();
                if (taken == null) {
                    return;
                }
                TcpSocket socket = network.adopt(taken, SelectionKey.OP_READ);
                socket.established(false);
                socket.handler(accept.apply(socket));
            } catch (IOException _) {
                return; // it has gone again, or there are too many open files; the next look tries again
            }
        }
    }

    @Override
    public void close() {
        network.closed(this);
        try {
            channel.close();
        } catch (IOException _) {
            // It takes nothing any more, closed or not.
        }
    }
}
