package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PortSpace;

/** Which endpoints have which ports of a device, by port space. Under the device's control lock. */
final class PortTable {

    /** Linux' ephemeral ports. */
    private static final int FIRST_EPHEMERAL = 32768;

    private static final int EPHEMERALS = 28232;

    private record Port(PortSpace space, int number) {}

    private final IntSupplier random;
    private final Map<Port, List<GsiEndpoint>> owners = new HashMap<>();

    PortTable(IntSupplier random) {
        this.random = random;
    }

    /**
     * Gives an endpoint a port.
     *
     * @param wanted 0 for any that is free
     * @throws CmException EADDRINUSE
     */
    int bind(GsiEndpoint endpoint, PortSpace space, InetAddress address, int wanted) {
        int number = wanted == 0 ? ephemeral(space) : wanted;
        List<GsiEndpoint> others = owners.getOrDefault(new Port(space, number), List.of());
        for (GsiEndpoint other : others) {
            boolean both = endpoint.reusesAddress() && other.reusesAddress() && !other.isListening();
            if (overlap(address, other.owner().localAddress()) && !both) {
                throw new CmException(
                        CmException.Errno.EADDRINUSE,
                        space + " port " + number + " of " + IpText.of(address) + " is in use");
            }
        }
        owners.computeIfAbsent(new Port(space, number), _ -> new ArrayList<>(1)).add(endpoint);
        return number;
    }

    private int ephemeral(PortSpace space) {
        int start = Math.floorMod(random.getAsInt(), EPHEMERALS);
        for (int offset = 0; offset < EPHEMERALS; offset++) {
            int number = FIRST_EPHEMERAL + (start + offset) % EPHEMERALS;
            if (!owners.containsKey(new Port(space, number))) {
                return number;
            }
        }
        throw new CmException(
                CmException.Errno.EADDRINUSE, "all " + EPHEMERALS + " ephemeral ports of " + space + " are in use");
    }

    private static boolean overlap(InetAddress address, InetSocketAddress other) {
        return address.isAnyLocalAddress()
                || other.getAddress().isAnyLocalAddress()
                || address.equals(other.getAddress());
    }

    void release(GsiEndpoint endpoint, PortSpace space, int number) {
        Port port = new Port(space, number);
        List<GsiEndpoint> endpoints = owners.get(port);
        if (endpoints != null && endpoints.remove(endpoint) && endpoints.isEmpty()) {
            owners.remove(port);
        }
    }

    /** Who listens there, the one with the address itself before one with any; {@code null}: nobody. */
    GsiEndpoint listener(PortSpace space, int number, InetAddress destination) {
        GsiEndpoint any = null;
        for (GsiEndpoint endpoint : owners.getOrDefault(new Port(space, number), List.of())) {
            if (endpoint.isListening()) {
                InetAddress local = endpoint.owner().localAddress().getAddress();
                if (local.equals(destination)) {
                    return endpoint;
                }
                if (local.isAnyLocalAddress()) {
                    any = endpoint;
                }
            }
        }
        return any;
    }

    int size() {
        return owners.size();
    }
}
