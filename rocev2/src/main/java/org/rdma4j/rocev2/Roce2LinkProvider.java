package org.rdma4j.rocev2;

import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.LinkProvider;
import org.rdma4j.rocev2.nio.UdpNioLink;
import org.rdma4j.rocev2.syscall.SyscallSupport;
import org.rdma4j.rocev2.udp.UdpFfmLink;

/**
 * {@code roce2:ADDRESS}: RoCE v2 over a UDP socket on an address of this host; by system calls, or by {@code java.nio}
 * where these cannot be made or {@link LinkOptions#implementation()} says so.
 */
public final class Roce2LinkProvider implements LinkProvider {

    @Override
    public String family() {
        return "roce2";
    }

    @Override
    public Link open(String address, LinkOptions options) {
        return switch (options.implementation()) {
            case "" ->
                SyscallSupport.unsupportedReason() == null
                        ? UdpFfmLink.open(address, options)
                        : UdpNioLink.open(address, options);
            case "ffm" -> UdpFfmLink.open(address, options);
            case "nio" -> UdpNioLink.open(address, options);
            default ->
                throw new LinkException(
                        LinkException.Kind.UNKNOWN_DEVICE,
                        "roce2 has no variant " + options.implementation() + ": it has ffm and nio");
        };
    }

    @Override
    public List<String> discover() {
        return UdpFfmLink.localAddresses().stream()
                .map(address -> family() + ":" + address)
                .toList();
    }
}
