package org.rdma4j.tools;

import java.util.List;
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
@CommandLine.Command(
        name = "rdma4j",
        mixinStandardHelpOptions = true,
        version = {"rdma4j 0.1.0", "Java ${java.runtime.version}, ${os.name} ${os.arch}"},
        description = "A software RDMA NIC, and what people do with one.",
        footer = {
            "",
            "Exit status: 0 success, 1 the work failed, 2 wrong usage, 3 something is missing on this machine.",
            "RDMA4J_DEBUG=1 in the environment shows where an error came from.",
            "",
            "Example:",
            "  rdma4j demo"
        })
public final class Main implements Runnable {

    private static final List<Class<?>> COMMANDS = List.of(
            BenchCommand.class,
            BenchPeer.class,
            CaptureCommand.class,
            CmatoseCommand.class,
            ConformCommand.class,
            DecodeCommand.class,
            DemoCommand.class,
            DeviceCommand.class,
            DoorCommand.class,
            LabCommand.class,
            MckeyCommand.class,
            PerfCommand.class,
            PingpongCommand.class,
            RdmaClientCommand.class,
            RdmaServerCommand.class,
            ReplayCommand.class,
            RpingCommand.class,
            SimCommand.class,
            UdaddyCommand.class);

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The whole command line, errors on one line. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine line = new CommandLine(new Main());
        commands.forEach(line::addSubcommand);
        Failures failures = new Failures("1".equals(System.getenv("RDMA4J_DEBUG")));
        line.setExecutionExceptionHandler(failures);
        line.setParameterExceptionHandler(failures);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(100);
        return line;
    }

    /** The command that the arguments begin with; all where they begin with none. To learn about one takes picocli a while. */
    static CommandLine commandLineFor(String... arguments) {
        return commandLine(named(arguments));
    }

    private static List<Class<?>> named(String... arguments) {
        for (Class<?> command : COMMANDS) {
            String name = command.getAnnotation(CommandLine.Command.class).name();
            if (arguments.length > 0 && arguments[0].equals(name)) {
                return List.of(command);
            }
        }
        return COMMANDS;
    }

    public static void main(String[] arguments) {
        System.exit(commandLine(named(arguments))
                .setOut(new StandardOutput(System.out))
                .execute(arguments));
    }
}
