package org.rdma4j.tools.conform.peer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntBiFunction;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmEnds;
import org.rdma4j.tools.conform.check.CmPeer;
import org.rdma4j.tools.conform.check.Connection;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.OwnPeer;
import org.rdma4j.tools.conform.check.RocePeer;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Unacked;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.PortSpace;

/**
 * rdma4j's own device under test. It does what the ordinary programs do, and lets a check look inside. For one check at a
 * time.
 */
public final class BuiltInPeer implements OwnPeer, RocePeer, CmPeer {

    /** Receives that a service posts. */
    public static final int RECEIVES = 16;

    /** What the target memory is filled with at first: this seed's pattern. */
    public static final int MEMORY_SEED = 0x77;

    private static final int DEPTH = 64;

    /** Of a receive. */
    private static final int PIECES = 3;

    /** The hand-played side's, where the device's program asks for a connection. */
    private static final int SERVICE_PORT = 7471;

    private final Function<Station.Kind, Station> opener;
    private final Map<Station.Kind, Station> stations = new HashMap<>();

    /** @param opener opens a station of a kind when the first check needs it */
    public BuiltInPeer(Function<Station.Kind, Station> opener) {
        this.opener = opener;
    }

    /**
     * One whose IPv4 goes over UDP sockets at loopback addresses.
     *
     * @param addresses as many as are asked for, from 0 on
     */
    public static BuiltInPeer at(IntFunction<String> addresses) {
        return new BuiltInPeer(kind -> {
            if (kind.cable()) {
                return Station.cable(kind);
            }
            int first = kind.congestionControl() ? 2 : 0;
            return kind.ipv6()
                    ? Station.ipv6(kind)
                    : Station.udp(kind, addresses.apply(first), addresses.apply(first + 1));
        });
    }

    @Override
    public String excludes(Check check, Variant variant) {
        if (check.isFramed() && variant.ipv6()) {
            return "the frames that are made for it are IPv4's";
        }
        return null;
    }

    private Station station(Check check, Variant variant) {
        return stations.computeIfAbsent(Station.Kind.of(check, variant), opener);
    }

    @Override
    public Connection accept(Check check, Variant variant) {
        return accept(check, variant, check.setup());
    }

    /** With a queue pair that is set up in another way than the check asks for. */
    public Connection accept(Check check, Variant variant, Setup setup) {
        return connect(check, setup, variant, check.service());
    }

    @Override
    public Connection ask(Check check, Variant variant) {
        return ask(check, variant, check.setup());
    }

    /** With a queue pair that is set up in another way than the check asks for. */
    public Connection ask(Check check, Variant variant, Setup setup) {
        Connection connection = connect(check, setup, variant, Service.WRITE);
        try {
            connection.inside().post(check.work(variant.mtu()));
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private Connection connect(Check check, Setup setup, Variant variant, Service service) {
        Station station = station(check, variant);
        Line line = station.wire().open();
        MemorySegment around = Arena.ofAuto()
                .allocate(2L * Inside.GUARD + Inside.RECEIVES + RECEIVES * (long) Setup.RECEIVE_SIZE, 4096);
        around.fill(Inside.GUARD_BYTE);
        MemorySegment memory = around.asSlice(Inside.GUARD, around.byteSize() - 2L * Inside.GUARD);
        MemorySegment.copy(MemorySegment.ofArray(Pattern.of(MEMORY_SEED, Inside.TARGET)), 0, memory, 0, Inside.TARGET);
        ProtectionDomain pd = station.device().allocPd();
        MemoryRegion region = pd.register(memory, service.access() | AccessFlags.LOCAL_WRITE);
        CompletionQueue cq = station.device().createCq(2 * DEPTH);
        QueuePair qp = pd.createQp(
                QpInitAttributes.of(check.type(), cq).withDepths(DEPTH, DEPTH).withSge(1, PIECES));
        AddressHandle way = check.type() == QpType.UD
                ? pd.createAh(AhAttributes.to(station.wire().gid()))
                : null;
        Inside inside = new Inside(station.device(), pd, qp, cq, region, around, way, line.qpn());
        line.connect(station.device().queryGid(0), qp.qpNum());
        Connection connection = new Connection(
                line,
                station.pace(),
                station.timing(),
                variant.mtu(),
                variant.psn(),
                variant.psn(),
                qp.qpNum(),
                region.address(),
                region.rKey(),
                Inside.TARGET,
                setup.timeout(),
                inside,
                () -> null,
                () -> {
                    qp.close();
                    if (way != null) {
                        way.close();
                    }
                    cq.close();
                    region.close();
                    pd.close();
                });
        try {
            toRts(qp, station, line, variant, service, setup);
            int receives = setup.receives() >= 0 ? setup.receives() : service.receives() ? RECEIVES : 0;
            for (int id = 0; id < receives; id++) {
                inside.receive(id, check.receiveSize(variant.mtu()));
            }
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private static void toRts(QueuePair qp, Station station, Line line, Variant variant, Service service, Setup setup) {
        QpType type = qp.initAttributes().type();
        QpAttributes init = new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        qp.modify(type == QpType.UD ? init.qkey(Unacked.Q_KEY) : init.accessFlags(service.access()));
        QpAttributes rtr = new QpAttributes().state(QpState.RTR);
        if (type != QpType.UD) {
            rtr.av(AhAttributes.to(station.wire().gid()))
                    .pathMtu(variant.mtu())
                    .destQpNum(line.qpn())
                    .rqPsn(variant.psn());
        }
        if (type == QpType.RC) {
            rtr.maxDestRdAtomic(setup.maxDestRdAtomic()).minRnrTimer(setup.minRnrTimer());
        }
        qp.modify(rtr);
        QpAttributes rts = new QpAttributes().state(QpState.RTS).sqPsn(variant.psn());
        if (type == QpType.RC) {
            rts.timeout(setup.timeout())
                    .retryCount(setup.retries())
                    .rnrRetry(setup.rnrRetries())
                    .maxRdAtomic(setup.maxRdAtomic());
        }
        qp.modify(rts);
    }

    @Override
    public CmEnds listen(Check check, Variant variant) {
        return started(check, variant, (line, program) -> program.listen());
    }

    @Override
    public CmEnds connect(Check check, Variant variant) {
        PortSpace space = check.application().datagrams() ? PortSpace.UDP : PortSpace.TCP;
        return started(check, variant, (line, program) -> {
            line.serves(space.serviceId(SERVICE_PORT));
            program.connect(line.gid(), SERVICE_PORT);
            return SERVICE_PORT;
        });
    }

    /** @param start starts the program and tells the port */
    private CmEnds started(Check check, Variant variant, ToIntBiFunction<Line, BuiltInProgram> start) {
        Station station = station(check, variant);
        BuiltInProgram program = new BuiltInProgram(station.device(), check.application());
        Line line = station.wire().open();
        try {
            return ends(station, line, program, start.applyAsInt(line, program));
        } catch (RuntimeException e) {
            line.close();
            program.close();
            throw e;
        }
    }

    private static CmEnds ends(Station station, Line line, BuiltInProgram program, int port) {
        return new CmEnds(
                line,
                station.wire()::open,
                station.pace().attending(program::turn),
                station.timing(),
                station.device().queryGid(0),
                port,
                program,
                program::close);
    }

    @Override
    public void close() {
        stations.values().forEach(Station::close);
    }
}
