package org.rdma4j.tools.pingpong;

import java.util.List;
import java.util.concurrent.Callable;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.tools.exchange.SrqPingpongExchange;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import picocli.CommandLine;

/** {@code ibv_srq_pingpong}: its options, its exchange, its lines. */
@CommandLine.Command(
        name = "srq",
        mixinStandardHelpOptions = true,
        description = {
            "Plays ping-pong over many connections that share their receives, as ibv_srq_pingpong does and with it.",
            "Without HOST it is the server and waits for one client."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ibv_srq_pingpong -d rxe0 -g 1`",
            "  rdma4j pingpong srq -d roce2:10.0.0.1 10.0.0.2"
        })
public final class SrqPingpongCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Parameters(arity = "0..1", paramLabel = "HOST", description = "The server. None: be the server.")
    private String host;

    @CommandLine.Mixin
    private ConnectedOptions options;

    @CommandLine.Option(
            names = {"-q", "--num-qp"},
            paramLabel = "N",
            defaultValue = "16",
            description = "Connections, 1 to 256; the same on both ends (default: ${DEFAULT-VALUE}).")
    private int count;

    @Override
    public Integer call() {
        options.checkRanges();
        options.range("-q", count, 1, SrqPingpongExchange.RECORDS);
        if (options.receiveDepth < count) {
            throw options.refused("-r " + options.receiveDepth + " is too small for " + count
                    + " connections: each one may need a receive");
        }
        if (host == null) {
            serve();
        } else {
            Client.run(device, host, options.port, this::playWith);
        }
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.CALLER);
                SrqPingpong game = new SrqPingpong(opened.context(), options, count);
                ExchangeListener listener = ExchangeListener.listen(options.port)) {
            print("local address:  ", game.addresses());
            try (ExchangeChannel channel = listener.accept()) {
                new SrqPingpongExchange(channel).asServer(game.addresses(), client -> {
                    game.connect(client);
                    print("remote address: ", client);
                });
            }
            report(game, game.play(false));
        }
    }

    private void playWith(DeviceContext context, ExchangeChannel channel) {
        try (SrqPingpong game = new SrqPingpong(context, options, count)) {
            print("local address:  ", game.addresses());
            List<PingpongRecord> server = new SrqPingpongExchange(channel).asClient(game.addresses());
            print("remote address: ", server);
            game.connect(server);
            report(game, game.play(true));
        }
    }

    private void print(String label, List<PingpongRecord> records) {
        for (PingpongRecord address : records) {
            options.print("  %s%s", label, address);
        }
    }

    private void report(SrqPingpong game, SrqPingpong.Result result) {
        options.printTimes(result.nanos());
        result.notes().forEach(options::note);
        game.linger();
    }
}
