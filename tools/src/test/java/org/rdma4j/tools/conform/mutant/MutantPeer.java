package org.rdma4j.tools.conform.mutant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.rdma4j.link.Link;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmEnds;
import org.rdma4j.tools.conform.check.CmPeer;
import org.rdma4j.tools.conform.check.Connection;
import org.rdma4j.tools.conform.check.RocePeer;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.CableEnd;
import org.rdma4j.tools.conform.craft.FrameOutlet;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.conform.peer.BuiltInPeer;
import org.rdma4j.tools.conform.peer.Station;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.Gid;

/** rdma4j's device as a mutant, in virtual time: nothing is waited for, and every run goes the same way. */
final class MutantPeer implements RocePeer, CmPeer {

    /** A quiet time is shorter than the ACK timeout; an answer that is late may be a resend. */
    private static final Timing TIMING = new Timing(300_000_000L, 20_000_000L, 1_000_000L);

    private final BuiltInPeer device;
    private final Mutant mutant;
    private final Map<Station.Kind, TamperedLink> links = new HashMap<>();
    private final List<Wire> wires = new ArrayList<>();

    MutantPeer(Mutant mutant) {
        this.mutant = mutant;
        this.device = new BuiltInPeer(this::station);
    }

    private Station station(Station.Kind kind) {
        if (kind.ipv6()) {
            throw new AssertionError("mutants are run over IPv4");
        }
        if (kind.cable()) {
            CableEnd[] ends = CableEnd.pair();
            return station(kind, ends[0].link(), ends[1].link(), ends[1].outlet());
        }
        LoopNetwork network = new LoopNetwork();
        return station(kind, network.join(Gid.ofIpv4(0x0A00_0001)), network.join(Gid.ofIpv4(0x0A00_0002)), null);
    }

    /** @param outlet of the hand-played side; {@code null} for none */
    private Station station(Station.Kind kind, Link far, Link near, FrameOutlet outlet) {
        VirtualPace pace = new VirtualPace();
        Random random = new Random(0x5EED);
        TamperedLink link = new TamperedLink(near);
        links.put(kind, link);
        Wire wire = new Wire(link, pace::now).framing(outlet == null ? null : link.outlet(outlet));
        wires.add(wire);
        DeviceContext context = DeviceContext.on(
                far,
                kind.options()
                        .withProgress(Progress.CALLER)
                        .withClock(pace::now)
                        .withRandom(random::nextInt));
        pace.drives(wire::turn);
        pace.drives(context::progress);
        return new Station(context, wire, pace, TIMING);
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
    public Connection accept(Check check, Variant variant) {
        Connection connection = device.accept(check, variant, setup(check));
        return mutated(check, variant, connection, connection.line().qpn());
    }

    @Override
    public Connection ask(Check check, Variant variant) {
        Connection connection = device.ask(check, variant, setup(check));
        return mutated(check, variant, connection, connection.line().qpn());
    }

    @Override
    public CmEnds listen(Check check, Variant variant) {
        CmEnds ends = device.listen(check, variant);
        return mutated(check, variant, ends, ends.line().qpn());
    }

    @Override
    public CmEnds connect(Check check, Variant variant) {
        CmEnds ends = device.connect(check, variant);
        return mutated(check, variant, ends, ends.line().qpn());
    }

    /** What checks have left behind. */
    int openLines() {
        return wires.stream().mapToInt(Wire::openLines).sum();
    }

    private Setup setup(Check check) {
        return mutant.setup().apply(check.setup());
    }

    private <C> C mutated(Check check, Variant variant, C connection, int lineQpn) {
        links.get(Station.Kind.of(check, variant)).tamper(mutant.tamper().get(), lineQpn);
        return connection;
    }

    @Override
    public void close() {
        device.close();
    }
}
