package org.rdma4j.tools.cm;

import org.rdma4j.tools.Ranges;
import picocli.CommandLine;

/** The options that ucmatose and udaddy have in common. */
final class CmOptions {

    @CommandLine.Option(names = "-s", paramLabel = "ADDR", description = "The server's address. None: be the server.")
    String server;

    @CommandLine.Option(names = "-b", paramLabel = "ADDR", description = "Server: the address to listen at.")
    String bind;

    @CommandLine.Option(
            names = "-c",
            paramLabel = "N",
            defaultValue = "1",
            description = "Connections; the same on both ends (default: ${DEFAULT-VALUE}).")
    int connections;

    @CommandLine.Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "10",
            description = "Messages each way on each connection; the same on both ends (default: ${DEFAULT-VALUE}).")
    int messages;

    @CommandLine.Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Bytes a message; the same on both ends (default: ${DEFAULT-VALUE}).")
    int size;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    /** @throws CommandLine.ParameterException for a value out of range, naming it */
    void checkRanges() {
        range("-c", connections, 1, 10_000);
        range("-C", messages, 0, 10_000);
        range("-S", size, 1, 1 << 20);
    }

    void range(String option, int value, int least, int most) {
        Ranges.check(spec, option, value, least, most);
    }

    /** A line of the tool's own output. */
    void print(String format, Object... arguments) {
        spec.commandLine().getOut().println(String.format(format, arguments));
        spec.commandLine().getOut().flush();
    }
}
