package org.rdma4j.rocev2.ethernet;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.udp.LocalAddress;
import org.rdma4j.rocev2.udp.UdpErrors;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * Holds the UDP port of an address that the operating system has too. It sees the port's packets as well as we do, and
 * with nobody at the port it would tell each sender so (ICMP port unreachable). And no other device gets the address
 * meanwhile. Nothing is read here: the little that fits the buffer stays there, the rest is dropped in silence.
 */
public final class PortShield implements AutoCloseable {

    private final DatagramChannel channel;
    private final int interfaceIndex;
    private final Map<Gid, MembershipKey> memberships = new HashMap<>();

    private PortShield(DatagramChannel channel, int interfaceIndex) {
        this.channel = channel;
        this.interfaceIndex = interfaceIndex;
    }

    /**
     * @return {@code null} where none is needed: the address is ours alone, or packets are no UDP
     * @throws LinkException where another device has the port
     */
    public static PortShield hold(PortConfig config, NetworkCard card) {
        if (config.isOwner() || !config.encapsulation().hasUdp()) {
            return null;
        }
        PortShield shield = null;
        try {
            boolean ipv4 = config.gid().isIpv4();
            shield = new PortShield(
                    DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6),
                    card.index());
            shield.channel.setOption(StandardSocketOptions.SO_RCVBUF, 1);
            shield.channel.bind(new InetSocketAddress(address(config.gid(), card), config.udpPort()));
            return shield;
        } catch (IOException e) {
            release(shield);
            LocalAddress local = LocalAddress.of(IpText.of(config.gid().toAddress()));
            throw e instanceof BindException
                    ? UdpErrors.inUse(local, config.udpPort())
                    : UdpErrors.notBound(local, config.udpPort(), e.getMessage());
        }
    }

    private static InetAddress address(Gid gid, NetworkCard card) throws UnknownHostException {
        InetAddress address = gid.toAddress();
        return address.isLinkLocalAddress() && address instanceof Inet6Address
                ? Inet6Address.getByAddress(null, gid.toBytes(), card.index())
                : address;
    }

    /** Makes the operating system tell routers and switches that this host is a member (IGMP, MLD). */
    void join(Gid group) {
        try {
            NetworkInterface card = NetworkInterface.getByIndex(interfaceIndex);
            if (card != null) { // gone, or hidden from Java: the card itself has been asked all the same
                memberships.put(group, channel.join(group.toAddress(), card));
            }
        } catch (IOException e) {
            throw new LinkException(
                    LinkException.Kind.IO,
                    "group " + IpText.of(group.toAddress()) + " cannot be joined: " + e.getMessage(),
                    e);
        }
    }

    void leave(Gid group) {
        MembershipKey membership = memberships.remove(group);
        if (membership != null) {
            membership.drop();
        }
    }

    /** @param shield may be {@code null} */
    public static void release(PortShield shield) {
        if (shield != null) {
            shield.close();
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
