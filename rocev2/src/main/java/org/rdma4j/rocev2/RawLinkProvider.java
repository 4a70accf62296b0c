package org.rdma4j.rocev2;

import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.LinkProvider;
import org.rdma4j.rocev2.ethernet.PortName;
import org.rdma4j.rocev2.packet.PacketLink;
import org.rdma4j.rocev2.pcap4j.PcapLink;
import org.rdma4j.rocev2.qemu.QemuLink;
import org.rdma4j.rocev2.syscall.SyscallSupport;

/** Opens raw Ethernet links of a family, in whichever way this machine can. */
abstract class RawLinkProvider implements LinkProvider {

    private final String family;

    RawLinkProvider(String family) {
        this.family = family;
    }

    @Override
    public final String family() {
        return family;
    }

    @Override
    public final Link open(String address, LinkOptions options) {
        PortName name = PortName.parse(family, address);
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

    @Override
    public final List<String> discover() {
        return PacketLink.discover(family);
    }
}
