package org.rdma4j.tools.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.WireArgument;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.PortSpace;
import picocli.CommandLine;

/** {@code rping}: its options, its messages, its lines. */
@CommandLine.Command(
        name = "rping",
        mixinStandardHelpOptions = false,
        description = {
            "Pings over a connection made by rdma_cm, with SENDs, a READ and a WRITE each time, as rping does and with it.",
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `rping -s -v`",
            "  rdma4j rping -c -a 10.0.0.2 -C 10 -v -V"
        })
public final class RpingCommand implements Callable<Integer> {

    private static final int LEAST_SIZE = 18;
    private static final int MOST_SIZE = 0xFFFF;

    @CommandLine.ArgGroup(multiplicity = "1")
    private Role role;

    /** Which end it is. */
    static final class Role {
        @CommandLine.Option(names = "-s", required = true, description = "Be the server.")
        private boolean server;

        @CommandLine.Option(names = "-c", required = true, description = "Be the client.")
        boolean client;
    }

    @CommandLine.Option(
            names = "-a",
            paramLabel = "ADDR",
            description = "Client: the server's address. Server: the address to listen at.")
    private String address;

    @CommandLine.Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7174",
            description = "Port of the TCP port space (default: ${DEFAULT-VALUE}).")
    private int port;

    @CommandLine.Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "0",
            description = "Pings; 0 is without end (default: ${DEFAULT-VALUE}).")
    private int count;

    @CommandLine.Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Bytes a ping, 18 to 65535 (default: ${DEFAULT-VALUE}).")
    private int size;

    @CommandLine.Option(names = "-v", description = "Print what is received.")
    private boolean verbose;

    @CommandLine.Option(names = "-V", description = "Client: check what comes back.")
    private boolean validate;

    @CommandLine.Option(names = "-d", description = "Tell each step.")
    private boolean debug;

    @CommandLine.Option(names = "-P", description = "Server: serve any number of clients, until it is ended.")
    private boolean persistent;

    @CommandLine.Option(
            names = "--ib-dev",
            paramLabel = "DEVICE",
            description = "The device, such as roce2:10.0.0.1. Default: the one that has or reaches ADDR.")
    private String device;

    @CommandLine.Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @CommandLine.Mixin
    private WireArgument wire;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Ranges.check(spec, "-S", size, LEAST_SIZE, MOST_SIZE);
        Ranges.check(spec, "-p", port, 1, 0xFFFF);
        Ranges.check(spec, "-C", count, 0, Integer.MAX_VALUE);
        RpingSettings settings = new RpingSettings(
                size, count, verbose, validate, debug, spec.commandLine().getOut());
        if (role.server) {
            serve(settings);
        } else {
            ping(settings);
        }
        return ExitStatus.SUCCESS;
    }

    private void ping(RpingSettings settings) {
        if (address == null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "a client needs -a, the server's address");
        }
        InetAddress server = CmAddress.of(address);
        String name = device == null ? DeviceArgument.towards(server) : device;
        try (DeviceArgument.OpenDevice opened = wire.open(name, Progress.THREAD);
                RpingConnection connection = new RpingConnection(
                        CmEnd.towards(opened.context(), PortSpace.TCP, new InetSocketAddress(server, port), 0),
                        settings)) {
            connection.ping();
        }
    }

    private void serve(RpingSettings settings) {
        String name = device == null ? CmAddress.serving(address) : device;
        try (DeviceArgument.OpenDevice opened = wire.open(name, Progress.THREAD);
                CmEnd listener = listen(opened.context())) {
            settings.print("listening at %s", CmAddress.text(listener.id().localAddress()));
            do {
                CmEvent request = listener.expect(CmEventType.CONNECT_REQUEST);
                if (persistent) {
                    Thread.ofVirtual().start(() -> serveOne(request, settings));
                } else {
                    answer(request, settings);
                }
            } while (persistent);
        }
    }

    private CmEnd listen(DeviceContext context) {
        return CmEnd.listening(context, PortSpace.TCP, port, 0);
    }

    private static void answer(CmEvent request, RpingSettings settings) {
        try (CmEnd end = CmEnd.of(request);
                RpingConnection connection = new RpingConnection(end, settings)) {
            connection.answer();
        }
    }

    /** One client's trouble is none of the next one's. */
    private void serveOne(CmEvent request, RpingSettings settings) {
        try {
            answer(request, settings);
        } catch (ToolException | CmException | VerbsException e) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
        }
    }
}
