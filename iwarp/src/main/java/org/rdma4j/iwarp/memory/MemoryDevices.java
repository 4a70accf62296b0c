package org.rdma4j.iwarp.memory;

import java.util.List;
import java.util.function.IntSupplier;
import org.rdma4j.iwarp.rdmap.IwarpEngine;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.transport.AsyncEventListener;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.EngineProvider;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;

/** iWARP devices on networks in memory. */
public final class MemoryDevices {

    private MemoryDevices() {}

    /** Opens one; closing it closes the network. */
    public static DeviceContext open(MemoryNetwork network, DeviceOptions options) {
        return DeviceContext.on(new InMemory(network), network.name(), options);
    }

    /** A family whose devices are on one network. */
    private record InMemory(MemoryNetwork network) implements EngineProvider {
        @Override
        public String family() {
            return "iwarp";
        }

        @Override
        public Engine open(String address, LinkOptions options, IntSupplier random, AsyncEventListener listener) {
            return new IwarpEngine(network, random, listener);
        }

        @Override
        public List<String> discover() {
            return List.of();
        }
    }
}
