package org.rdma4j.tools.decode;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;
import picocli.CommandLine;

/** Captures in words. */
@CommandLine.Command(
        name = "decode",
        mixinStandardHelpOptions = true,
        description = {
            "Reads captures in words, with the verdict on every ICRC.",
            "pcap and pcapng files, packed by gzip or not: RoCE v1, RoCE v2 over IPv4 and IPv6, VLAN tags,",
            "native InfiniBand. One line a packet, with the verdict on its ICRC and what was sent again.",
            "Ends with status 1 where an ICRC is wrong, a packet is malformed, or a file is damaged."
        },
        footer = {
            "",
            "Example:",
            "  rdma4j decode demo.pcapng",
            "  rdma4j decode --ladder --host 10.0.0.1 demo.pcapng",
            "  tcpdump -i eth0 -U -w - udp port 4791 | rdma4j decode -",
        })
public final class DecodeCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";
    private static final int BUFFER = 1 << 16;
    private static final int LOOK_EVERY = 1000;

    @CommandLine.Parameters(arity = "1..*", paramLabel = "FILE", description = "Captures; - is standard input.")
    private List<String> files;

    @CommandLine.ArgGroup
    private Form form = new Form();

    /** At most one of them. */
    private static final class Form {

        @CommandLine.Option(
                names = {"-F", "--fields"},
                description = "All header fields of each packet, too.")
        private boolean fields;

        @CommandLine.Option(names = "--ladder", description = "Conversations as ladder diagrams.")
        private boolean ladder;

        @CommandLine.Option(names = "--json", description = "One JSON object a line, with all header fields.")
        private boolean json;

        @CommandLine.Option(
                names = {"-q", "--stats"},
                description = "No packets, only how many there were of each opcode.")
        private boolean stats;
    }

    @CommandLine.Mixin
    private Filter filter;

    @CommandLine.Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "Stop after N frames of each file.")
    private long count = Long.MAX_VALUE;

    @CommandLine.Option(
            names = "--udp-port",
            paramLabel = "PORT",
            description = "The UDP port of RoCE v2 (default: " + LinkOptions.ROCE_V2_PORT + ").")
    private int udpPort = LinkOptions.ROCE_V2_PORT;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private PrintWriter out;
    private final List<String> complaints = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), BUFFER));
        try {
            filter.check();
        } catch (IllegalArgumentException e) {
            throw new ToolException(ExitStatus.USAGE, e.getMessage(), e);
        }
        for (String file : files) {
            decode(file);
        }
        out.flush();
        if (!complaints.isEmpty()) {
            throw new ToolException(ExitStatus.FAILED, String.join("; ", complaints));
        }
        return ExitStatus.SUCCESS;
    }

    private void decode(String file) throws IOException {
        if (files.size() > 1 && !form.json) {
            out.println("== " + file);
        }
        Summary summary = new Summary();
        try (CaptureReader reader = open(file)) {
            read(file, reader, summary);
        } catch (CaptureException e) {
            complaints.add(e.getMessage());
        }
        report(file, summary);
    }

    private static CaptureReader open(String file) throws IOException {
        return file.equals(STANDARD_INPUT)
                ? CaptureReader.open("standard input", System.in)
                : CaptureReader.open(Path.of(file));
    }

    private void read(String file, CaptureReader reader, Summary summary) {
        Decoder decoder = new Decoder(udpPort, summary);
        Ladder ladder = new Ladder(out::println);
        int lookEvery = file.equals(STANDARD_INPUT) ? 1 : LOOK_EVERY;
        for (long number = 1; number <= count && reader.hasNext(); number++) {
            DecodedFrame decoded = decoder.next(reader.next());
            if (decoded != null && filter.matches(decoded)) {
                show(file, decoded, ladder);
            }
            // Live packets are shown at once; and whoever reads along may have seen enough.
            if (number % lookEvery == 0 && out.checkError()) {
                break;
            }
        }
    }

    private void show(String file, DecodedFrame decoded, Ladder ladder) {
        if (form.ladder) {
            draw(ladder, decoded);
        } else if (form.json) {
            out.println(JsonLine.of(file, decoded));
        } else if (!form.stats) {
            out.println(PacketLine.of(decoded));
            if (form.fields) {
                Headers.of(decoded).forEach(header -> out.println("                     " + header));
            }
        }
    }

    private static void draw(Ladder ladder, DecodedFrame decoded) {
        if (decoded.frame() == null) {
            ladder.note("frame " + decoded.number() + " malformed: "
                    + decoded.malformed().reason());
            return;
        }
        Rule decision = RuleComment.find(decoded.captured().comments()).orElse(null);
        boolean isCutOff = decision == null && decoded.icrc() == IcrcVerdict.CUT_OFF;
        ladder.packet(decoded.captured().timestamp(), decoded.frame(), isCutOff ? Rule.ACCEPTED : decision);
    }

    private void report(String file, Summary summary) {
        if (form.json) {
            out.println(JsonLine.of(file, summary));
        } else {
            if (form.stats) {
                summary.table().forEach(out::println);
            }
            out.println(summary.line());
        }
        if (!summary.complaint().isEmpty()) {
            complaints.add(file + ": " + summary.complaint());
        }
    }
}
