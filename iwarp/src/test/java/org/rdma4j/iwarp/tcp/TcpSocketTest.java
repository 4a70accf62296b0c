package org.rdma4j.iwarp.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/** What is asked of the operating system for a connection. */
class TcpSocketTest {

    private static TcpNetwork network(int keepAlive) {
        return new TcpNetwork("iwarp:127.0.0.1", InetAddress.getLoopbackAddress(), 0, new KeepAlive(keepAlive));
    }

    @Test
    void aSilentPeerIsAskedThreeTimes() throws IOException {
        try (TcpNetwork network = network(30);
                SocketChannel channel = SocketChannel.open()) {
            network.adopt(channel, SelectionKey.OP_CONNECT);
            assertEquals(true, channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
            assertEquals(30, channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
            assertEquals(10, channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
            assertEquals(3, channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
        }
    }

    @Test
    void orNever() throws IOException {
        try (TcpNetwork network = network(0);
                SocketChannel channel = SocketChannel.open()) {
            network.adopt(channel, SelectionKey.OP_CONNECT);
            assertEquals(false, channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
        }
    }

    @Test
    void packetsCarryTheTrafficClass() throws IOException {
        try (TcpNetwork network = network(KeepAlive.SYSTEM);
                SocketChannel channel = SocketChannel.open()) {
            TcpSocket socket = network.adopt(channel, SelectionKey.OP_CONNECT);
            socket.trafficClass(0x68);
            assertEquals(0x68, channel.getOption(StandardSocketOptions.IP_TOS));
            assertEquals(true, channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
        }
    }
}
