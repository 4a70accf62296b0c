package org.rdma4j.tools.conform.iwarp.peer;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.iwarp.IwarpPeer;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.Session;
import org.rdma4j.tools.conform.iwarp.Strand;
import org.rdma4j.tools.conform.iwarp.Strands;
import org.rdma4j.tools.conform.peer.Program;
import org.rdma4j.tools.conform.peer.Starter;
import org.rdma4j.wire.IpText;

/**
 * A real iWARP device, used by nothing but rping: its server, which takes any number of connections, is the side that is
 * asked; its client is the one that asks. Several checks at a time.
 */
public final class RpingPeer implements IwarpPeer {

    /** Bytes of the server's buffer. */
    private static final int BUFFER = 20_000;

    private static final int ATTEMPTS = 3;

    /** Requests that wait at rping's listener: one more is rejected. */
    private static final int BACKLOG = 3;

    private static final long PATIENCE = 60_000_000_000L;
    private static final long LOOK_NANOS = 100_000_000;

    /** Until the probe's connection is forgotten. */
    private static final long SETTLED_NANOS = 500_000_000;

    private final String name;
    private final InetAddress host;
    private final Starter starter;
    private final Strands strands;
    private final InetAddress local;
    private final Timing timing;
    private final List<Program> programs = new ArrayList<>(); // its own lock
    private final Semaphore turns = new Semaphore(BACKLOG);
    private Program server;
    private int port;
    private int lastPort;

    /**
     * @param local this side's address
     * @param firstPort the servers' ports are this one and those above
     */
    public RpingPeer(
            String name,
            InetAddress host,
            Starter starter,
            Strands strands,
            InetAddress local,
            Timing timing,
            int firstPort) {
        this.name = name;
        this.host = host;
        this.starter = starter;
        this.strands = strands;
        this.local = local;
        this.timing = timing;
        this.lastPort = firstPort - 1;
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
        if (variant.mpa() != null && !variant.mpa().enhanced()) {
            return "rping READs, and without revision 2 of MPA the two sides cannot agree on how many";
        }
        return null;
    }

    @Override
    public Session call(IwarpSetup setup) {
        turns.acquireUninterruptibly();
        try {
            return session(reach(), turns::release);
        } catch (RuntimeException e) {
            turns.release();
            throw e;
        }
    }

    private Session session(Strand strand, Runnable end) {
        return new Session(strand, false, Pace.REAL, timing, new RpingApplication(BUFFER), null, end);
    }

    /**
     * A connection to a server. rping's listens no more once a client has gone before it was accepted, which some checks do:
     * then another one is started.
     */
    private Strand reach() {
        UncheckedIOException trouble = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            InetSocketAddress at = server();
            try {
                return strands.call(at);
            } catch (UncheckedIOException e) {
                trouble = e;
                retire(at);
            }
        }
        throw trouble;
    }

    @Override
    public Session callAlone(IwarpSetup setup) {
        Program own;
        int at;
        synchronized (programs) {
            at = ++lastPort;
            own = start(at);
        }
        try {
            return session(strands.call(new InetSocketAddress(host, at)), own::close);
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }

    private void retire(InetSocketAddress at) {
        synchronized (programs) {
            if (at.getPort() == port) {
                server = null; // it may still serve connections that it has
            }
        }
    }

    /** Where a server waits; another one is started where there is none, or none any more. */
    private InetSocketAddress server() {
        synchronized (programs) {
            if (server == null || !server.isAlive()) {
                port = ++lastPort;
                server = start(port);
            }
            return new InetSocketAddress(host, port);
        }
    }

    /** A server that listens. */
    private Program start(int at) {
        Program program = starter.start("rping -s -P -S " + BUFFER + " -a " + IpText.of(host) + " -p " + at);
        programs.add(program);
        await(program, at);
        return program;
    }

    /** It is there once it takes a connection. */
    private void await(Program program, int at) {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Strand probe = strands.call(new InetSocketAddress(host, at))) {
                probe.reset();
                LockSupport.parkNanos(SETTLED_NANOS);
                return;
            } catch (UncheckedIOException e) {
                if (System.nanoTime() > end || !program.isAlive()) {
                    throw new Outcome.Inconclusive("rping did not come up: " + e.getMessage() + " " + program.output());
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    @Override
    public Session answer(IwarpSetup setup) {
        try (Strands.Door door = strands.open()) {
            Program client = starter.start("rping -c -C 1 -a " + IpText.of(local) + " -p "
                    + door.address().getPort());
            synchronized (programs) {
                programs.add(client);
            }
            Strand strand = Pace.REAL.await(door::poll, PATIENCE);
            if (strand == null) {
                client.close();
                throw new Outcome.Inconclusive("rping did not connect: " + client.output());
            }
            return new Session(strand, true, Pace.REAL, timing, new RpingApplication(BUFFER), null, client::close);
        }
    }

    @Override
    public void close() {
        synchronized (programs) {
            programs.forEach(Program::close);
        }
    }
}
