package org.rdma4j.rocev2.pcap4j;

import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.IpText;

/** What libpcap lets through (pcap-filter(7)): a port's own packets and what finds neighbors, but nothing that it sent. */
final class CaptureFilter {

    private CaptureFilter() {}

    static String of(PortConfig config) {
        String address = IpText.of(config.gid().toAddress()).replaceFirst("%.*", "");
        String packets = switch (config.encapsulation()) {
            case ROCE_V1 -> "ether proto 0x8915";
            case ROCE_V2_IPV4 -> "udp and dst host " + address + " and dst port " + config.udpPort();
            case ROCE_V2_IPV6 -> "ip6 and udp and dst host " + address + " and dst port " + config.udpPort();
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(config);
        };
        String wanted = "(" + packets + " or " + (config.gid().isIpv4() ? "arp" : "icmp6") + ")";
        String ours = "not ether src " + EthernetHeader.macToString(config.mac()) + " and ";
        // "vlan" moves all that stands behind it by a tag, so it comes last.
        return ours
                + switch (config.vlanId()) {
                    case -1 -> wanted;
                    case PortConfig.PRIORITY_ONLY -> "(" + wanted + " or (vlan and " + wanted + "))";
                    default -> "vlan " + config.vlanId() + " and " + wanted;
                };
    }
}
