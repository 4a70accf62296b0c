package org.rdma4j.tools.pingpong;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.XsrqExchange;
import org.rdma4j.tools.exchange.XsrqRecord;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import picocli.CommandLine;

/** {@code ibv_xsrq_pingpong}: its options, its exchange, its lines. */
@CommandLine.Command(
        name = "xsrq",
        mixinStandardHelpOptions = true,
        description = {
            "Plays ping-pong over XRC, where messages name the shared receive queue that they are for, as",
            "ibv_xsrq_pingpong does. Tried with itself only: Linux rxe has no XRC.",
            "Without HOST it is the server and waits for its clients."
        },
        footer = {"", "Example:", "  rdma4j pingpong xsrq -c 1 &", "  rdma4j pingpong xsrq 127.0.0.1"})
public final class XsrqPingpongCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Parameters(arity = "0..1", paramLabel = "HOST", description = "The server. None: be the server.")
    private String host;

    @CommandLine.Mixin
    private XsrqOptions options;

    @Override
    public Integer call() {
        options.checkRanges();
        if (host == null) {
            serve();
        } else {
            Client.run(device, host, options.port, this::playWith);
        }
        options.print("success");
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        List<XsrqExchange> clients = new ArrayList<>();
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.CALLER);
                XsrqPingpong game = new XsrqPingpong(opened.context(), options, options.clients);
                ExchangeListener listener = ExchangeListener.listen(options.port)) {
            for (int client = 0; client < options.clients; client++) {
                print("local", game.address(client));
            }
            for (int client = 0; client < options.clients; client++) {
                XsrqExchange exchange = new XsrqExchange(listener.accept());
                clients.add(exchange);
                introduce(game, client, exchange, false);
            }
            game.play(true);
            // Until each client has said that it is done its last message may be sent again, and wants its answer.
            clients.forEach(exchange -> hearEnd(opened.context(), exchange));
            clients.forEach(XsrqExchange::tellEnd);
        } finally {
            clients.forEach(XsrqExchange::close);
        }
    }

    private void playWith(DeviceContext context, ExchangeChannel channel) {
        try (XsrqPingpong game = new XsrqPingpong(context, options, 1)) {
            XsrqExchange exchange = new XsrqExchange(channel);
            print("local", game.address(0));
            introduce(game, 0, exchange, true);
            game.play(false);
            exchange.tellEnd();
            hearEnd(context, exchange);
        }
    }

    private void introduce(XsrqPingpong game, int client, XsrqExchange exchange, boolean first) {
        if (first) {
            exchange.tell(game.address(client));
        }
        XsrqRecord remote = exchange.hear();
        print("remote", remote);
        game.connect(client, remote);
        if (!first) {
            exchange.tell(game.address(client));
        }
    }

    private static void hearEnd(DeviceContext context, XsrqExchange exchange) {
        exchange.channel().driveWhileWaiting(new PollingPace(context));
        exchange.hearEnd();
    }

    private void print(String whose, XsrqRecord address) {
        options.print("%8s: %s", whose + " address", address);
    }
}
