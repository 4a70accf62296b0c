package org.rdma4j.tools.device;

import picocli.CommandLine;

/** Devices. */
@CommandLine.Command(
        name = "device",
        mixinStandardHelpOptions = true,
        description = "Which devices there are, and what they can do.",
        subcommands = {DeviceListCommand.class, DeviceShowCommand.class},
        footer = {"", "Example:", "  rdma4j device list"})
public final class DeviceCommand implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "list, or show?");
    }
}
