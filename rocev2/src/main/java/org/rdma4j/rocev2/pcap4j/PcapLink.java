package org.rdma4j.rocev2.pcap4j;

import java.util.List;
import org.pcap4j.core.Pcaps;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.ethernet.PortConfigs;
import org.rdma4j.rocev2.ethernet.PortName;

/** Opens links on interfaces that libpcap can capture from. */
public final class PcapLink {

    private PcapLink() {}

    /** @throws LinkException where Pcap4J, libpcap, the interface or the right to it is missing */
    public static Link open(PortName name, LinkOptions options) {
        String reason = unsupportedReason();
        if (reason != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, name.text() + " by Pcap4J: " + reason);
        }
        name.requireCard();
        List<NetworkCard> all = JavaCards.all();
        NetworkCard card = NetworkCard.named(all, name.place(), name.text());
        PortConfig config = PortConfigs.of(name, card, all, options.udpPort());
        return EthernetLink.open(name, config, card, () -> PcapIo.open(card, config, options.receiveBuffer()));
    }

    /** Null where libpcap answers; else what is missing, and the remedy. */
    public static String unsupportedReason() {
        try {
            Pcaps.libVersion();
            return null;
        } catch (NoClassDefFoundError | UnsatisfiedLinkError | ExceptionInInitializerError e) {
            return isThere()
                    ? "libpcap cannot be loaded: install libpcap (apt install libpcap0.8; on Windows Npcap)"
                    : "org.pcap4j:pcap4j-core is not there: put it on the path, as a module with --add-modules org.pcap4j.core";
        }
    }

    private static boolean isThere() {
        return PcapLink.class.getClassLoader().getResource("org/pcap4j/core/Pcaps.class") != null;
    }
}
