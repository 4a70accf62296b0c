package org.rdma4j.ibsim.ethernet;

import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.topology.Topologies;

class Scratch0Test {
    @Test
    void look() {
        String topo = System.getProperty("topo", "star:17");
        RoceSettings base = RoceSettings.defaults().withPortBuffer(Integer.getInteger("pb", 128 << 10));
        for (RoceSettings s : new RoceSettings[] {
            base,
            base.withPfc(true),
            base.withEcn(true).withDcqcn(true),
            base.withPfc(true).withEcn(true).withDcqcn(true)
        }) {
            Fabric plan = new Fabric(1);
            Topologies.build(topo, plan);
            long t = System.nanoTime();
            try (RoceRun run = new RoceRun(plan, s, 1)) {
                if (Boolean.getBoolean("victim")) run.traffic().victim(Long.getLong("bytes", 4 << 20));
                else run.traffic().incast(Long.getLong("bytes", 4 << 20));
                run.traffic().run(5_000_000_000_000L);
                RoceFigures f = run.figures();
                System.out.println("pfc " + s.pfc() + " ecn " + s.ecn() + " "
                        + f.toString().replaceAll("flows=.*", "") + " Gb/s " + f.gigabits() + " wall "
                        + (System.nanoTime() - t) / 1e9 + " hops "
                        + run.fabric().hops());
                System.out.println(
                        f.flows().getFirst() + " " + f.flows().getFirst().gigabits() + " "
                                + f.flows().getLast() + f.flows().getLast().gigabits());
            }
        }
    }
}
