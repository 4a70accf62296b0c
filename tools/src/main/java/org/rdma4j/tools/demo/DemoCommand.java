package org.rdma4j.tools.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Family;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Every operation of a reliable connection between two devices of this process, checked byte by byte and explained. */
@CommandLine.Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Shows every operation of a reliable connection, packet by packet.",
            "Two devices in one process, over real sockets; the data is checked byte by byte. Then what",
            "happens when a receiver is not ready, a packet is lost, a key is wrong. Draws the packets, and",
            "writes them to a capture file."
        },
        footer = {"", "Example:", "  rdma4j demo", "  rdma4j decode --fields demo.pcapng", "  tshark -r demo.pcapng"})
public final class DemoCommand implements Callable<Integer> {

    @CommandLine.Option(
            names = {"-d", "--device"},
            paramLabel = "DEVICE",
            description = "The requester's device (default: the family's at 127.0.0.1).")
    private String nameOfA;

    @CommandLine.Option(
            names = "--peer",
            paramLabel = "DEVICE",
            description = "The responder's device (default: the family's at 127.0.0.2).")
    private String nameOfB;

    @CommandLine.Option(
            names = "--family",
            converter = Family.Named.class,
            paramLabel = "roce2|iwarp",
            description = "What the devices are, where they are not named (default: roce2).")
    private Family family;

    @CommandLine.Option(
            names = "--link",
            paramLabel = "ffm|nio",
            description = "UDP by system calls or by java.nio; the default is the best one here.")
    private String implementation = "";

    @CommandLine.Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "The capture file, replaced if it exists (default: ${DEFAULT-VALUE}).")
    private Path trace = Path.of("demo.pcapng");

    @CommandLine.Option(
            names = {"-q", "--quiet"},
            description = "One line an operation: no explanations, no ladders.")
    private boolean quiet;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Family of = family();
        nameOfA = nameOfA == null ? of.device("127.0.0.1") : nameOfA;
        nameOfB = nameOfB == null ? of.device("127.0.0.2") : nameOfB;
        Wires wires = of == Family.IWARP ? new IwarpWires() : new RoceWires(implementation);
        List<Lesson> lessons = wires.lessons();
        try (PcapngTap capture = PcapngTap.create(trace)) {
            try (Stage stage = new Stage(wires, nameOfA, nameOfB, capture)) {
                introduce(out, wires, stage);
                for (int index = 0; index < lessons.size(); index++) {
                    play(out, index + 1, lessons.get(index), stage);
                }
            }
            out.printf(
                    "%nAll %d operations did what they must, byte by byte. %s holds their %d packets:%n"
                            + "  rdma4j decode %s (--fields, --ladder), or Wireshark; dropped and refused packets tell why%n",
                    lessons.size(), trace, capture.frames(), trace);
        }
        out.flush();
        return ExitStatus.SUCCESS;
    }

    /** What was said, or what the devices' names say; all must say the same. */
    private Family family() {
        Set<Family> said = EnumSet.noneOf(Family.class);
        Stream.of(nameOfA, nameOfB)
                .filter(Objects::nonNull)
                .map(name -> Family.IWARP.isOf(name) ? Family.IWARP : Family.ROCE2)
                .forEach(said::add);
        if (family != null) {
            said.add(family);
        }
        if (said.size() > 1) {
            String names = Stream.of(nameOfA, nameOfB).filter(Objects::nonNull).collect(Collectors.joining(" and "));
            throw new ToolException(
                    ExitStatus.USAGE,
                    "both devices must be of one family: " + names
                            + (family == null ? "" : " with --family " + family));
        }
        return said.isEmpty() ? Family.ROCE2 : said.iterator().next();
    }

    private void introduce(PrintWriter out, Wires wires, Stage stage) {
        out.printf("Two RDMA devices in this process: A = %s, B = %s. %s%n", nameOfA, nameOfB, wires.between());
        List<String> connecting = stage.takeLadder();
        if (quiet) {
            return;
        }
        out.printf("Each has %d bytes of registered memory, and a queue pair:%n", DemoEnd.SIZE);
        for (DemoEnd end : List.of(stage.a, stage.b)) {
            out.printf(
                    "  %s: QP 0x%06x, state %s, memory at 0x%x with R_Key 0x%08x%n",
                    end.name, end.queuePair.qpNum(), end.queuePair.state(), end.region.address(), end.region.rKey());
        }
        connecting.forEach(line -> out.println("    " + line));
        wires.words().forEach(out::println);
    }

    private void play(PrintWriter out, int number, Lesson lesson, Stage stage) {
        if (!quiet) {
            out.printf("%n%2d. %s%n", number, lesson.title());
            lesson.words().forEach(line -> out.println("    " + line));
            out.flush();
        }
        lesson.play().on(stage);
        stage.settle(lesson.title());
        List<String> ladder = stage.takeLadder();
        if (!quiet) {
            ladder.forEach(line -> out.println("    " + line));
        }
        stage.a.check(lesson.title());
        stage.b.check(lesson.title());
        String title = quiet ? String.format("%2d. %s: ", number, lesson.title()) : "    ";
        out.printf("%sright: all %d bytes of both memories are what they must be%n", title, 2 * DemoEnd.SIZE);
        out.flush();
    }
}
