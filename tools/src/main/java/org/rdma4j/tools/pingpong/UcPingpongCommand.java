package org.rdma4j.tools.pingpong;

import picocli.CommandLine;

/** {@code ibv_uc_pingpong}: its options, its exchange, its lines. */
@CommandLine.Command(
        name = "uc",
        mixinStandardHelpOptions = true,
        description = {
            "Plays ping-pong by SENDs over an unreliable connection, as ibv_uc_pingpong does and with it.",
            "A message that is lost ends the game. Without HOST it is the server and waits for one client."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ibv_uc_pingpong -d rxe0 -g 1`",
            "  rdma4j pingpong uc -d roce2:10.0.0.1 10.0.0.2"
        })
public final class UcPingpongCommand extends PairCommand {

    @CommandLine.Mixin
    private ConnectedOptions options;

    @Override
    PingpongOptions options() {
        return options;
    }

    @Override
    GameService service() {
        return ConnectedService.uc(options);
    }
}
