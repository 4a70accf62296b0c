package org.rdma4j.iwarp.cm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import org.rdma4j.cm.CmException;
import org.rdma4j.wire.IpText;

/** What the operating system's routing says of a way. */
final class SocketRoute {

    /** Nothing is sent there: the kernel only looks up the route. */
    private static final int ANY_PORT = 9;

    private SocketRoute() {}

    /** @throws CmException EHOSTUNREACH where no way leads from one to the other */
    static void require(InetAddress from, InetAddress to) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(from, 0));
            channel.connect(new InetSocketAddress(to, ANY_PORT));
        } catch (IOException e) {
            throw new CmException(
                    CmException.Errno.EHOSTUNREACH,
                    "no way from " + IpText.of(from) + " to " + IpText.of(to) + ": " + e.getMessage());
        }
    }
}
