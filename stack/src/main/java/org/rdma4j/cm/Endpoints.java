package org.rdma4j.cm;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.rdma4j.wire.PortSpace;

/** Endpoints by the family of their device. */
final class Endpoints {

    private static final Map<String, CmProvider> PROVIDERS = ServiceLoader.load(CmProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .collect(Collectors.toUnmodifiableMap(CmProvider::family, provider -> provider));

    private Endpoints() {}

    static Endpoint of(EndpointOwner owner, PortSpace space) {
        CmProvider provider = PROVIDERS.get(family(owner.device().name()));
        if (provider != null) {
            return provider.endpoint(owner, space);
        }
        ConnectionManager manager = ConnectionManager.of(owner.device());
        return space == PortSpace.UDP ? new DatagramEndpoint(manager, owner) : new ConnectionEndpoint(manager, owner);
    }

    private static String family(String deviceName) {
        int colon = deviceName.indexOf(':');
        return colon < 0 ? deviceName : deviceName.substring(0, colon);
    }
}
