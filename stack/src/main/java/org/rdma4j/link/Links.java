package org.rdma4j.link;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Opens links by name, whichever module provides them. */
public final class Links {

    private Links() {}

    /**
     * Opens {@code family:address}.
     *
     * @throws LinkException with a message for the user
     */
    public static Link open(String name, LinkOptions options) {
        return open(name, options, List.of());
    }

    /**
     * The same, where there are families of devices that are no links.
     *
     * @param others their names, for the message that says which there are
     */
    public static Link open(String name, LinkOptions options, List<String> others) {
        int colon = name.indexOf(':');
        if (colon <= 0 || colon == name.length() - 1) {
            throw unknown(name, "a device is named family:address, such as roce2:127.0.0.1");
        }
        String family = name.substring(0, colon);
        for (LinkProvider provider : ServiceLoader.load(LinkProvider.class)) {
            if (provider.family().equals(family)) {
                return provider.open(name.substring(colon + 1), options);
            }
        }
        throw unknown(name, "known families: " + families(others));
    }

    /** Names that could be opened here now. */
    public static List<String> discover() {
        List<String> names = new ArrayList<>();
        for (LinkProvider provider : ServiceLoader.load(LinkProvider.class)) {
            names.addAll(provider.discover());
        }
        return names;
    }

    private static String families(List<String> others) {
        Stream<String> links = ServiceLoader.load(LinkProvider.class).stream()
                .map(provider -> provider.get().family());
        return Stream.concat(links, others.stream()).sorted().collect(Collectors.joining(", "));
    }

    private static LinkException unknown(String name, String hint) {
        return new LinkException(LinkException.Kind.UNKNOWN_DEVICE, "no device is called \"" + name + "\": " + hint);
    }
}
