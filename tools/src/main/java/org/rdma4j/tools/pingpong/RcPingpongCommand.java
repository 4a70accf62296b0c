package org.rdma4j.tools.pingpong;

import picocli.CommandLine;

/** {@code ibv_rc_pingpong}: its options, its exchange, its lines. */
@CommandLine.Command(
        name = "rc",
        mixinStandardHelpOptions = true,
        description = {
            "Plays ping-pong by SENDs over a reliable connection, as ibv_rc_pingpong does and with it.",
            "Without HOST it is the server and waits for one client."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ibv_rc_pingpong -d rxe0 -g 1`",
            "  rdma4j pingpong rc -d roce2:10.0.0.1 10.0.0.2"
        })
public final class RcPingpongCommand extends PairCommand {

    @CommandLine.Mixin
    private ConnectedOptions options;

    @CommandLine.Option(
            names = {"-t", "--ts"},
            description = "Print the times between receive completions; this clock ticks in nanoseconds.")
    private boolean timestamps;

    @Override
    PingpongOptions options() {
        return options;
    }

    @Override
    GameService service() {
        return ConnectedService.rc(options);
    }

    @Override
    boolean timestamps() {
        return timestamps;
    }
}
