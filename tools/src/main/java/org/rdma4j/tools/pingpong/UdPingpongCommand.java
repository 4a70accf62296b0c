package org.rdma4j.tools.pingpong;

import picocli.CommandLine;

/** {@code ibv_ud_pingpong}: its options, its exchange, its lines. */
@CommandLine.Command(
        name = "ud",
        mixinStandardHelpOptions = true,
        description = {
            "Plays ping-pong by datagrams, as ibv_ud_pingpong does and with it.",
            "A message that is lost ends the game. Without HOST it is the server and waits for one client."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ibv_ud_pingpong -d rxe0 -g 1`",
            "  rdma4j pingpong ud -d roce2:10.0.0.1 10.0.0.2"
        })
public final class UdPingpongCommand extends PairCommand {

    @CommandLine.Mixin
    private DatagramOptions options;

    @Override
    PingpongOptions options() {
        return options;
    }

    @Override
    GameService service() {
        return new DatagramService(options);
    }
}
