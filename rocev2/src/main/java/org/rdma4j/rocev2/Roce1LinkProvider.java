package org.rdma4j.rocev2;

import org.rdma4j.rocev2.ethernet.PortConfigs;

/** {@code roce1:INTERFACE}: RoCE v1, GRH straight behind the Ethernet header. */
public final class Roce1LinkProvider extends RawLinkProvider {

    public Roce1LinkProvider() {
        super(PortConfigs.V1);
    }
}
