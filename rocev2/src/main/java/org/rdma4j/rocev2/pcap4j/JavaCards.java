package org.rdma4j.rocev2.pcap4j;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.wire.Gid;

/** The Ethernet interfaces that Java knows of, on any operating system. */
final class JavaCards {

    private JavaCards() {}

    /** All that have a MAC address. */
    static List<NetworkCard> all() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .map(JavaCards::card)
                    .flatMap(Optional::stream)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static Optional<NetworkCard> card(NetworkInterface each) {
        try {
            byte[] address = each.getHardwareAddress();
            if (address == null || address.length != 6) {
                return Optional.empty();
            }
            long mac = 0;
            for (byte octet : address) {
                mac = mac << 8 | octet & 0xFF;
            }
            List<NetworkCard.Address> addresses = each.getInterfaceAddresses().stream()
                    .map(entry -> new NetworkCard.Address(Gid.of(entry.getAddress()), entry.getNetworkPrefixLength()))
                    .toList();
            return Optional.of(
                    new NetworkCard(each.getName(), each.getIndex(), mac, each.getMTU(), each.isUp(), addresses));
        } catch (SocketException e) {
            return Optional.empty(); // it has gone meanwhile
        }
    }
}
