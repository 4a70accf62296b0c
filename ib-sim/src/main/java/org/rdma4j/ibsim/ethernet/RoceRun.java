package org.rdma4j.ibsim.ethernet;

import java.util.List;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.traffic.Traffic;

/** Traffic on a RoCE fabric: the fabric, a host on each of its adapters, and what came of it. */
public final class RoceRun implements AutoCloseable {

    private final RoceFabric fabric;
    private final List<RoceHost> hosts;
    private final Traffic traffic;

    /**
     * @param plan the fabric's shape
     * @param seed of all that happens by chance
     * @throws TopologyException where the shape and the settings do not go together
     */
    public RoceRun(Fabric plan, RoceSettings settings, long seed) {
        fabric = RoceFabric.like(plan, settings, seed);
        hosts = fabric.hosts().stream()
                .filter(adapter -> adapter.port(1).peer() != null)
                .map(adapter -> RoceHost.on(adapter, seed + adapter.index()))
                .toList();
        if (hosts.stream().noneMatch(host -> host.adapter().port(1).peer().node() instanceof EthernetSwitch)) {
            throw new TopologyException("a RoCE fabric has a switch; hosts that are cabled to each other have none");
        }
        traffic = new Traffic(hosts, fabric.events());
    }

    public RoceFabric fabric() {
        return fabric;
    }

    /** To be started by one of its patterns, and run. */
    public Traffic traffic() {
        return traffic;
    }

    public RoceFigures figures() {
        return RoceFigures.of(fabric, hosts, traffic);
    }

    @Override
    public void close() {
        traffic.close();
    }
}
