package org.rdma4j.rocev2;

import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.LinkProvider;
import org.rdma4j.rocev2.ethernet.PortConfigs;

/** {@code roce2eth:INTERFACE}: RoCE v2 from the Ethernet header on. */
public final class Roce2EthLinkProvider implements LinkProvider {

    @Override
    public String family() {
        return PortConfigs.V2;
    }

    @Override
    public Link open(String address, LinkOptions options) {
        return RawLinks.open(family(), address, options);
    }

    @Override
    public List<String> discover() {
        return RawLinks.discover(family());
    }
}
