package org.rdma4j.tools.pingpong;

import java.util.concurrent.Callable;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.PingpongExchange;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
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
public final class RcPingpongCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Parameters(arity = "0..1", paramLabel = "HOST", description = "The server. None: be the server.")
    private String host;

    @CommandLine.Mixin
    private PingpongOptions options;

    @CommandLine.Option(
            names = {"-t", "--ts"},
            description = "Print the times between receive completions; this clock ticks in nanoseconds.")
    private boolean timestamps;

    @Override
    public Integer call() {
        options.checkRanges();
        if (host == null) {
            serve();
        } else {
            Client.run(device, host, options.port, this::playWith);
        }
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.CALLER);
                RcPingpong game = new RcPingpong(opened.context(), options);
                ExchangeListener listener = ExchangeListener.listen(options.port)) {
            printAddress("local address:  ", game.address());
            try (ExchangeChannel channel = listener.accept()) {
                new PingpongExchange(channel).asServer(game.address(), client -> {
                    game.connect(client);
                    printAddress("remote address: ", client);
                });
            }
            report(game, game.play(false, timestamps));
        }
    }

    private void playWith(DeviceContext context, ExchangeChannel channel) {
        try (RcPingpong game = new RcPingpong(context, options)) {
            printAddress("local address:  ", game.address());
            PingpongRecord server = new PingpongExchange(channel).asClient(game.address());
            printAddress("remote address: ", server);
            game.connect(server);
            report(game, game.play(true, timestamps));
        }
    }

    private void printAddress(String label, PingpongRecord record) {
        options.print("  %s%s", label, record);
    }

    private void report(RcPingpong game, RcPingpong.Result result) {
        options.printTimes(result.nanos());
        if (timestamps) {
            options.print(
                    "Max receive completion clock cycles: %d",
                    result.intervals().getMax());
            options.print(
                    "Min receive completion clock cycles: %d",
                    result.intervals().getMin());
            options.print(
                    "Average receive completion clock cycles: %f",
                    result.intervals().getAverage());
        }
        for (String note : result.notes()) {
            options.note(note);
        }
        game.linger();
    }
}
