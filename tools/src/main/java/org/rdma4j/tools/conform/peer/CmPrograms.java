package org.rdma4j.tools.conform.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmEnds;
import org.rdma4j.tools.conform.check.Heard;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PortSpace;

/** A real peer's connection manager, used by nothing but librdmacm's examples: ucmatose and udaddy. */
final class CmPrograms implements AutoCloseable {

    /** The one that udaddy knows. */
    private static final int DATAGRAM_PORT = 7174;

    private static final long PATIENCE = 30_000_000_000L;

    /** A server that runs, and the port that it listens at. */
    private record Server(Program program, int port) {}

    private final Starter starter;
    private final Wire wire;
    private final Timing timing;
    private final Gid peer;
    private final AtomicInteger nextPort;
    private final Semaphore datagramClient = new Semaphore(1); // they all ask the same port
    private final Map<Application, Server> servers = new HashMap<>();
    private final List<Program> all = new ArrayList<>();

    /** @param nextPort gives each server, and each service of ours, a port */
    CmPrograms(Starter starter, Wire wire, Timing timing, Gid peer, AtomicInteger nextPort) {
        this.starter = starter;
        this.wire = wire;
        this.timing = timing;
        this.peer = peer;
        this.nextPort = nextPort;
    }

    CmEnds listen(Check check) {
        Application application = check.application();
        require(application);
        if (check.isWearing()) {
            Server worn = start(application);
            return ends(wire.open(), worn.port(), new ProgramEvents(worn.program()), worn.program()::close);
        }
        int port = server(application).port(); // first: where it does not come up no line is left open
        return ends(wire.open(), port, Heard.NOTHING, () -> {});
    }

    private static void require(Application application) {
        if (application.tool().isEmpty()) {
            throw new Outcome.NotApplicable("needs a program that does what no ordinary one does");
        }
    }

    private synchronized Server server(Application application) {
        Server server = servers.get(application);
        if (server == null || !server.program().isAlive()) {
            server = start(application);
            servers.put(application, server);
        }
        return server;
    }

    private Server start(Application application) {
        int port = application.datagrams() ? DATAGRAM_PORT : nextPort.getAndIncrement();
        // One more than it is for: the knock is a connection too.
        String tool =
                application.tool().replace("-c " + application.connections(), "-c " + (application.connections() + 1));
        Program program =
                started(tool + " -b " + IpText.of(peer.toAddress()) + (application.datagrams() ? "" : " -p " + port));
        try (Line line = wire.open()) {
            if (!CmKnock.at(line, peer, port, application.datagrams(), program, PATIENCE)) {
                program.close();
                throw new Outcome.Inconclusive(tool + " did not come up: " + program.output());
            }
        }
        return new Server(program, port);
    }

    private Program started(String command) {
        Program program = starter.start(command);
        synchronized (all) {
            all.add(program);
        }
        return program;
    }

    CmEnds connect(Check check) {
        Application application = check.application();
        require(application);
        if (application.datagrams()) {
            datagramClient.acquireUninterruptibly();
        }
        try {
            return connect(application);
        } catch (RuntimeException e) {
            release(application);
            throw e;
        }
    }

    private void release(Application application) {
        if (application.datagrams()) {
            datagramClient.release();
        }
    }

    private CmEnds connect(Application application) {
        int port = application.datagrams() ? DATAGRAM_PORT : nextPort.getAndIncrement();
        Line line = wire.open();
        try {
            return connect(application, port, line);
        } catch (RuntimeException e) {
            line.close();
            throw e;
        }
    }

    private CmEnds connect(Application application, int port, Line line) {
        line.serves((application.datagrams() ? PortSpace.UDP : PortSpace.TCP).serviceId(port));
        Program program = started(application.tool() + " -s "
                + IpText.of(wire.gid().toAddress()) + (application.datagrams() ? "" : " -p " + port));
        return ends(line, port, new ProgramEvents(program), () -> {
            program.close();
            release(application);
        });
    }

    private CmEnds ends(Line line, int port, Heard heard, Runnable end) {
        return new CmEnds(line, wire::open, Pace.REAL, timing, peer, port, heard, end);
    }

    @Override
    public void close() {
        all.forEach(Program::close);
    }
}
