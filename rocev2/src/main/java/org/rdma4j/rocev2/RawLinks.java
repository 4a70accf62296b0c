package org.rdma4j.rocev2;

import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.rocev2.ethernet.PortName;
import org.rdma4j.rocev2.packet.PacketLink;
import org.rdma4j.rocev2.pcap4j.PcapLink;
import org.rdma4j.rocev2.qemu.QemuLink;
import org.rdma4j.rocev2.syscall.SyscallSupport;

/** Opens raw Ethernet links of both families, in whichever way this machine can. */
final class RawLinks {

    private RawLinks() {}

    static Link open(String family, String text, LinkOptions options) {
        PortName name = PortName.parse(family, text);
        if (QemuLink.isMeant(name)) {
            return QemuLink.open(name, options);
        }
        return switch (options.implementation()) {
            case "" ->
                SyscallSupport.unsupportedReason() == null
                        ? PacketLink.open(name, options)
                        : PcapLink.open(name, options);
            case "packet" -> PacketLink.open(name, options);
            case "pcap4j" -> PcapLink.open(name, options);
            default ->
                throw new LinkException(
                        LinkException.Kind.UNKNOWN_DEVICE,
                        family + " has no variant " + options.implementation() + ": it has packet and pcap4j");
        };
    }

    static List<String> discover(String family) {
        return PacketLink.discover(family);
    }
}
