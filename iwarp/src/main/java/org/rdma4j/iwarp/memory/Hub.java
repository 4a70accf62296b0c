package org.rdma4j.iwarp.memory;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** What joins the networks of a test. */
public final class Hub {

    private final Map<InetSocketAddress, MemoryListener> listeners = new HashMap<>();
    private int nextPort = 40_000;

    int freshPort() {
        return nextPort++;
    }

    void add(InetSocketAddress at, MemoryListener listener) {
        listeners.put(at, listener);
    }

    void remove(InetSocketAddress at) {
        listeners.remove(at);
    }

    MemoryListener listener(InetSocketAddress at) {
        return listeners.get(at);
    }
}
