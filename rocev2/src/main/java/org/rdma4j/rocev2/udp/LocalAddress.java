package org.rdma4j.rocev2.udp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import org.rdma4j.link.LinkException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * The address that a link is opened on.
 *
 * @param scope the interface's index where the address is link-local, else 0
 * @param interfaceIndex the index of the interface that has the address; 0 where none of this host's has
 * @param interfaceMtu bytes; 1500 where no interface of this host has the address
 */
public record LocalAddress(InetAddress address, Gid gid, int scope, int interfaceIndex, int interfaceMtu) {

    /** The longest headers of a packet: IPv6, UDP, BTH, RETH and ICRC. */
    private static final int MAX_HEADERS = 80;

    private static final int ETHERNET_MTU = 1500;

    /** @throws LinkException where the name is no address */
    public static LocalAddress of(String host) {
        if (host.isBlank()) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    "roce2: needs a local address behind the colon: roce2:127.0.0.1");
        }
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE, "roce2:" + host + ": no such address or host", e);
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    "roce2:" + host + ": a device needs one address of this host, not a wildcard or a group");
        }
        int scope = address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
        try {
            NetworkInterface has = interfaceWith(address);
            int mtu = has == null ? ETHERNET_MTU : has.getMTU();
            return new LocalAddress(address, Gid.of(address), scope, has == null ? 0 : has.getIndex(), mtu);
        } catch (SocketException e) {
            return new LocalAddress(address, Gid.of(address), scope, 0, ETHERNET_MTU);
        }
    }

    public boolean isIpv4() {
        return gid.isIpv4();
    }

    /** @throws LinkException where one is IPv4 and the other is not */
    public void requireSameFamily(Gid remote) {
        if (remote.isIpv4() != isIpv4()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE,
                    IpText.of(address) + " cannot reach "
                            + IpText.of(remote.toAddress())
                            + ": one is IPv4 and the other IPv6; open a device on an address of the peer's family");
        }
    }

    /** The largest path MTU whose packets fit the interface. */
    public int maxPathMtu() {
        return maxPathMtu(interfaceMtu);
    }

    /** The largest path MTU whose packets fit an interface of this MTU; 256 where not even that one does. */
    public static int maxPathMtu(int interfaceMtu) {
        int mtu = 4096;
        while (mtu > 256 && mtu > interfaceMtu - MAX_HEADERS) {
            mtu /= 2;
        }
        return mtu;
    }

    /** The interface that has an address, or {@code null}. Linux answers for all of 127.0.0.0/8, though it names one. */
    private static NetworkInterface interfaceWith(InetAddress address) throws SocketException {
        NetworkInterface named = NetworkInterface.getByInetAddress(address);
        if (named == null && address.isLoopbackAddress()) {
            for (NetworkInterface candidate : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (candidate.isLoopback()) {
                    return candidate;
                }
            }
        }
        return named;
    }

    /** False once its interface is down, or has the address no more. */
    public boolean isUp() {
        try {
            NetworkInterface has = interfaceWith(address);
            return has != null && has.isUp();
        } catch (SocketException _) {
            return false;
        }
    }

    /** The unicast addresses of the interfaces that are up, as device names spell them. */
    public static List<String> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddress::isUp)
                    .flatMap(each -> each.getInterfaceAddresses().stream())
                    .map(InterfaceAddress::getAddress)
                    .map(IpText::of)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface each) {
        try {
            return each.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
