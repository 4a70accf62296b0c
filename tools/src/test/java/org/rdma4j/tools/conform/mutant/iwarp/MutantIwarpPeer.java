package org.rdma4j.tools.conform.mutant.iwarp;

import java.util.Random;
import org.rdma4j.iwarp.memory.Hub;
import org.rdma4j.iwarp.memory.MemoryDevices;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.iwarp.IwarpPeer;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.Session;
import org.rdma4j.tools.conform.iwarp.peer.BuiltInIwarpPeer;
import org.rdma4j.tools.conform.iwarp.peer.StreamStation;
import org.rdma4j.tools.conform.mutant.VirtualPace;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;

/** rdma4j's iWARP device as a mutant, in virtual time: nothing is waited for, and every run goes the same way. */
final class MutantIwarpPeer implements IwarpPeer {

    private static final Timing TIMING = new Timing(300_000_000L, 20_000_000L, 1_000_000L);

    private final IwarpMutant mutant;
    private final BuiltInIwarpPeer device = new BuiltInIwarpPeer(this::station);

    MutantIwarpPeer(IwarpMutant mutant) {
        this.mutant = mutant;
    }

    private StreamStation station() {
        Hub hub = new Hub();
        VirtualPace pace = new VirtualPace();
        Random random = new Random(0x5EED);
        MemoryNetwork near = new MemoryNetwork(hub, "10.0.0.2");
        DeviceContext context = MemoryDevices.open(
                new MemoryNetwork(hub, "10.0.0.1"),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(pace::now)
                        .withRandom(random::nextInt));
        pace.drives(() -> near.poll(pace.now()));
        pace.drives(context::progress);
        return new StreamStation(
                context,
                new MemoryStrands(near, pace::now, () -> mutant.tamper().get()),
                pace,
                TIMING);
    }

    @Override
    public String name() {
        return mutant.toString();
    }

    @Override
    public String excludes(Check check, Variant variant) {
        return null;
    }

    @Override
    public Session call(IwarpSetup setup) {
        return device.call(mutant.setup().apply(setup));
    }

    @Override
    public Session answer(IwarpSetup setup) {
        return device.answer(mutant.setup().apply(setup));
    }

    @Override
    public void close() {
        device.close();
    }
}
