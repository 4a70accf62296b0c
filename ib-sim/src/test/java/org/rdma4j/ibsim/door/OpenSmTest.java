package org.rdma4j.ibsim.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.traffic.Traffic;

/** Real OpenSM and the InfiniBand diagnostics, as Debian has them, manage and see a fabric of ours. */
@ManagementTools
class OpenSmTest {

    private static final String STAR = """
            Switch 4 "S-1"
            [1] "H-1"[1]
            [2] "H-2"[1]
            [3] "H-3"[1]

            Hca 1 "H-1"
            [1] "S-1"[1]

            Hca 1 "H-2"
            [1] "S-1"[2]

            Hca 1 "H-3"
            [1] "S-1"[3]
            """;

    /** What is compared: everything that these print, but times. Their own port counters and the SM's settings are not. */
    private static final List<String> SAME_AS_IBSIM = List.of(
            "ibnetdiscover",
            "iblinkinfo",
            "ibroute 2",
            "ibtracert 1 3",
            "smpquery nodeinfo 1",
            "smpquery nodedesc 2",
            "smpquery -D nodeinfo 0,1",
            "smpquery -D portinfo 0,1 9",
            "ibstat -p");

    @TempDir
    private Path directory;

    /** Four leaves with four hosts each, four spines. */
    private static String fatTreeOf16() {
        StringBuilder text = new StringBuilder();
        for (int leaf = 1; leaf <= 4; leaf++) {
            text.append("Switch 8 \"L-").append(leaf).append("\"\n");
            for (int port = 1; port <= 4; port++) {
                int host = 4 * (leaf - 1) + port;
                text.append("[%d] \"H-%d\"[1]\n[%d] \"P-%d\"[%d]\n".formatted(port, host, port + 4, port, leaf));
            }
            text.append('\n');
        }
        IntStream.rangeClosed(1, 4).forEach(spine -> text.append("Switch 8 \"P-" + spine + "\"\n\n"));
        IntStream.rangeClosed(1, 16).forEach(host -> text.append("Hca 1 \"H-" + host + "\"\n\n"));
        return text.toString();
    }

    private static String ringOf5() {
        StringBuilder text = new StringBuilder();
        for (int at = 1; at <= 5; at++) {
            text.append("Switch 3 \"S-%d\"\n[2] \"S-%d\"[1]\n[3] \"H-%d\"[1]\n\n".formatted(at, at % 5 + 1, at));
        }
        IntStream.rangeClosed(1, 5).forEach(host -> text.append("Hca 1 \"H-" + host + "\"\n\n"));
        return text.toString();
    }

    @Test
    void whatTheToolsPrintIsWhatTheyPrintOverIbsim() throws Exception {
        Path file = Files.writeString(directory.resolve("star"), STAR);
        List<String> theirs = new ArrayList<>();
        try (Ibsim ibsim = new Ibsim(file, directory)) {
            Umad tools = new Umad(ibsim.port(), "H-1", directory);
            tools.openSm("-o");
            for (String command : SAME_AS_IBSIM) {
                theirs.add(command + "\n" + tools.run(command).withoutTimes());
            }
        }
        List<String> ours = new ArrayList<>();
        try (Served served = new Served(STAR)) {
            Umad tools = new Umad(served.port(), "H-1", directory);
            tools.openSm("-o");
            for (String command : SAME_AS_IBSIM) {
                ours.add(command + "\n" + tools.run(command).withoutTimes());
            }
        }
        assertEquals(String.join("\n", theirs), String.join("\n", ours));
    }

    @ParameterizedTest
    @ValueSource(strings = {"star", "fat tree", "ring"})
    void openSmBringsTheFabricUpAndTrafficFlows(String kind) throws Exception {
        String text = switch (kind) {
            case "star" -> STAR;
            case "ring" -> ringOf5();
            default -> fatTreeOf16();
        };
        try (Served served = new Served(text)) {
            Umad tools = new Umad(served.port(), "H-1", directory);
            Fabric fabric = served.fabric();
            try (Umad.Manager _ = tools.startOpenSm("-R", "updn")) {
                served.await(() -> allActive(fabric), Duration.ofSeconds(60));
                for (String command : List.of(
                        "ibnetdiscover",
                        "iblinkinfo",
                        "ibqueryerrors",
                        "saquery",
                        "sminfo",
                        "smpquery portinfo 1 1",
                        "perfquery 1 1")) {
                    tools.run(command).succeeded();
                }
                String seen = tools.run("ibnetdiscover").succeeded().output();
                for (Node node : fabric.nodes()) {
                    assertTrue(seen.contains("\"" + node.name() + "\""), node.name());
                }
                String records = tools.run("saquery").succeeded().output();
                long hosts = fabric.nodes().stream()
                        .filter(node -> node.name().startsWith("H-"))
                        .count();
                assertTrue(
                        records.contains("NodeRecord dump"),
                        records); // the library carries an answer's first segment only
                long moved = served.call(() -> {
                    try (Traffic traffic = new Traffic(fabric, 1)) {
                        traffic.allToAll(100_000);
                        assertTrue(traffic.run(1_000_000_000_000L), () -> "credit loop: " + traffic.creditLoop());
                        return traffic.bytes();
                    }
                });
                assertEquals(hosts * (hosts - 1) * 100_000, moved);
                long words = tools.run("perfquery -x 1 1").succeeded().number("PortXmitData");
                assertTrue(4 * words >= (hosts - 1) * 100_000, 4 * words + " bytes");
                assertEquals(fabric.node("H-1").port(1).settings().lid(), tools.lid("H-1"));
            }
        }
    }

    @Test
    void aPulledCableIsNoticedByItsTrap() throws Exception {
        try (Served served = new Served(ringOf5())) {
            Umad tools = new Umad(served.port(), "H-1", directory);
            Fabric fabric = served.fabric();
            try (Umad.Manager _ = tools.startOpenSm("-R", "updn", "-s", "3600")) {
                served.await(() -> allActive(fabric), Duration.ofSeconds(60));
                served.call(() -> {
                    fabric.disconnect(fabric.node("S-1").port(2));
                    return null;
                });
                // No periodic sweep: only the trap tells OpenSM, and the way from 1 to 2 now leads round the ring.
                served.await(
                        () -> fabric.node("S-1") instanceof Switch one
                                && one.forwarding()
                                                .port(fabric.node("H-2")
                                                        .port(1)
                                                        .settings()
                                                        .lid())
                                        == 1,
                        Duration.ofSeconds(60));
            }
        }
    }

    @Test
    void aGarbledProgramIsToldOffAndTheOthersAreServed() throws IOException, InterruptedException {
        try (Served served = new Served(STAR)) {
            served.sendGarbage();
            served.await(
                    () -> served.log().stream().anyMatch(line -> line.contains("no control message")),
                    Duration.ofSeconds(10));
            Umad tools = new Umad(served.port(), "H-2", directory);
            tools.run("smpquery -D nodeinfo 0").succeeded();
            String wrong = new Umad(served.port(), "H-9", directory)
                    .run("smpquery -D nodeinfo 0")
                    .output();
            assertTrue(served.log().stream().anyMatch(line -> line.contains("there is no node \"H-9\"")), wrong);
        }
    }

    private static boolean allActive(Fabric fabric) {
        return fabric.nodes().stream()
                .flatMap(node -> IntStream.rangeClosed(1, node.portCount()).mapToObj(node::port))
                .filter(port -> port.peer() != null)
                .map(port -> port.state())
                .collect(Collectors.toSet())
                .equals(Set.of(LinkState.ACTIVE));
    }
}
