package org.rdma4j.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.rdma4j.link.Link;
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
        return on(options.around().apply(Links.open(name, options.link(), families)), options, listener);
    }

    /** InfiniBand's engine on a link. */
    static IbEngine on(Link link, DeviceOptions options, AsyncEventListener listener) {
        IbEngine engine = new IbEngine(link, options.random(), listener);
        if (options.congestion() != null) {
            engine.controlCongestion(options.congestion());
        }
        return engine;
    }

    static List<String> list() {
        List<String> names = new ArrayList<>(Links.discover());
        for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
            names.addAll(provider.discover());
        }
        return names;
    }
}
