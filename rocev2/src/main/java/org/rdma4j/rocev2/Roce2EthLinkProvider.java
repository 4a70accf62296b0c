package org.rdma4j.rocev2;

import org.rdma4j.rocev2.ethernet.PortConfigs;

/** {@code roce2eth:INTERFACE}: RoCE v2 from the Ethernet header on. */
public final class Roce2EthLinkProvider extends RawLinkProvider {

    public Roce2EthLinkProvider() {
        super(PortConfigs.V2);
    }
}
