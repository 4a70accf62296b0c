package org.rdma4j.tools.conform.iwarp.peer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.OwnPeer;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.tools.conform.iwarp.IwarpInside;
import org.rdma4j.tools.conform.iwarp.IwarpPeer;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.Life;
import org.rdma4j.tools.conform.iwarp.Session;
import org.rdma4j.tools.conform.iwarp.Strand;
import org.rdma4j.tools.conform.iwarp.Strands;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;

/** rdma4j's own iWARP device under test, which lets a check look inside. For one check at a time. */
public final class BuiltInIwarpPeer implements OwnPeer, IwarpPeer {

    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private static final int DEPTH = 64;

    private final Supplier<StreamStation> maker;
    private StreamStation station;

    public BuiltInIwarpPeer(Supplier<StreamStation> maker) {
        this.maker = maker;
    }

    /** One over TCP at these loopback addresses. */
    public static BuiltInIwarpPeer at(String deviceAddress, String strandAddress) {
        return new BuiltInIwarpPeer(() -> StreamStation.loopback(deviceAddress, strandAddress));
    }

    @Override
    public String excludes(Check check, Variant variant) {
        return null;
    }

    private StreamStation station() {
        station = station == null ? maker.get() : station;
        return station;
    }

    @Override
    public Session call(IwarpSetup setup) {
        Site site = new Site(station(), setup);
        IwarpConnections iwarp = site.iwarp();
        IwarpListener[] listener = new IwarpListener[1];
        site.device().control(() -> {
            MpaSettings before = iwarp.settings();
            iwarp.settings(setup.mpa().apply(before).withDepths(setup.ird(), setup.ord()));
            InetSocketAddress any =
                    new InetSocketAddress(site.device().queryGid(0).toAddress(), 0);
            listener[0] = iwarp.listen(any, 1, site.life);
            iwarp.settings(before);
        });
        Runnable end = () -> {
            site.device().control(listener[0]::close);
            site.close();
        };
        try {
            return session(site, station.strands().call(listener[0].local()), false, setup, end);
        } catch (RuntimeException e) {
            end.run();
            throw e;
        }
    }

    @Override
    public Session answer(IwarpSetup setup) {
        Site site = new Site(station(), setup);
        try (Strands.Door door = station.strands().open()) {
            site.device().control(() -> {
                ConnectParameters wanted = ConnectParameters.of(new byte[0], setup.ird(), setup.ord())
                        .withSettings(setup.mpa().apply(site.iwarp().settings()));
                site.iwarp().connect(null, door.address(), site.qp.qpNum(), wanted, site.life);
            });
            Strand strand = station.pace().await(door::poll, station.timing().answer());
            if (strand == null) {
                site.close();
                throw new Outcome.Inconclusive("the peer did not connect");
            }
            return session(site, strand, true, setup, site::close);
        }
    }

    private Session session(Site site, Strand strand, boolean isAsked, IwarpSetup setup, Runnable end) {
        return new Session(
                strand,
                isAsked,
                station.pace(),
                station.timing(),
                new OpenApplication(site.inside, setup),
                new IwarpInside(site.inside, site.life, site.channel),
                end);
    }

    /** A queue pair with its memory, for one connection. */
    private static final class Site implements AutoCloseable {

        private final Inside inside;
        private final QueuePair qp;
        private final Life life;
        private final CompletionChannel channel;

        Site(StreamStation station, IwarpSetup setup) {
            MemorySegment around = Arena.ofAuto()
                    .allocate(
                            2L * Inside.GUARD + Inside.RECEIVES + setup.receives() * (long) IwarpSetup.RECEIVE_SIZE,
                            4096);
            around.fill(Inside.GUARD_BYTE);
            MemorySegment memory = around.asSlice(Inside.GUARD, around.byteSize() - 2L * Inside.GUARD);
            MemorySegment.copy(
                    MemorySegment.ofArray(Pattern.of(IwarpScene.MEMORY_SEED, Inside.TARGET)),
                    0,
                    memory,
                    0,
                    Inside.TARGET);
            ProtectionDomain pd = station.device().allocPd();
            MemoryRegion region = pd.register(memory, ACCESS);
            channel = station.device().createCompletionChannel();
            CompletionQueue cq = station.device().createCq(2 * DEPTH, channel);
            qp = pd.createQp(QpInitAttributes.rc(cq).withDepths(DEPTH, DEPTH));
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
            inside = new Inside(station.device(), pd, qp, cq, region, around, null, 0);
            for (int id = 0; id < setup.receives(); id++) {
                inside.receive(id, IwarpSetup.RECEIVE_SIZE);
            }
            life = new Life(qp.qpNum(), setup);
        }

        DeviceContext device() {
            return inside.device();
        }

        IwarpConnections iwarp() {
            return device().family(IwarpConnections.class).orElseThrow();
        }

        @Override
        public void close() {
            qp.close();
            inside.cq().close();
            channel.close();
            inside.region().close();
            inside.pd().close();
        }
    }

    @Override
    public void close() {
        if (station != null) {
            station.device().close();
        }
    }
}
