package org.rdma4j.tools.pingpong;

import picocli.CommandLine;

/** The transport services that one can play ping-pong over. */
@CommandLine.Command(
        name = "pingpong",
        mixinStandardHelpOptions = true,
        description = "Plays ping-pong with ibv_rc_pingpong and ibv_srq_pingpong, or with itself.",
        subcommands = {RcPingpongCommand.class, SrqPingpongCommand.class},
        footer = {"", "Example:", "  rdma4j pingpong rc &", "  rdma4j pingpong rc 127.0.0.1"})
public final class PingpongCommand implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "which service? rc, srq");
    }
}
