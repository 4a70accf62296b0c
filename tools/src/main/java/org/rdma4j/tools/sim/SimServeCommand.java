package org.rdma4j.tools.sim;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.concurrent.Callable;
import org.rdma4j.ibsim.door.Door;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Stands in for ibsim. */
@CommandLine.Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Stands in for ibsim: OpenSM and the InfiniBand diagnostics find the fabric.",
            "They run unchanged with LD_PRELOAD=libumad2sim.so and IBSIM_SERVER_NAME and IBSIM_SERVER_PORT in",
            "their environment; SIM_HOST names the node that they sit at. Their datagrams cross the fabric as",
            "packets. Commands come on standard input; help lists them."
        },
        footer = {
            "",
            "Example:",
            "  rdma4j sim serve fat-tree:4 -p 7070",
            "  IBSIM_SERVER_NAME=127.0.0.1 IBSIM_SERVER_PORT=7070 LD_PRELOAD=libumad2sim.so opensm"
        })
public final class SimServeCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private FabricOptions fabricOptions;

    @CommandLine.Option(
            names = {"-p", "--port"},
            description = "UDP port for control; the ports behind it are the programs' (default: ${DEFAULT-VALUE}).")
    private int port = Door.DEFAULT_PORT;

    @CommandLine.Option(
            names = {"-a", "--address"},
            description = "The address to listen at (default: ${DEFAULT-VALUE}).")
    private String address = "127.0.0.1";

    @CommandLine.Option(
            names = "--sm",
            arity = "0..1",
            fallbackValue = "auto",
            paramLabel = "ROUTES",
            description = {
                "With a subnet manager of its own at the first host, and routes of the kind auto, min-hop or up-down.",
                "An OpenSM that comes in stands by, or is handed over to where its priority is higher."
            })
    private String manager;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Ranges.check(spec, "--port", port, 1, 65_535);
        Fabric fabric = fabricOptions.build();
        Agents agents = new Agents(fabric);
        startManager(fabric, agents);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (Door door = open(fabric, agents, err)) {
            out.printf(
                    "%d nodes; programs find them at %s, port %d%n",
                    fabric.nodes().size(), address, port);
            out.flush();
            Thread.ofPlatform()
                    .daemon()
                    .name("console")
                    .start(new Console(fabric, door, fabricOptions.seed(), System.in, out));
            door.serve();
        }
        return ExitStatus.SUCCESS;
    }

    private void startManager(Fabric fabric, Agents agents) {
        if (manager != null) {
            try {
                BringUp.start(fabric, agents, BringUp.routes(manager));
            } catch (TopologyException e) {
                throw new ToolException(ExitStatus.USAGE, e.getMessage(), e);
            }
        }
    }

    private Door open(Fabric fabric, Agents agents, PrintWriter err) {
        try {
            return new Door(fabric, agents, InetAddress.getByName(address), port, line -> {
                err.println(line);
                err.flush();
            });
        } catch (IOException e) {
            throw new ToolException(
                    ExitStatus.FAILED, "cannot listen at " + address + ", UDP port " + port + ": " + e.getMessage(), e);
        }
    }
}
