package org.rdma4j.ibsim.sm;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import org.rdma4j.ibsim.mad.Mad;

/**
 * A sweep of the subnet by directed routes: each node tells what it is, each of its ports whether its link is up, and behind
 * each such port is a node, a new one or one that is known by another way.
 */
final class Discovery {

    static final int NODE_DESCRIPTION = 0x10;
    static final int NODE_INFO = 0x11;
    static final int SWITCH_INFO = 0x12;
    static final int PORT_INFO = 0x15;

    private final SmpClient client;
    private final FoundSubnet subnet = new FoundSubnet();

    private Discovery(SmpClient client) {
        this.client = client;
    }

    /** Sweeps. @param done gets what was found */
    static void run(SmpClient client, Consumer<FoundSubnet> done) {
        Discovery discovery = new Discovery(client);
        discovery.explore(new byte[0], null);
        client.whenIdle(() -> done.accept(discovery.subnet));
    }

    private static byte[] data(Mad mad) {
        return mad.data().toArray(ValueLayout.JAVA_BYTE);
    }

    private static boolean isGood(Mad mad) {
        return mad != null && (mad.status() & ~0x8000) == Mad.OK;
    }

    /** @param from the port that the path's last hop leaves by; {@code null} for the manager's own node */
    private void explore(byte[] path, FoundPort from) {
        client.get(path, NODE_INFO, 0, mad -> {
            if (isGood(mad)) {
                arrived(data(mad), path, from);
            }
        });
    }

    private void arrived(byte[] info, byte[] path, FoundPort from) {
        FoundNode found = new FoundNode(info, path);
        FoundNode known = subnet.node(found.guid());
        FoundNode node = known == null ? found : known;
        int local = FoundNode.localPort(info);
        if (known == null) {
            subnet.add(node);
            client.get(path, NODE_DESCRIPTION, 0, mad -> {
                if (isGood(mad)) {
                    node.setDescription(mad.data());
                }
            });
            if (node.isSwitch()) {
                client.get(path, SWITCH_INFO, 0, mad -> {
                    if (isGood(mad)) {
                        node.setSwitchInfo(data(mad));
                    }
                });
                for (int number = 0; number <= node.portCount(); number++) {
                    askPort(node, path, number, node.guid(), number == local ? from : null);
                }
            }
        }
        if (!node.isSwitch() && node.port(local) == null) {
            askPort(node, path, local, FoundNode.portGuid(info), from);
        } else if (known != null && from != null && node.port(local) != null) {
            node.port(local).connect(from);
        }
    }

    private void askPort(FoundNode node, byte[] path, int number, long guid, FoundPort from) {
        client.get(path, PORT_INFO, number, mad -> {
            if (!isGood(mad)) {
                return;
            }
            FoundPort port = node.addPort(number, guid, data(mad));
            subnet.add(port);
            if (from != null) {
                port.connect(from);
            }
            // Beyond an adapter is nothing but what its own manager sees by it.
            boolean leadsOn = node.isSwitch() ? number > 0 : path.length == 0;
            if (leadsOn && !port.isDown() && port.peer() == null) {
                byte[] next = Arrays.copyOf(path, path.length + 1);
                next[path.length] = (byte) number;
                explore(next, port);
            }
        });
    }
}
