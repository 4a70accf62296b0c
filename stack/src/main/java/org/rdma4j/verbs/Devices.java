package org.rdma4j.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.rdma4j.link.Links;
import org.rdma4j.transport.AsyncEventListener;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.EngineProvider;
import org.rdma4j.transport.IbEngine;

/** Finds the engine that a device's name asks for: a family's own, or InfiniBand's on a link. */
final class Devices {

    private Devices() {}

    /** @throws org.rdma4j.link.LinkException with a message for the user */
    static Engine open(String name, DeviceOptions options, AsyncEventListener listener) {
        List<String> families = new ArrayList<>();
        for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
            String prefix = provider.family() + ":";
            if (name.startsWith(prefix) && name.length() > prefix.length()) {
                return provider.open(name.substring(prefix.length()), options.link(), options.random(), listener);
            }
            families.add(provider.family());
        }
        return new IbEngine(
                options.around().apply(Links.open(name, options.link(), families)), options.random(), listener);
    }

    static List<String> list() {
        List<String> names = new ArrayList<>(Links.discover());
        for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
            names.addAll(provider.discover());
        }
        return names;
    }
}
