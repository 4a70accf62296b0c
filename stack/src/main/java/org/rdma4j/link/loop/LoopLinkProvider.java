package org.rdma4j.link.loop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.LinkProvider;
import org.rdma4j.wire.Gid;

/**
 * {@code loop:NAME}: links of one network that all of the process shares. Each name gets an address of 198.18.0.0/15,
 * the block that is set aside for tests of network devices, and keeps it.
 */
public final class LoopLinkProvider implements LinkProvider {

    private static final LoopNetwork NETWORK = new LoopNetwork();
    private static final int FIRST_ADDRESS = 198 << 24 | 18 << 16 | 1;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private static final Map<String, Gid> GIDS = new HashMap<>();

    @Override
    public String family() {
        return "loop";
    }

    @Override
    public Link open(String address, LinkOptions options) {
        if (!NAME.matcher(address).matches()) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    "loop:" + address + ": a name of letters, digits, dots and dashes is needed, such as loop:a");
        }
        return NETWORK.join(family() + ":" + address, gidOf(address), options.receiveBuffer());
    }

    private static Gid gidOf(String name) {
        synchronized (GIDS) {
            return GIDS.computeIfAbsent(name, any -> Gid.ofIpv4(FIRST_ADDRESS + GIDS.size()));
        }
    }

    @Override
    public List<String> discover() {
        return List.of("loop:a", "loop:b");
    }
}
