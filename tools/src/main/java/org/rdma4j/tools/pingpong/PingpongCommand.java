package org.rdma4j.tools.pingpong;

import picocli.CommandLine;

/** The transport services that one can play ping-pong over. */
@CommandLine.Command(
        name = "pingpong",
        mixinStandardHelpOptions = true,
        description = "Plays ping-pong with rdma-core's ibv_rc_pingpong, ibv_uc_pingpong and so on, or with itself.",
        subcommands = {
            RcPingpongCommand.class,
            UcPingpongCommand.class,
            UdPingpongCommand.class,
            SrqPingpongCommand.class,
            XsrqPingpongCommand.class
        },
        footer = {"", "Example:", "  rdma4j pingpong rc &", "  rdma4j pingpong rc 127.0.0.1"})
public final class PingpongCommand implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "which service? rc, uc, ud, srq, xsrq");
    }
}
