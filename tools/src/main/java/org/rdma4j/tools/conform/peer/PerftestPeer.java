package org.rdma4j.tools.conform.peer;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.cm.CmAddress;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmEnds;
import org.rdma4j.tools.conform.check.CmPeer;
import org.rdma4j.tools.conform.check.Connection;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.RocePeer;
import org.rdma4j.tools.conform.check.Role;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * A real device, used by nothing but perftest's programs: their servers are responders under test, their clients
 * requesters. Its connection manager is used by librdmacm's examples. Several checks at a time.
 */
public final class PerftestPeer implements RocePeer, CmPeer {

    /** Queue pairs that one server brings. */
    private static final int PAIRS = 24;

    private static final int TARGET = 65536;
    private static final long LOOK_NANOS = 200_000_000;
    private static final int FEWEST_ITERATIONS = 5;
    private static final int MANY_ITERATIONS = 100_000;
    private static final int RECEIVES = 64;

    /** 268 ms: more than a burst takes on the slowest machine. */
    private static final int TIMEOUT = 16;

    private final String name;
    private final String host;
    private final String tools;
    private final Starter starter;
    private final Wire wire;
    private final Timing timing;
    private final AtomicInteger nextPort;
    private final Map<String, PerftestServer> servers = new HashMap<>(); // by service and variant; its own lock
    private final Map<String, Object> locks = new HashMap<>();
    private final List<PerftestServer> all = new ArrayList<>();
    private final CmPrograms managers;

    /**
     * @param host where the programs' TCP ports are
     * @param tools options that name the device: {@code -d rxe0 -x 1}
     * @param firstPort the TCP ports used are this one and those above
     */
    public PerftestPeer(
            String name, String host, String tools, Starter starter, Wire wire, Timing timing, int firstPort) {
        this.name = name;
        this.host = host;
        this.tools = tools;
        this.starter = starter;
        this.wire = wire;
        this.timing = timing;
        this.nextPort = new AtomicInteger(firstPort);
        this.managers = new CmPrograms(starter, wire, timing, Gid.of(CmAddress.of(host)), nextPort);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int tries() {
        return 3;
    }

    @Override
    public String excludes(Check check, Variant variant) {
        if (check.needs() != null) {
            return "looks inside of the peer (" + check.needs() + "), which an ordinary program does not show";
        }
        if (!check.setup().isStock()) {
            return "needs a queue pair that is set up as no ordinary program does";
        }
        if (check.role() == Role.RESPONDER && check.service() == Service.ALL) {
            return "needs rights that no ordinary program gives together";
        }
        if (check.isFramed() && wire.outlet() == null) {
            return "needs an interface that whole frames may leave by (--frames)";
        }
        if (check.isFramed() && variant.ipv6()) {
            return "the frames that are made for it are IPv4's";
        }
        if (variant.ipv6() == wire.gid().isIpv4()) {
            return "the way to this peer is " + (variant.ipv6() ? "IPv4" : "IPv6");
        }
        return null;
    }

    @Override
    public Connection accept(Check check, Variant variant) {
        boolean alone = check.isWearing() || check.type() != QpType.RC; // it ends it, or looks at what the program does
        PerftestServer server = alone ? start(check, variant, 1) : null;
        PerftestServer.Pair pair = alone ? server.take() : pooled(check, variant);
        if (pair == null) {
            throw new Outcome.Inconclusive("the peer's " + check.tool() + " has ended");
        }
        if (check.isFramed()) {
            requireStation(() -> {
                pair.line().close();
                if (alone) {
                    server.close();
                }
            });
        }
        KeyRecord keys = pair.keys();
        return new Connection(
                pair.line(),
                Pace.REAL,
                timing,
                variant.mtu(),
                variant.psn(),
                keys.psn(),
                keys.qpn(),
                keys.address(),
                keys.rKey(),
                size(check, variant),
                TIMEOUT,
                null,
                () -> pair.program().failure(),
                () -> {
                    if (alone) {
                        server.close(); // one of latencies polls its queues for ever
                    }
                });
    }

    /** Its server has been spoken with by now, so the kernel knows its station if it can be reached by frames at all. */
    private void requireStation(Runnable otherwise) {
        try {
            wire.outlet().remote();
        } catch (ToolException e) {
            otherwise.run();
            throw new Outcome.Inconclusive(e.getMessage());
        }
    }

    /** Bytes of the messages of its program, and of the memory that it tells of. */
    private static int size(Check check, Variant variant) {
        return switch (check.type()) {
            case UC -> Setup.RECEIVE_SIZE;
            case UD -> variant.mtu();
            default -> TARGET;
        };
    }

    private PerftestServer.Pair pooled(Check check, Variant variant) {
        String key = check.service() + " " + variant;
        synchronized (lock(key)) {
            PerftestServer server = server(key);
            PerftestServer.Pair pair = server == null ? null : server.take();
            if (pair == null) {
                PerftestServer fresh = start(check, variant, PAIRS);
                synchronized (servers) {
                    servers.put(key, fresh);
                }
                pair = fresh.take();
            }
            return pair;
        }
    }

    /** Who waits for a server to start holds up nobody who needs another one. */
    private Object lock(String key) {
        synchronized (servers) {
            return locks.computeIfAbsent(key, any -> new Object());
        }
    }

    private PerftestServer server(String key) {
        synchronized (servers) {
            return servers.get(key);
        }
    }

    private PerftestServer start(Check check, Variant variant, int pairs) {
        int port = nextPort.getAndIncrement();
        boolean acknowledges = check.type() == QpType.RC;
        Program program = starter.start(check.tool() + " " + tools + " -p " + port
                + (acknowledges ? " -q " + pairs : "") + " -m " + variant.mtu() + messages(check, variant));
        try {
            boolean waits = check.service() == Service.SEND || !acknowledges;
            PerftestServer server = new PerftestServer(program, host, port, wire, variant, pairs, waits);
            synchronized (servers) {
                all.add(server);
            }
            return server;
        } catch (ToolException | UncheckedIOException e) {
            program.close();
            throw new Outcome.Inconclusive(
                    check.tool() + " did not come up: " + e.getMessage() + " " + program.output());
        }
    }

    private static String messages(Check check, Variant variant) {
        if (check.type() != QpType.RC) {
            return " -s " + size(check, variant) + " -n " + MANY_ITERATIONS
                    + (check.service() == Service.SEND ? " -e -r " + RECEIVES : "");
        }
        return switch (check.service()) {
            case SEND -> " -s " + Setup.RECEIVE_SIZE + " -r " + RECEIVES + " -n " + MANY_ITERATIONS;
            case ATOMIC -> " -n " + FEWEST_ITERATIONS;
            case WRITE, READ, ALL -> " -s " + TARGET + " -n " + FEWEST_ITERATIONS;
        };
    }

    @Override
    public Connection ask(Check check, Variant variant) {
        Work work = check.work(variant.mtu());
        Line line = wire.open();
        try (ExchangeListener listener = ExchangeListener.listen(0)) {
            String size =
                    work.op() == Work.Op.FETCH_ADD || work.op() == Work.Op.COMPARE_SWAP ? "" : " -s " + work.size();
            Program program = starter.start(check.tool() + " " + tools + " -p " + listener.port() + size + " -n "
                    + Math.max(FEWEST_ITERATIONS, work.count()) + " -t " + work.count() + " -u " + TIMEOUT + " -m "
                    + variant.mtu() + " "
                    + IpText.of(wire.gid().toAddress()));
            PerftestClient client = client(program, listener, line, check, variant);
            return new Connection(
                    line,
                    Pace.REAL,
                    timing,
                    variant.mtu(),
                    variant.psn(),
                    client.keys().psn(),
                    client.keys().qpn(),
                    0,
                    0,
                    0,
                    TIMEOUT,
                    null,
                    client::failure,
                    client::close);
        } catch (RuntimeException e) {
            line.close();
            throw e;
        }
    }

    private PerftestClient client(Program program, ExchangeListener listener, Line line, Check check, Variant variant) {
        AtomicBoolean connected = new AtomicBoolean();
        Thread.ofVirtual().start(() -> giveUp(program, listener, connected));
        try {
            PerftestClient client =
                    new PerftestClient(program, listener, wire, line, check.work(variant.mtu()), variant);
            connected.set(true);
            return client;
        } catch (ToolException | UncheckedIOException e) {
            connected.set(true);
            program.close();
            throw new Outcome.Inconclusive(
                    check.tool() + " did not come up: " + e.getMessage() + " " + program.output());
        }
    }

    /** A program that ends before it has connected never will. */
    private static void giveUp(Program program, ExchangeListener listener, AtomicBoolean connected) {
        while (!connected.get()) {
            if (!program.isAlive()) {
                listener.close();
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public CmEnds listen(Check check, Variant variant) {
        return managers.listen(check);
    }

    @Override
    public CmEnds connect(Check check, Variant variant) {
        return managers.connect(check);
    }

    @Override
    public void close() {
        managers.close();
        all.forEach(PerftestServer::close);
        wire.close();
    }
}
