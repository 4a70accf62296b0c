package org.rdma4j.tools.sim;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.sa.SubnetAdministrator;
import org.rdma4j.ibsim.sm.RouteEngine;
import org.rdma4j.ibsim.sm.SmOptions;
import org.rdma4j.ibsim.sm.SubnetManager;

/** Brings a fabric up by a subnet manager at its first host, packet by packet. */
final class BringUp {

    private static final long LIMIT = 60_000_000_000_000L;

    /** Above the numbers of programs that come by the door. */
    private static final int OWNER = 60_000;

    private BringUp() {}

    /** As the command line spells it: {@code up-down}. */
    static RouteEngine routes(String name) {
        for (RouteEngine engine : RouteEngine.values()) {
            if (spelled(engine).equals(name)) {
                return engine;
            }
        }
        throw new TopologyException("\"" + name + "\" is no way to lead routes; there are "
                + Arrays.stream(RouteEngine.values()).map(BringUp::spelled).collect(Collectors.joining(", ")));
    }

    private static String spelled(RouteEngine engine) {
        return engine.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Starts a manager that works as the fabric's time goes on. */
    static SubnetManager start(Fabric fabric, Agents agents, RouteEngine routes) {
        SubnetManager manager = new SubnetManager(
                agents, OWNER, firstHost(fabric), SmOptions.defaults().withRoutes(routes));
        SubnetAdministrator.of(manager);
        manager.start();
        return manager;
    }

    /** @return ps until all was up */
    static long run(Fabric fabric, RouteEngine routes) {
        SubnetManager manager = start(fabric, new Agents(fabric), routes);
        while (!manager.isUp() && fabric.events().next() <= LIMIT) {
            fabric.events().step();
        }
        if (!manager.isUp()) {
            throw new TopologyException("the subnet manager at " + manager.port() + " has not brought the subnet up");
        }
        return fabric.events().now();
    }

    private static Port firstHost(Fabric fabric) {
        for (Node node : fabric.nodes()) {
            if (node instanceof ChannelAdapter adapter && adapter.port(1).peer() != null) {
                return adapter.port(1);
            }
        }
        throw new TopologyException("a subnet manager needs a host with a cable");
    }
}
