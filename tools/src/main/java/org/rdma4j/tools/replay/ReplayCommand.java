package org.rdma4j.tools.replay;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.rocev2.capture.FrameCaptures;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Captures sent once more, or one side of them acted. */
@CommandLine.Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Sends the RoCE packets of a capture once more: out of an interface (-i), into another capture (-w), or over a",
            "device (-d), with other addresses and numbers where --map says so. Checksums and ICRCs are made right again;",
            "what was damaged, lost or doubled in the capture stays so.",
            "Or acts one side of a connection against a live peer (--act): makes the same exchange, sends what that side",
            "sent, and tells where the peer answers otherwise than the capture's. docs/replay.md tells more.",
            "Ends with status 1 where frames were not taken, an answer differs, or the file is damaged."
        },
        footer = {
            "",
            "Example:",
            "  rdma4j replay trace.pcapng --list",
            "  rdma4j replay trace.pcapng -w new.pcapng --map ip:10.77.0.0/24=10.9.0.0/24 --map qpn:server=0x99",
            "  rdma4j replay trace.pcapng --act client 10.77.0.2",
            "  rdma4j replay trace.pcapng -i eth0 -x 0.5 --map dmac:*=02:00:00:00:00:07",
        })
public final class ReplayCommand implements Callable<Integer> {

    private static final int DEFAULT_PORT = 18515;
    private static final double NANOS = 1e9;

    @CommandLine.Parameters(index = "0", paramLabel = "FILE", description = "The capture.")
    private Path file;

    @CommandLine.Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST",
            description = "With --act client: the live server.")
    private String host;

    @CommandLine.Option(
            names = {"-l", "--list"},
            description = "Only list the connections that the capture holds.")
    private boolean list;

    @CommandLine.Option(
            names = {"-i", "--interface"},
            paramLabel = "NAME",
            description = "Send the frames out of this interface.")
    private String interfaceName;

    @CommandLine.Option(
            names = {"-w", "--write"},
            paramLabel = "FILE.pcapng",
            description = "Write the frames to this capture.")
    private Path written;

    @CommandLine.Option(
            names = "--act",
            paramLabel = "SIDE",
            description =
                    "Act the client or the server of a connection against a live peer, and compare what it answers.")
    private Role role;

    @CommandLine.Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description =
                    "Send the packets over this device, such as roce2:10.0.0.1, to the hosts that they are for; with --act,"
                            + " the device that acts.")
    private String device;

    @CommandLine.Option(
            names = "--map",
            paramLabel = "KIND:OLD=NEW",
            description = {
                "Put NEW in the place of OLD: mac, smac, dmac, vlan, ip, port, sport, dport, qpn, psn, rkey, va.",
                "ip takes networks: ip:10.77.0.0/24=10.9.0.0/24. psn and va move all by NEW - OLD.",
                "qpn, psn, rkey and va take the host whose number it is: qpn:0x11@10.77.0.2=0x12.",
                "OLD may be client or server, which stands for what the capture's exchange says: psn:client=0."
            })
    private List<String> rules = List.of();

    @CommandLine.Option(
            names = {"-n", "--connection"},
            paramLabel = "N",
            description = "The connection of this number in --list: only its packets; client and server are its ends.")
    private int number;

    @CommandLine.Option(
            names = {"-x", "--multiplier"},
            paramLabel = "FACTOR",
            description = "So many times faster than it was captured (default: 1).")
    private double factor = 1;

    @CommandLine.Option(
            names = {"-t", "--topspeed"},
            description = "As fast as it goes.")
    private boolean topSpeed;

    @CommandLine.Option(names = "--all", description = "All frames, not only RoCE.")
    private boolean all;

    @CommandLine.Option(
            names = "--by",
            paramLabel = "HOW",
            description =
                    "With -i: packet (Linux' packet sockets) or pcap4j (libpcap). Default: packet where there are such.")
    private FrameCaptures.By by;

    @CommandLine.Option(
            names = "--udp-port",
            paramLabel = "PORT",
            description = "The UDP port of RoCE v2 (default: " + LinkOptions.ROCE_V2_PORT + ").")
    private int udpPort = LinkOptions.ROCE_V2_PORT;

    @CommandLine.Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "With --act: the TCP port of the exchange (default: " + DEFAULT_PORT + ").")
    private int port = DEFAULT_PORT;

    @CommandLine.Option(
            names = "--ignore",
            paramLabel = "WHAT",
            split = ",",
            description = "With --act: what need not be as in the capture: payload, msn, rnr.")
    private Set<Ignored> ignored = EnumSet.noneOf(Ignored.class);

    @CommandLine.Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "With --act: how long the peer may take for an answer (default: 2).")
    private double patience = 2;

    @CommandLine.Option(
            names = "--trace",
            paramLabel = "FILE.pcapng",
            description = "With --act: write what crosses the wire to a capture file.")
    private Path trace;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private PrintWriter out;

    @Override
    public Integer call() throws IOException {
        out = spec.commandLine().getOut();
        check();
        CaptureFile capture = new CaptureFile(file);
        Survey survey = Survey.of(capture, udpPort);
        if (survey.frames() == 0 && !survey.damage().isEmpty()) {
            throw new ToolException(ExitStatus.FAILED, String.join("; ", survey.damage()));
        }
        if (list) {
            survey.connections().forEach(connection -> out.println(connection.text()));
            out.println(file + ": " + survey.frames() + " frames, "
                    + survey.connections().size() + " connections");
            out.flush();
        } else if (role != null) {
            act(capture, survey);
        } else {
            reinject(capture, survey);
        }
        if (!survey.damage().isEmpty()) {
            throw new ToolException(ExitStatus.FAILED, String.join("; ", survey.damage()));
        }
        return ExitStatus.SUCCESS;
    }

    private void check() {
        long ways = Stream.of(list, interfaceName != null, written != null, role != null)
                .filter(each -> each)
                .count();
        if (ways > 1 || ways == 0 && device == null) {
            throw wrong("one of -i, -w, -d, --act and --list says what is to be done with " + file);
        }
        if (host != null && role != Role.CLIENT) {
            throw wrong("HOST " + host + " goes with --act client: the server that it connects to");
        }
        if (host == null && role == Role.CLIENT) {
            throw wrong("--act client takes a HOST: the live server");
        }
        if (!(factor > 0)) {
            throw wrong("-x " + factor + " is no pace: it takes more than 0");
        }
        if (!(patience > 0)) {
            throw wrong("--patience " + patience + " is no time: it takes more than 0");
        }
    }

    private static ToolException wrong(String why) {
        return new ToolException(ExitStatus.USAGE, why);
    }

    private Pacing pacing() {
        return new Pacing(topSpeed ? Pacing.TOP_SPEED : factor);
    }

    private void act(CaptureFile capture, Survey survey) throws IOException {
        CapturedConnection chosen = survey.connection(file, number == 0 ? 1 : number);
        Acting acting = new Acting(
                role,
                device,
                host,
                port,
                udpPort,
                trace,
                ignored,
                pacing(),
                (long) (patience * NANOS),
                UnaryOperator.identity());
        int differences = acting.run(capture, survey, chosen, MapRules.parse(rules, survey, chosen), out);
        if (differences > 0) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    file + ": " + differences + (differences == 1 ? " difference" : " differences")
                            + " between the capture's peer and this one");
        }
    }

    private void reinject(CaptureFile capture, Survey survey) throws IOException {
        CapturedConnection chosen = number == 0 ? null : survey.connection(file, number);
        CapturedConnection ends = chosen != null || survey.connections().isEmpty()
                ? chosen
                : survey.connections().getFirst();
        Mapping mapping = MapRules.parse(rules, survey, ends);
        FrameRewriter rewriter = new FrameRewriter(mapping, new CarriedNumbers(mapping, survey.connections()), udpPort);
        Reinjection.Selection selection = new Reinjection.Selection(all, chosen);
        try (FrameOutput output = output(pacing())) {
            Reinjection reinjection = new Reinjection(survey, rewriter, output, selection, udpPort);
            capture.read(reinjection::frame);
            out.println(file + ": " + reinjection.summary());
            out.flush();
            if (!reinjection.isComplete()) {
                throw new ToolException(ExitStatus.FAILED, file + ": not every frame was taken");
            }
        }
    }

    private FrameOutput output(Pacing pacing) throws IOException {
        if (written != null) {
            if (Files.exists(written) && Files.isSameFile(written, file)) {
                throw new ToolException(ExitStatus.USAGE, "-w " + written + " is the capture that is read");
            }
            return new FileOutput(written, file.getFileName().toString(), pacing);
        }
        return interfaceName != null
                ? new InterfaceOutput(FrameCaptures.inject(interfaceName, by), pacing)
                : new LinkOutput(Links.open(device, new LinkOptions(udpPort, 0, "", false)), pacing);
    }
}
