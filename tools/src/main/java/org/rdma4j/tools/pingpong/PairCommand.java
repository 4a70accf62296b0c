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

/** A game between two queue pairs, whatever their service: its exchange and its lines. */
abstract class PairCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Parameters(arity = "0..1", paramLabel = "HOST", description = "The server. None: be the server.")
    private String host;

    abstract PingpongOptions options();

    abstract GameService service();

    /** Whether the times between receives are to be printed. */
    boolean timestamps() {
        return false;
    }

    @Override
    public final Integer call() {
        options().checkRanges();
        if (host == null) {
            serve();
        } else {
            Client.run(device, host, options().port, this::playWith);
        }
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.CALLER);
                Pingpong game = new Pingpong(opened.context(), options(), service());
                ExchangeListener listener = ExchangeListener.listen(options().port)) {
            printAddress("local address:  ", game.address());
            try (ExchangeChannel channel = listener.accept()) {
                new PingpongExchange(channel).asServer(game.address(), client -> {
                    game.connect(client);
                    printAddress("remote address: ", client);
                });
            }
            report(game, game.play(false, timestamps()));
        }
    }

    private void playWith(DeviceContext context, ExchangeChannel channel) {
        try (Pingpong game = new Pingpong(context, options(), service())) {
            printAddress("local address:  ", game.address());
            PingpongRecord server = new PingpongExchange(channel).asClient(game.address());
            printAddress("remote address: ", server);
            game.connect(server);
            report(game, game.play(true, timestamps()));
        }
    }

    private void printAddress(String label, PingpongRecord record) {
        options().print("  %s%s", label, record);
    }

    private void report(Pingpong game, Pingpong.Result result) {
        PingpongOptions options = options();
        options.printTimes(result.nanos());
        if (timestamps()) {
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
        result.notes().forEach(options::note);
        game.linger();
    }
}
