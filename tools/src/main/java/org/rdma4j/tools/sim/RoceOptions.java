package org.rdma4j.tools.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.ibsim.ethernet.RoceSettings;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.tools.ByteSize;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Which RoCE fabric. */
final class RoceOptions {

    @CommandLine.Option(
            names = "--roce",
            description = "Ethernet switches that route and RoCE v2 hosts, in place of InfiniBand.")
    private boolean roce;

    @CommandLine.Option(
            names = "--pfc",
            description = "With --roce: switches stop senders (802.1Qbb) rather than drop.")
    private boolean pfc;

    @CommandLine.Option(names = "--ecn", description = "With --roce: switches mark packets of long queues.")
    private boolean ecn;

    @CommandLine.Option(
            names = "--dcqcn",
            description = "With --roce: receivers tell of marks (CNP), senders lower their rate; --ecn with it.")
    private boolean dcqcn;

    @CommandLine.Option(
            names = "--compare",
            description =
                    "With --roce: the same without, with PFC, with ECN and DCQCN, and with all three, side by side.")
    private boolean compare;

    @CommandLine.Option(
            names = "--gigabits",
            paramLabel = "RATE",
            description = "With --roce: Gb/s of every link (default: 100).")
    private Double gigabits;

    @CommandLine.Option(
            names = "--port-buffer",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "With --roce: a switch's buffer for each of its ports, which share the sum (default: 256K).")
    private Long portBuffer;

    @CommandLine.Option(
            names = "--marks",
            paramLabel = "KMIN,KMAX,PMAX",
            description =
                    "With --roce: packets are marked from KMIN bytes of queue on, PMAX of them at KMAX bytes, all behind"
                            + " it (default: 5000,200000,0.01).")
    private String marks;

    @CommandLine.Option(
            names = "--storm",
            paramLabel = "HOST",
            description = "With --roce: a broken host, which stops its switch's RoCE data by PFC for ever.")
    private String storm;

    /** @throws ToolException where an option of RoCE stands there without {@code --roce} */
    boolean isOn() {
        if (!roce) {
            Map<String, Boolean> given = new LinkedHashMap<>();
            given.put("--pfc", pfc);
            given.put("--ecn", ecn);
            given.put("--dcqcn", dcqcn);
            given.put("--compare", compare);
            given.put("--gigabits", gigabits != null);
            given.put("--port-buffer", portBuffer != null);
            given.put("--marks", marks != null);
            given.put("--storm", storm != null);
            given.forEach((option, isGiven) -> {
                if (isGiven) {
                    throw new ToolException(ExitStatus.USAGE, option + " is about RoCE fabrics: it needs --roce");
                }
            });
        }
        return roce;
    }

    boolean isComparison() {
        return compare;
    }

    /** The name of a host, or {@code null}. */
    String storm() {
        return storm;
    }

    /** The runs that are asked for, by what tells them from each other. */
    Map<String, RoceSettings> runs() {
        RoceSettings base = settings();
        Map<String, RoceSettings> runs = new LinkedHashMap<>();
        if (compare) {
            if (pfc || ecn || dcqcn) {
                throw new ToolException(
                        ExitStatus.USAGE, "--compare runs all four: --pfc, --ecn and --dcqcn are in it");
            }
            runs.put("neither", base);
            runs.put("PFC", base.withPfc(true));
            runs.put("ECN+DCQCN", base.withEcn(true).withDcqcn(true));
            runs.put("all three", base.withPfc(true).withEcn(true).withDcqcn(true));
        } else {
            List<String> names = new ArrayList<>();
            if (pfc) {
                names.add("PFC");
            }
            if (ecn || dcqcn) {
                names.add("ECN");
            }
            if (dcqcn) {
                names.add("DCQCN");
            }
            RoceSettings settings = base.withPfc(pfc).withEcn(ecn || dcqcn).withDcqcn(dcqcn);
            runs.put(names.isEmpty() ? "neither" : String.join("+", names), settings);
        }
        return runs;
    }

    private RoceSettings settings() {
        RoceSettings settings = RoceSettings.defaults();
        if (gigabits != null) {
            settings = settings.withGigabits(gigabits);
        }
        if (portBuffer != null) {
            settings = settings.withPortBuffer((int) Math.min(portBuffer, Integer.MAX_VALUE));
        }
        return marks == null ? settings : withMarks(settings);
    }

    private RoceSettings withMarks(RoceSettings settings) {
        String[] parts = marks.split(",", -1);
        try {
            if (parts.length == 3) {
                ByteSize bytes = new ByteSize();
                return settings.withMarks(
                        Math.toIntExact(bytes.convert(parts[0])),
                        Math.toIntExact(bytes.convert(parts[1])),
                        Double.parseDouble(parts[2]));
            }
        } catch (NumberFormatException | ArithmeticException | CommandLine.TypeConversionException e) {
            throw new TopologyException("\"" + marks + "\": " + e.getMessage());
        }
        throw new TopologyException("\"" + marks + "\" is not KMIN,KMAX,PMAX, such as 5000,200K,0.01");
    }
}
