package org.rdma4j.iwarp.cm;

import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmProvider;
import org.rdma4j.cm.Endpoint;
import org.rdma4j.cm.EndpointOwner;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.wire.PortSpace;

/** Connection management of {@code iwarp:ADDRESS}: an RDMA port of the TCP space is the TCP port of that number. */
public final class IwarpCm implements CmProvider {

    @Override
    public String family() {
        return "iwarp";
    }

    @Override
    public Endpoint endpoint(EndpointOwner owner, PortSpace space) {
        DeviceContext device = owner.device();
        if (space != PortSpace.TCP) {
            throw CmException.invalid(
                    "%s has no port space %s: iWARP connects over TCP and has nothing else", device.name(), space);
        }
        return new IwarpEndpoint(owner, device.service(LocalPorts.class, LocalPorts::new), null);
    }
}
