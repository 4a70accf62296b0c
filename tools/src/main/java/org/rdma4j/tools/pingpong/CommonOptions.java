package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.Gid;
import picocli.CommandLine;

/** The options that each {@code ibv_*_pingpong} has, and the lines that it says. */
abstract class CommonOptions {

    private static final long LONGEST_MESSAGE = 1L << 31;

    @CommandLine.Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port of the exchange (default: ${DEFAULT-VALUE}).")
    int port;

    @CommandLine.Option(
            names = {"-e", "--events"},
            description = "Sleep on completion events instead of polling.")
    boolean events;

    @CommandLine.Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description =
                    "Service level: goes into the priority bits of the traffic class (default: ${DEFAULT-VALUE}).")
    private int serviceLevel;

    @CommandLine.Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            defaultValue = "0",
            description = "Entry of the device's GID table to send from (default: ${DEFAULT-VALUE}).")
    int gidIndex;

    @CommandLine.Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device; a device here has one (default: ${DEFAULT-VALUE}).")
    private int devicePort;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    /** Bytes a message. */
    abstract long size();

    /**
     * @return the GID that the peer named
     * @throws ToolException where it named none
     */
    static Gid required(Gid remote) {
        if (remote.equals(Gid.ZERO)) {
            throw new ToolException(ExitStatus.FAILED, "the peer gave no GID, and RoCE needs one: start it with -g");
        }
        return remote;
    }

    /** The traffic class that the service level comes to. */
    int trafficClass() {
        return serviceLevel << 5;
    }

    /** @throws CommandLine.ParameterException for a value out of range, naming it */
    void checkRanges() {
        range("-p", port, 1, 0xFFFF);
        range("-s", size(), 1, LONGEST_MESSAGE);
        range("-l", serviceLevel, 0, 7);
        range("-i", devicePort, 1, 1);
    }

    void range(String option, long value, long least, long most) {
        Ranges.check(spec, option, value, least, most);
    }

    CommandLine.ParameterException refused(String why) {
        return new CommandLine.ParameterException(spec.commandLine(), why);
    }

    /** A line of the tool's own output. */
    void print(String format, Object... arguments) {
        spec.commandLine().getOut().println(String.format(format, arguments));
        spec.commandLine().getOut().flush();
    }

    /** What the user should know and is no failure. */
    void note(String text) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": note: " + text);
    }
}
