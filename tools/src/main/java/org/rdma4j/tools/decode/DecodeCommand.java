package org.rdma4j.tools.decode;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PlainModel;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Captures in words. */
public final class DecodeCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";
    private static final int LOOK_EVERY = 1000;

    /** A file with more damage than this is not worth a line each. */
    private static final int MOST_COMPLAINTS = 10;

    private List<String> files = List.of();
    private final Form form = new Form();
    private Path plot;
    private final Filter filter = new Filter();
    private long count = Long.MAX_VALUE;
    private int udpPort = LinkOptions.ROCE_V2_PORT;

    private final CommandSpec spec = PlainModel.command("decode", this);
    private TextOut out;
    private final List<String> complaints = new ArrayList<>();

    private DecodeCommand() {}

    /** The command with all its options. */
    public static CommandSpec model() {
        DecodeCommand command = new DecodeCommand();
        command.spec
                .usageMessage()
                .description(
                        "Reads captures in words, with the verdict on every ICRC and what an expert would point at.",
                        "pcap and pcapng files, packed by gzip or not: RoCE v1, RoCE v2 over IPv4 and IPv6, VLAN tags,",
                        "native InfiniBand; iWARP, its TCP connections found by the key of MPA. One line a packet, with the verdict on its ICRC and what was sent again, and why.",
                        "Ends with status 1 where an ICRC is wrong, a packet is malformed, or a file is damaged.")
                .footer(
                        "",
                        "Example:",
                        "  rdma4j decode demo.pcapng",
                        "  rdma4j decode --ladder --host 10.0.0.1 demo.pcapng",
                        "  rdma4j decode --stats --plot psn.svg demo.pcapng",
                        "  rdma4j decode -e frame.number -e infiniband.bth.psn -e rdma4j.resend demo.pcapng",
                        "  tcpdump -i eth0 -U -w - udp port 4791 | rdma4j decode -");
        command.addOptions();
        return command.spec;
    }

    private void addOptions() {
        spec.addPositional(PlainModel.arguments(value -> files = value)
                .paramLabel("FILE")
                .description("Captures; - is standard input.")
                .build());
        spec.addArgGroup(form.options());
        spec.addOption(PlainModel.option(Path.class, null, value -> plot = value, "--plot")
                .paramLabel("FILE.svg")
                .description("PSN over time as a picture: what was sent, sent again, acknowledged, refused, lost.")
                .build());
        filter.addOptions(spec);
        spec.addOption(PlainModel.option(long.class, count, value -> count = value, "-c", "--count")
                .paramLabel("N")
                .description("Stop after N frames of each file.")
                .build());
        spec.addOption(PlainModel.option(int.class, udpPort, value -> udpPort = value, "--udp-port")
                .paramLabel("PORT")
                .description("The UDP port of RoCE v2 (default: " + LinkOptions.ROCE_V2_PORT + ").")
                .build());
    }

    /** At most one of them. */
    private static final class Form {

        private boolean fields;
        private List<String> columns = List.of();
        private String ladder;
        private boolean findings;
        private boolean json;
        private boolean stats;

        private ArgGroupSpec options() {
            return ArgGroupSpec.builder()
                    .addArg(PlainModel.flag(value -> fields = value, "-F", "--fields")
                            .description("All header fields of each packet, too.")
                            .build())
                    .addArg(PlainModel.list(value -> columns = value, "-e", "--field")
                            .paramLabel("NAME")
                            .description(
                                    "These fields only, a tab between them, by Wireshark's names: -e ip.src -e infiniband.bth.psn;"
                                            + " 'help' lists them.")
                            .build())
                    .addArg(PlainModel.option(String.class, null, value -> ladder = value, "--ladder")
                            .arity("0..1")
                            .paramLabel("FILE.svg")
                            .preprocessor(new OnlyAttached())
                            .description(
                                    "Conversations as ladder diagrams, with what was found; --ladder=FILE.svg as a picture.")
                            .build())
                    .addArg(PlainModel.flag(value -> findings = value, "--findings")
                            .description(
                                    "No packets, only what was found: retransmissions and why, gaps, NAKs, broken rules.")
                            .build())
                    .addArg(PlainModel.flag(value -> json = value, "--json")
                            .description("One JSON object a line, with all header fields.")
                            .build())
                    .addArg(PlainModel.flag(value -> stats = value, "-q", "--stats")
                            .description(
                                    "No packets, only how many there were of each opcode, and the figures of each connection.")
                            .build())
                    .build();
        }
    }

    /** Takes a value behind an equals sign only: {@code --ladder FILE} means a capture. */
    static final class OnlyAttached implements CommandLine.IParameterPreprocessor {

        OnlyAttached() {}

        @Override
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (" ".equals(info.get("separator"))) {
                args.push("");
            }
            return false;
        }
    }

    @Override
    public Integer call() throws IOException {
        out = TextOut.to(spec.commandLine().getOut());
        if (form.columns.equals(List.of("help"))) {
            WiresharkFields.names().forEach(out::println);
            out.flush();
            return ExitStatus.SUCCESS;
        }
        try {
            filter.check();
            WiresharkFields.check(form.columns);
        } catch (IllegalArgumentException e) {
            throw new ToolException(ExitStatus.USAGE, e.getMessage(), e);
        }
        View view = view();
        for (String file : files) {
            decode(file, view);
        }
        view.end();
        out.flush();
        return complain();
    }

    /** A line each. */
    private int complain() {
        if (complaints.isEmpty()) {
            return ExitStatus.SUCCESS;
        }
        PrintWriter err = spec.commandLine().getErr();
        complaints.forEach(complaint -> err.println(spec.qualifiedName() + ": " + complaint));
        return ExitStatus.FAILED;
    }

    private View view() {
        View shown = shown();
        return plot == null ? shown : new PlotView(shown, plot);
    }

    private View shown() {
        if (form.ladder != null) {
            return form.ladder.isEmpty() ? LadderView.text(out) : LadderView.picture(Path.of(form.ladder));
        }
        if (form.json) {
            return new JsonView(out);
        }
        if (!form.columns.isEmpty()) {
            return new ColumnsView(out, form.columns);
        }
        if (form.stats) {
            return new StatsView(out);
        }
        return form.findings ? new FindingsView(out) : new LinesView(out, form.fields, plot == null);
    }

    private void decode(String file, View view) throws IOException {
        if (files.size() > 1) {
            view.file(file);
        }
        Summary summary = new Summary();
        Decoder decoder = new Decoder(udpPort, summary);
        try (CaptureReader reader = open(file);
                CheckedFrames frames = frames(file, reader)) {
            read(file, frames, decoder, view);
        } catch (CaptureException e) {
            complaints.add(e.getMessage());
        }
        view.summary(file, decoder, summary);
        if (!summary.complaint().isEmpty()) {
            complaints.add(file + ": " + summary.complaint());
        }
        if (!decoder.iwarp().complaint().isEmpty()) {
            complaints.add(file + ": " + decoder.iwarp().complaint());
        }
    }

    private void iwarp(String file, IwarpFrame frame, View view) {
        if (frame == null) {
            return;
        }
        for (CapturedUnit unit : frame.units()) {
            if (filter.matches(frame, unit)) {
                view.iwarp(file, frame, unit);
            }
        }
    }

    private static CaptureReader open(String file) throws IOException {
        return isLive(file) ? CaptureReader.open("standard input", System.in) : CaptureReader.open(Path.of(file));
    }

    private CheckedFrames frames(String file, CaptureReader reader) {
        return isLive(file) ? CheckedFrames.live(reader, udpPort) : CheckedFrames.ahead(reader, udpPort);
    }

    private static boolean isLive(String file) {
        return file.equals(STANDARD_INPUT);
    }

    private void read(String file, CheckedFrames frames, Decoder decoder, View view) {
        int lookEvery = isLive(file) ? 1 : LOOK_EVERY;
        int damaged = 0;
        for (long number = 1; number <= count; number++) {
            CheckedFrame frame;
            try {
                frame = frames.next();
            } catch (CaptureException e) {
                if (!e.passable()) {
                    throw e;
                }
                number--;
                if (++damaged <= MOST_COMPLAINTS) {
                    complaints.add(e.getMessage());
                }
                continue;
            }
            if (frame == null) {
                break;
            }
            DecodedFrame decoded = decoder.next(frame);
            if (decoded != null && filter.matches(decoded)) {
                view.packet(file, decoded);
            }
            iwarp(file, decoder.iwarpFrame(), view);
            // Live packets are shown at once; and whoever reads along may have seen enough.
            if (number % lookEvery == 0 && out.checkError()) {
                break;
            }
        }
        if (damaged > MOST_COMPLAINTS) {
            complaints.add(file + ": " + (damaged - MOST_COMPLAINTS) + " more damaged blocks");
        }
    }
}
