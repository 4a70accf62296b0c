package org.rdma4j.iwarp.tcp;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import org.rdma4j.iwarp.stream.StreamException;

/** The interface that an address of this host belongs to. */
final class LocalInterface {

    private static final int ETHERNET_MTU = 1500;
    private static final int IPV4_AND_TCP = 40;
    private static final int IPV6_AND_TCP = 60;

    /** Linux sends time stamps with every segment (RFC 7323). */
    private static final int TIMESTAMPS = 12;

    private final NetworkInterface found; // null where the operating system does not say
    private final int headers;

    private LocalInterface(NetworkInterface found, int headers) {
        this.found = found;
        this.headers = headers;
    }

    /** @throws StreamException where the address is not this host's */
    static LocalInterface of(InetAddress address) {
        try (ServerSocketChannel probe = ServerSocketChannel.open()) {
            probe.bind(new InetSocketAddress(address, 0));
            int headers = (address instanceof Inet6Address ? IPV6_AND_TCP : IPV4_AND_TCP) + TIMESTAMPS;
            return new LocalInterface(find(address), headers);
        } catch (IOException e) {
            throw new StreamException(address.getHostAddress() + " is not an address of this host", e);
        }
    }

    private static NetworkInterface find(InetAddress address) throws SocketException {
        NetworkInterface named = NetworkInterface.getByInetAddress(address);
        if (named == null && address.isLoopbackAddress()) {
            // All of 127/8 is the loopback interface's, though it has but one of them.
            return NetworkInterface.networkInterfaces()
                    .filter(LocalInterface::isLoopback)
                    .findFirst()
                    .orElse(null);
        }
        return named;
    }

    private static boolean isLoopback(NetworkInterface each) {
        try {
            return each.isLoopback();
        } catch (SocketException _) {
            return false;
        }
    }

    int mtu() {
        try {
            return found == null ? ETHERNET_MTU : found.getMTU();
        } catch (SocketException _) {
            return ETHERNET_MTU;
        }
    }

    boolean isUp() {
        try {
            return found == null || found.isUp();
        } catch (SocketException _) {
            return false;
        }
    }

    /** Bytes of data in a full segment: the largest that TCP will make, as far as this host can tell. */
    int segmentSize() {
        return mtu() - headers;
    }
}
