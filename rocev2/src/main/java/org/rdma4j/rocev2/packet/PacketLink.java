package org.rdma4j.rocev2.packet;

import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.ethernet.PortConfigs;
import org.rdma4j.rocev2.ethernet.PortName;
import org.rdma4j.rocev2.ethernet.PortShield;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SyscallSupport;

/** Opens links on Linux interfaces. */
public final class PacketLink {

    private PacketLink() {}

    /** @throws LinkException where the interface is not there, this process may not, or this is no Linux */
    public static Link open(PortName name, LinkOptions options) {
        String reason = SyscallSupport.unsupportedReason();
        if (reason != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, name.family() + " by packet sockets: " + reason);
        }
        for (String option : List.of("mac", "mtu")) {
            if (name.has(option)) {
                throw new LinkException(
                        LinkException.Kind.UNKNOWN_DEVICE,
                        name.text() + ": " + name.place() + " has its own " + option);
            }
        }
        LibC libc = new LibC();
        List<NetworkCard> all = new LinuxCards(libc).all();
        NetworkCard card = NetworkCard.named(all, name.place(), name.text());
        if (!card.up()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE, card.name() + " is down: ip link set " + card.name() + " up");
        }
        PortConfig config = PortConfigs.of(
                name,
                card,
                address ->
                        all.stream().anyMatch(each -> each.find(address.gid()).isPresent()),
                options.udpPort());
        PortShield shield = PortShield.hold(config, card);
        try {
            PacketSocket socket = PacketSocket.open(libc, card, config, options.receiveBuffer());
            return new EthernetLink(name.text(), config, socket, shield);
        } catch (LinkException e) {
            PortShield.release(shield);
            throw e;
        }
    }

    /** The devices of a family that this process may open: {@code roce1:eth0}. */
    public static List<String> discover(String family) {
        if (SyscallSupport.unsupportedReason() != null) {
            return List.of();
        }
        LibC libc = new LibC();
        if (!PacketSocket.isAllowed(libc)) {
            return List.of();
        }
        return new LinuxCards(libc)
                .all().stream()
                        .filter(NetworkCard::up)
                        .filter(card -> family.equals(PortConfigs.V1)
                                || card.firstAddress().isPresent())
                        .map(card -> family + ":" + card.name())
                        .toList();
    }
}
