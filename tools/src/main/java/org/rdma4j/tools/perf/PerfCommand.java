package org.rdma4j.tools.perf;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.DeviceArgument.OpenDevice;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.cm.CmAddress;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.Progress;
import picocli.CommandLine;

/** perftest: its tests, its options, its exchange, its table. */
@CommandLine.Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures bandwidth or latency as perftest's ib_*_bw and ib_*_lat do, with them or with itself.",
            "TEST is send-bw, send-lat, write-bw, write-lat, read-bw, read-lat, atomic-bw or atomic-lat. Without HOST it"
                    + " is the server and waits for one client. Start both ends with the same options."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ib_write_bw -d rxe0 -x 1`",
            "  rdma4j perf write-bw -d roce2:10.0.0.1 10.0.0.2",
            "Over iWARP, to a peer that runs `ib_write_bw -R -d siw0`",
            "  rdma4j perf write-bw -R -d iwarp:10.0.0.1 10.0.0.2"
        })
public final class PerfCommand implements Callable<Integer> {

    @CommandLine.Parameters(
            index = "0",
            paramLabel = "TEST",
            converter = PerfTest.Converter.class,
            description = "What is measured.")
    private PerfTest test;

    @CommandLine.Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST",
            description = "The server. None: be the server.")
    private String host;

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Mixin
    private PerfOptions options;

    @CommandLine.Option(
            names = "--out_json",
            description = "Write the report as JSON too, to perftest_out.json in the working directory.")
    private boolean json;

    @CommandLine.Option(
            names = "--out_json_file",
            paramLabel = "FILE",
            description = "Write the report as JSON too, to this file.")
    private Path jsonFile;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Plan plan;
    private Table table;

    @Override
    public Integer call() {
        try {
            plan = Plan.of(test, options);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        table = new Table(spec.commandLine().getOut(), plan);
        if (options.rdmaCm) {
            byCm();
        } else if (host == null) {
            serve();
        } else {
            ask();
        }
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        try (OpenDevice opened = open(DeviceArgument.NEAR);
                ExchangeListener listener = ExchangeListener.listen((int) options.port)) {
            table.waiting();
            try (ExchangeChannel channel = listener.accept()) {
                run(opened, new Dialogue(channel, false));
            }
        }
    }

    private void ask() {
        if (device.isGiven()) {
            try (OpenDevice opened = open(null);
                    ExchangeChannel channel = ExchangeChannel.connect(host, (int) options.port)) {
                run(opened, new Dialogue(channel, true));
            }
        } else {
            try (ExchangeChannel channel = ExchangeChannel.connect(host, (int) options.port);
                    OpenDevice opened = openTowards(channel.peerAddress())) {
                run(opened, new Dialogue(channel, true));
            }
        }
    }

    private void byCm() {
        InetAddress server = host == null ? null : CmAddress.of(host);
        try (OpenDevice opened = server == null ? open(DeviceArgument.NEAR) : openTowards(server);
                CmConnector connector = new CmConnector(opened.context(), server, (int) options.port)) {
            if (server == null) {
                table.waiting();
            }
            try (CmConversation conversation = connector.converse()) {
                run(opened, new Dialogue(conversation, server != null), connector);
            }
        }
    }

    private OpenDevice open(String otherwise) {
        return able(device.open(otherwise, Progress.CALLER));
    }

    private OpenDevice openTowards(InetAddress server) {
        return able(device.openTowards(server, Progress.CALLER));
    }

    /** A device whose family can do what is asked for. */
    private OpenDevice able(OpenDevice opened) {
        try {
            PlanChecks.check(opened.context(), test, options);
            return opened;
        } catch (IllegalArgumentException e) {
            opened.close();
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void run(OpenDevice opened, Dialogue dialogue) {
        run(opened, dialogue, null);
    }

    private void run(OpenDevice opened, Dialogue dialogue, CmConnector connector) {
        int most = opened.context().queryPort().activeMtu();
        PathMtu.require(plan.mtu(), opened.context());
        Dialogue.Terms terms = dialogue.agree(plan.mtu() == 0 ? most : plan.mtu());
        fit(terms.mtu());
        table.head(opened.context(), terms, dialogue.isClient(), options.rdmaCm);
        JsonFile report = new JsonFile(plan);
        if (connector != null) {
            dialogue.pause();
        }
        try (Endpoint endpoint = new Endpoint(opened.context(), plan, terms, connector)) {
            if (connector != null) {
                dialogue.pause();
            }
            KeyRecord[] own = endpoint.records();
            table.addresses("local", own);
            KeyRecord[] peer = dialogue.introduce(own);
            table.addresses("remote", peer);
            endpoint.connect(peer);
            dialogue.channel().driveWhileWaiting(new PollingPace(opened.context()));
            if (!test.latency || !test.operation.isAnswered() || dialogue.isClient()) {
                table.columns();
            }
            measure(dialogue, endpoint, report);
            table.end();
        }
        if (json || jsonFile != null) {
            report.write(
                    jsonFile == null ? Path.of("perftest_out.json") : jsonFile,
                    opened.context().name(),
                    terms);
        }
    }

    /**
     * A datagram has one packet: messages whose size nobody named become as large as one, and a size that is larger is
     * refused, as perftest does it.
     */
    private void fit(int mtu) {
        Plan fitting = plan.within(mtu);
        if (fitting.size() != plan.size()) {
            if (options.size != null) {
                throw new ToolException(
                        ExitStatus.FAILED, "-s " + options.size + " does not fit a datagram: the path MTU is " + mtu);
            }
            note("a datagram has at most the path MTU's " + mtu + " bytes: that is the message size now");
            plan = fitting;
            table = new Table(spec.commandLine().getOut(), plan);
        }
    }

    private void note(String text) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": note: " + text);
    }

    private void measure(Dialogue dialogue, Endpoint endpoint, JsonFile report) {
        if (test.latency) {
            new LatencyTest(
                            plan,
                            dialogue,
                            endpoint,
                            figures -> {
                                table.row(figures);
                                report.add(figures);
                            },
                            this::note)
                    .run();
        } else {
            new BandwidthTest(plan, dialogue, endpoint, figures -> {
                        table.row(figures);
                        report.add(figures);
                    })
                    .run();
        }
    }
}
