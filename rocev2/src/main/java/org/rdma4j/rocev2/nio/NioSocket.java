package org.rdma4j.rocev2.nio;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.udp.LocalAddress;
import org.rdma4j.rocev2.udp.UdpErrors;
import org.rdma4j.wire.Gid;

/**
 * A UDP channel as RoCE v2 needs it: bound, never connected, and with "don't fragment" on, because then Linux sends the
 * IPv4 identification 0, which the ICRC covers.
 */
final class NioSocket implements AutoCloseable {

    /** Bytes asked for when the user asks for none; an ordinary user gets what net.core.rmem_max allows. */
    private static final int DEFAULT_RECEIVE_BUFFER = 8 << 20;

    private static final int SEND_BUFFER = 4 << 20;

    private final DatagramChannel channel;
    private final boolean canMark;
    private int trafficClass;

    private NioSocket(DatagramChannel channel) {
        this.channel = channel;
        this.canMark = channel.supportedOptions().contains(StandardSocketOptions.IP_TOS);
    }

    /** The socket that receives, and sends what has no source port of its own. */
    static NioSocket receiving(LocalAddress local, int port, int receiveBuffer) {
        NioSocket socket = open(local);
        try {
            int bytes = receiveBuffer > 0 ? receiveBuffer : DEFAULT_RECEIVE_BUFFER;
            socket.channel.setOption(StandardSocketOptions.SO_RCVBUF, bytes);
            socket.channel.bind(new InetSocketAddress(local.address(), port));
            return socket;
        } catch (BindException e) {
            socket.close();
            throw isHere(local.address()) ? UdpErrors.inUse(local, port) : UdpErrors.notHere(local);
        } catch (IOException e) {
            socket.close();
            throw UdpErrors.notBound(local, port, e.getMessage());
        }
    }

    /**
     * A socket that receives what is sent to a multicast group on the interface of the link's own address. Any number of
     * them may share the group and the port, in this process and others, and each one gets every packet.
     */
    static NioSocket member(LocalAddress local, Gid group, int port, int receiveBuffer) {
        NioSocket socket = open(local);
        try {
            NetworkInterface has = NetworkInterface.getByIndex(local.interfaceIndex());
            if (has == null) {
                throw new SocketException("no interface has " + local.address());
            }
            socket.channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            socket.channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.channel.bind(new InetSocketAddress(group.toAddress(), port));
            socket.channel.join(group.toAddress(), has);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw UdpErrors.notJoined(local, group, e.getMessage());
        }
    }

    /** A socket that only sends, from {@code port}; null where the port cannot be had. */
    static NioSocket sending(LocalAddress local, int port) {
        NioSocket socket = open(local);
        try {
            socket.channel.bind(new InetSocketAddress(local.address(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            return null;
        }
    }

    private static NioSocket open(LocalAddress local) {
        boolean ipv4 = local.isIpv4();
        try {
            DatagramChannel channel =
                    DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            NioSocket socket = new NioSocket(channel);
            try {
                channel.configureBlocking(false);
                if (ipv4) {
                    socket.need("IP_DONTFRAGMENT", ExtendedSocketOptions.IP_DONTFRAGMENT, true);
                } else if (local.interfaceIndex() != 0) {
                    // What goes to a group leaves by this interface; over IPv4 the source address alone decides that.
                    NetworkInterface by = NetworkInterface.getByIndex(local.interfaceIndex());
                    channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, by);
                }
                channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
                return socket;
            } catch (IOException | LinkException e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw UdpErrors.notOpened(e.getMessage());
        }
    }

    private <T> void need(String name, SocketOption<T> option, T value) throws IOException {
        if (!channel.supportedOptions().contains(option)) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, "this Java runtime has no " + name);
        }
        channel.setOption(option, value);
    }

    /** Linux answers for all of 127.0.0.0/8, though the interface names 127.0.0.1 alone. */
    private static boolean isHere(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }

    /**
     * Asks the system's routing table, by connecting a throw-away channel, which sends nothing.
     *
     * @throws LinkException where there is no way
     */
    static void requireRoute(LocalAddress local, Gid remote, int port) {
        try (NioSocket probe = open(local)) {
            probe.channel.bind(new InetSocketAddress(local.address(), 0));
            probe.channel.connect(address(remote, port, local.scope()));
        } catch (IOException e) {
            throw UdpErrors.noRoute(local, remote, e.getMessage());
        }
    }

    /** The address that a GID stands for; a link-local one is reached by the interface {@code scope}. */
    static InetSocketAddress address(Gid gid, int port, int scope) {
        InetAddress address = gid.toAddress();
        if ((address.isLinkLocalAddress() || address.isMCLinkLocal()) && address instanceof Inet6Address) {
            try {
                address = Inet6Address.getByAddress(null, gid.toBytes(), scope);
            } catch (UnknownHostException impossible) {
                throw new AssertionError(impossible);
            }
        }
        return new InetSocketAddress(address, port);
    }

    DatagramChannel channel() {
        return channel;
    }

    /** What is sent from now on carries this DSCP and ECN, where the system can. */
    void mark(int wanted) throws IOException {
        if (wanted != trafficClass && canMark) {
            channel.setOption(StandardSocketOptions.IP_TOS, wanted);
            trafficClass = wanted;
        }
    }

    /** Returns false where the socket is full. */
    boolean send(ByteBuffer datagram, SocketAddress to) throws IOException {
        return channel.send(datagram, to) > 0;
    }

    /**
     * Bytes of packets that fit the receive buffer. The system charges each datagram with more than its own bytes, about
     * twice as much for the largest; where it says what it granted, that is half of it.
     */
    int receiveBuffer() {
        try {
            return channel.getOption(StandardSocketOptions.SO_RCVBUF) / 2;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more, closed or not.
        }
    }
}
