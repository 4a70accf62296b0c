package org.rdma4j.rocev2.ethernet;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.rdma4j.link.LinkException;
import org.rdma4j.wire.Gid;

/**
 * An Ethernet interface of this host, as its operating system tells of it.
 *
 * @param name {@code eth0}
 * @param index the operating system's number for it
 * @param mac 48 bits
 * @param mtu bytes behind the Ethernet header
 * @param up whether it is in use
 * @param addresses the operating system's own, in its order
 */
public record NetworkCard(String name, int index, long mac, int mtu, boolean up, List<Address> addresses) {

    /**
     * An IP address.
     *
     * @param prefixLength bits that it shares with its neighbors
     */
    public record Address(Gid gid, int prefixLength) {

        /** IPv4 first, then IPv6 that means something beyond the link: what a device takes where nothing is said. */
        private int rank() {
            return gid.isIpv4() ? 0 : gid.isLinkLocal() ? 2 : 1;
        }
    }

    /** The address that a device takes where none is named. */
    public Optional<Address> firstAddress() {
        return addresses.stream().min(Comparator.comparingInt(Address::rank));
    }

    /** @throws LinkException naming those that there are */
    public static NetworkCard named(List<NetworkCard> all, String name, String device) {
        return all.stream().filter(card -> card.name().equals(name)).findFirst().orElseThrow(() -> {
            String known = String.join(", ", all.stream().map(NetworkCard::name).toList());
            return new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    device + ": no Ethernet interface is called " + name + "; there "
                            + (all.isEmpty() ? "is none here" : all.size() == 1 ? "is " + known : "are " + known));
        });
    }

    /** The interface's own entry for an address. */
    public Optional<Address> find(Gid gid) {
        return addresses.stream().filter(address -> address.gid().equals(gid)).findFirst();
    }
}
