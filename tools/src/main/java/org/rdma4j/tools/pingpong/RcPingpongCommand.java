package org.rdma4j.tools.pingpong;

import java.util.concurrent.Callable;
import org.rdma4j.tools.ByteSize;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.PingpongExchange;
import org.rdma4j.tools.exchange.PingpongRecord;
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

    private static final long LONGEST_MESSAGE = 1L << 31;

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Parameters(arity = "0..1", paramLabel = "HOST", description = "The server. None: be the server.")
    private String host;

    @CommandLine.Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port of the exchange (default: ${DEFAULT-VALUE}).")
    private int port;

    @CommandLine.Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            converter = ByteSize.class,
            description = "Bytes a message (default: ${DEFAULT-VALUE}).")
    private long size;

    @CommandLine.Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096; the same on both ends (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @CommandLine.Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "500",
            description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
    private int receiveDepth;

    @CommandLine.Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages each way (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @CommandLine.Option(
            names = {"-e", "--events"},
            description = "Sleep on completion events instead of polling.")
    private boolean events;

    @CommandLine.Option(
            names = {"-c", "--chk"},
            description = "Check what was received. The client writes what the server checks: give it to both.")
    private boolean check;

    @CommandLine.Option(
            names = {"-t", "--ts"},
            description = "Print the times between receive completions; this clock ticks in nanoseconds.")
    private boolean timestamps;

    @CommandLine.Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description =
                    "Service level: goes into the priority bits of the traffic class (default: ${DEFAULT-VALUE}).")
    private int serviceLevel;

    @CommandLine.Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            defaultValue = "0",
            description = "Entry of the device's GID table to send from (default: ${DEFAULT-VALUE}).")
    private int gidIndex;

    @CommandLine.Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device; a device here has one (default: ${DEFAULT-VALUE}).")
    private int devicePort;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        checkRanges();
        RcPingpong.Plan plan = new RcPingpong.Plan(
                (int) size, mtu, receiveDepth, iterations, gidIndex, serviceLevel << 5, events, check, timestamps);
        if (host == null) {
            serve(plan);
        } else {
            play(plan);
        }
        return ExitStatus.SUCCESS;
    }

    private void checkRanges() {
        range("-p", port, 1, 0xFFFF);
        range("-s", size, 1, LONGEST_MESSAGE);
        range("-r", receiveDepth, 1, 1 << 16);
        range("-n", iterations, 1, Integer.MAX_VALUE);
        range("-l", serviceLevel, 0, 7);
        range("-i", devicePort, 1, 1);
        if (!PathMtu.exists(mtu)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "-m is 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
    }

    private void range(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), option + " is " + least + " to " + most + ", not " + value);
        }
    }

    private void serve(RcPingpong.Plan plan) {
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.CALLER);
                RcPingpong game = new RcPingpong(opened.context(), plan);
                ExchangeListener listener = ExchangeListener.listen(port)) {
            printAddress("local address:  ", game.address());
            try (ExchangeChannel channel = listener.accept()) {
                new PingpongExchange(channel).asServer(game.address(), client -> {
                    game.connect(client);
                    printAddress("remote address: ", client);
                });
            }
            report(game, game.play(false));
        }
    }

    private void play(RcPingpong.Plan plan) {
        if (device.isGiven()) {
            try (DeviceArgument.OpenDevice opened = device.open(null, Progress.CALLER);
                    ExchangeChannel channel = ExchangeChannel.connect(host, port)) {
                playOn(opened, channel, plan);
            }
        } else {
            try (ExchangeChannel channel = ExchangeChannel.connect(host, port);
                    DeviceArgument.OpenDevice opened = device.openTowards(channel.localAddress(), Progress.CALLER)) {
                playOn(opened, channel, plan);
            }
        }
    }

    private void playOn(DeviceArgument.OpenDevice opened, ExchangeChannel channel, RcPingpong.Plan plan) {
        try (RcPingpong game = new RcPingpong(opened.context(), plan)) {
            printAddress("local address:  ", game.address());
            PingpongRecord server = new PingpongExchange(channel).asClient(game.address());
            printAddress("remote address: ", server);
            game.connect(server);
            report(game, game.play(true));
        }
    }

    private void printAddress(String label, PingpongRecord record) {
        print("  %s%s", label, record);
    }

    private void report(RcPingpong game, RcPingpong.Result result) {
        double micros = result.nanos() / 1e3;
        long bytes = size * iterations * 2;
        print("%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, micros / 1e6, bytes * 8 / micros);
        print("%d iters in %.2f seconds = %.2f usec/iter", iterations, micros / 1e6, micros / iterations);
        if (timestamps) {
            print("Max receive completion clock cycles: %d", result.intervals().getMax());
            print("Min receive completion clock cycles: %d", result.intervals().getMin());
            print(
                    "Average receive completion clock cycles: %f",
                    result.intervals().getAverage());
        }
        for (String note : result.notes()) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": note: " + note);
        }
        game.linger();
    }

    private void print(String format, Object... arguments) {
        spec.commandLine().getOut().println(String.format(format, arguments));
        spec.commandLine().getOut().flush();
    }
}
