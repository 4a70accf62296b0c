package org.rdma4j.tools;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.rdma4j.tools.bench.BenchCommand;
import org.rdma4j.tools.bench.BenchPeer;
import org.rdma4j.tools.capture.CaptureCommand;
import org.rdma4j.tools.cm.CmatoseCommand;
import org.rdma4j.tools.cm.DoorCommand;
import org.rdma4j.tools.cm.MckeyCommand;
import org.rdma4j.tools.cm.RdmaClientCommand;
import org.rdma4j.tools.cm.RdmaServerCommand;
import org.rdma4j.tools.cm.RpingCommand;
import org.rdma4j.tools.cm.UdaddyCommand;
import org.rdma4j.tools.conform.ConformCommand;
import org.rdma4j.tools.decode.DecodeCommand;
import org.rdma4j.tools.demo.DemoCommand;
import org.rdma4j.tools.device.DeviceCommand;
import org.rdma4j.tools.perf.PerfCommand;
import org.rdma4j.tools.pingpong.PingpongCommand;
import org.rdma4j.tools.replay.ReplayCommand;
import org.rdma4j.tools.sim.SimCommand;
import picocli.CommandLine;

/**
 * The one entry: every command hangs below it. To add a command, write its class and name it in {@link #COMMANDS}.
 *
 * <p>A command is a {@code Callable<Integer>} that returns an {@link ExitStatus} or throws a {@link ToolException}; its {@code --help}
 * ends with an example (a test looks for it).
 */
public final class Main implements Runnable {

    static final String NAME = "rdma4j";
    private static final Set<String> VERSION = Set.of("-V", "--version");

    /** By name, in the order of the help: a class with annotations or a model. To ask a class's annotation for its name takes a while. */
    private static final SortedMap<String, Supplier<?>> COMMANDS = new TreeMap<>(Map.ofEntries(
            Map.entry("bench", () -> BenchCommand.class),
            Map.entry("bench-peer", () -> BenchPeer.class),
            Map.entry("capture", () -> CaptureCommand.class),
            Map.entry("cmatose", () -> CmatoseCommand.class),
            Map.entry("conform", () -> ConformCommand.class),
            Map.entry("decode", DecodeCommand::model),
            Map.entry("demo", () -> DemoCommand.class),
            Map.entry("device", () -> DeviceCommand.class),
            Map.entry("door", () -> DoorCommand.class),
            Map.entry("lab", () -> LabCommand.class),
            Map.entry("mckey", () -> MckeyCommand.class),
            Map.entry("perf", () -> PerfCommand.class),
            Map.entry("pingpong", () -> PingpongCommand.class),
            Map.entry("rdma_client", () -> RdmaClientCommand.class),
            Map.entry("rdma_server", () -> RdmaServerCommand.class),
            Map.entry("replay", () -> ReplayCommand.class),
            Map.entry("rping", () -> RpingCommand.class),
            Map.entry("sim", () -> SimCommand.class),
            Map.entry("udaddy", () -> UdaddyCommand.class)));

    private final CommandLine.Model.CommandSpec spec = PlainModel.command(NAME, this);

    private Main() {}

    private static CommandLine.Model.CommandSpec model() {
        Main main = new Main();
        main.spec.version("rdma4j 0.1.0", "Java ${java.runtime.version}, ${os.name} ${os.arch}");
        main.spec
                .usageMessage()
                .description("A software RDMA NIC, and what people do with one.")
                .footer(
                        "",
                        "Exit status: 0 success, 1 the work failed, 2 wrong usage, 3 something is missing on this machine.",
                        "RDMA4J_DEBUG=1 in the environment shows where an error came from.",
                        "",
                        "Example:",
                        "  rdma4j demo");
        return main.spec;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The whole command line, errors on one line. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(model());
        COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.get()));
        return configured(line);
    }

    /**
     * No more than the arguments ask for, since to learn about a class takes picocli a while: the command that they begin with, below a
     * bare name, as they have nothing for what is above it; no command for the version alone; else all.
     */
    static CommandLine commandLineFor(String... arguments) {
        if (arguments.length == 1 && VERSION.contains(arguments[0])) {
            return configured(new CommandLine(model()));
        }
        Supplier<?> command = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
        if (command == null) {
            return commandLine();
        }
        CommandLine line =
                new CommandLine(CommandLine.Model.CommandSpec.create().name(NAME));
        return configured(line.addSubcommand(arguments[0], command.get()));
    }

    private static CommandLine configured(CommandLine line) {
        Failures failures = new Failures("1".equals(System.getenv("RDMA4J_DEBUG")));
        line.setExecutionExceptionHandler(failures);
        line.setParameterExceptionHandler(failures);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(100);
        return line;
    }

    /** The exit status. */
    static int run(String... arguments) {
        return commandLineFor(arguments).setOut(new StandardOutput(System.out)).execute(arguments);
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }
}
