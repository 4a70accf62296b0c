package org.rdma4j.ibsim.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.PfcFrame;
import org.rdma4j.wire.UdpHeader;

/** What Ethernet switches and cards do with frames: ways, marks, stops, and time. */
class RoceFabricTest {

    private static final long SECOND = 1_000_000_000_000L;
    private static final int NETWORK = EthernetHeader.LENGTH;
    private static final int BTH = NETWORK + Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private static RoceRun run(String topology, RoceSettings settings) {
        Fabric plan = new Fabric(1);
        Topologies.build(topology, plan);
        return new RoceRun(plan, settings, 1);
    }

    private static void tapAll(RoceRun run, EthernetPort.FrameTap tap) {
        run.fabric().nodes().forEach(node -> node.ports().forEach(port -> port.tap(tap)));
    }

    private static boolean isRoce(EthernetFrame frame) {
        return EthernetHeader.etherType(frame.bytes(), 0) == EthernetHeader.IPV4;
    }

    private static int opcode(EthernetFrame frame) {
        return Bth.opcode(frame.bytes(), BTH);
    }

    @Test
    void aFrameTakesItsTimeOnTheWire() {
        // One message of a packet's length: out of the host, through the switch, to the other one, and its ACK back.
        try (RoceRun run = run("star:2", RoceSettings.defaults())) {
            List<Long> times = new ArrayList<>();
            tapAll(run, (port, frame, now) -> {
                if (isRoce(frame) && opcode(frame) == Opcode.RC_RDMA_WRITE_ONLY) {
                    times.add(now);
                    assertEquals(14 + 20 + 8 + 12 + 16 + 4096 + 4, frame.length());
                }
            });
            run.traffic().incast(4096);
            assertTrue(run.traffic().run(SECOND));
            // 4,170 bytes, FCS, preamble: 80 ps a byte; 25 ns of cable, 500 ns of switch.
            assertEquals((4170 + 4 + 8) * 80 + 25_000 + 500_000, times.get(1) - times.get(0));
        }
    }

    @Test
    void aLongMessageFillsTheWire() {
        try (RoceRun run = run("star:2", RoceSettings.defaults())) {
            run.traffic().incast(8 << 20);
            assertTrue(run.traffic().run(SECOND));
            // Of 4,194 bytes of wire 4,096 are data.
            double most = 100 * 4096.0 / (4170 + 24);
            assertTrue(run.figures().gigabits() > 0.98 * most, run.figures()::toString);
            assertTrue(run.figures().gigabits() < most, run.figures()::toString);
        }
    }

    @Test
    void headersAreARoutersWorkAndStayRight() {
        try (RoceRun run =
                run("fat-tree:4", RoceSettings.defaults().withEcn(true).withDcqcn(true))) {
            Map<Integer, Integer> hops = new HashMap<>();
            tapAll(run, (port, frame, now) -> {
                if (isRoce(frame)) {
                    assertEquals(
                            Ipv4Header.expectedChecksum(frame.bytes(), NETWORK),
                            Ipv4Header.checksum(frame.bytes(), NETWORK));
                    assertEquals(port.mac(), EthernetHeader.source(frame.bytes(), 0));
                    assertEquals(port.peer().mac(), EthernetHeader.destination(frame.bytes(), 0));
                    hops.merge(Ipv4Header.timeToLive(frame.bytes(), NETWORK), 1, Integer::sum);
                }
            });
            run.traffic().allToAll(20_000);
            assertTrue(run.traffic().run(SECOND));
            // Over a leaf alone, or over a leaf, a spine and another leaf.
            assertEquals(Set.of(64, 63, 62, 61), hops.keySet());
        }
    }

    @Test
    void everyIcrcIsRightAfterAllThat() {
        try (RoceRun run =
                run("fat-tree:4", RoceSettings.defaults().withEcn(true).withDcqcn(true))) {
            run.traffic().incast(1 << 20);
            assertTrue(run.traffic().run(SECOND));
            assertTrue(run.figures().marked() > 0);
            assertEquals(0, run.traffic().icrcErrors());
        }
    }

    @Test
    @DisplayName("ECN-06: what is not capable of ECN is not marked")
    void marksNobodyWhoIsNotCapable() {
        try (RoceRun run = run("star:9", RoceSettings.defaults().withEcn(true).withDcqcn(true))) {
            tapAll(run, (port, frame, now) -> {
                if (isRoce(frame)) {
                    int trafficClass = Ipv4Header.trafficClass(frame.bytes(), NETWORK);
                    boolean cnp = opcode(frame) == Opcode.CNP;
                    assertEquals(cnp ? 48 : RoceSettings.DATA_DSCP, trafficClass >> 2);
                    assertEquals(!cnp, Ecn.isCapable(trafficClass));
                }
            });
            run.traffic().incast(1 << 20);
            assertTrue(run.traffic().run(SECOND));
            assertTrue(run.figures().cnpsSent() > 0, run.figures()::toString);
        }
    }

    @Test
    @DisplayName("ECN-13: PFC stops the class of RoCE data and no other; a stopped card sends nothing of it")
    void pfcStopsOneClass() {
        RoceSettings settings =
                RoceSettings.defaults().withPfc(true).withEcn(true).withDcqcn(true);
        // Marks late, so that PFC comes first.
        try (RoceRun run = run("star:9", settings.withPortBuffer(64 << 10).withMarks(60_000, 200_000, 1))) {
            Set<EthernetPort> stopped = new HashSet<>();
            int[] seen = new int[2];
            tapAll(run, (port, frame, now) -> {
                if (PfcFrame.isOne(frame.bytes(), 0)) {
                    assertEquals(PfcFrame.DESTINATION, EthernetHeader.destination(frame.bytes(), 0));
                    assertEquals(1 << RoceSettings.DATA_CLASS, PfcFrame.classes(frame.bytes(), 0));
                    boolean stop = PfcFrame.quanta(frame.bytes(), 0, RoceSettings.DATA_CLASS) > 0;
                    if (stop) {
                        stopped.add(port.peer());
                    } else {
                        stopped.remove(port.peer());
                    }
                    seen[0]++;
                } else if (isRoce(frame) && opcode(frame) == Opcode.CNP) {
                    seen[1]++;
                }
            });
            run.traffic().incast(1 << 20);
            assertTrue(run.traffic().run(SECOND));
            assertTrue(seen[0] > 0 && seen[1] > 0, run.figures()::toString);
            assertEquals(0, run.figures().tailDrops() + run.figures().headroomDrops());
            assertTrue(stopped.isEmpty(), "all may go on in the end");
        }
    }

    @Test
    void aStoppedCardStandsStill() {
        try (RoceRun run = run("star:3", RoceSettings.defaults().withPfc(true))) {
            EthernetPort card = run.fabric().host("H-2").port(1);
            card.peer().storm(RoceSettings.DATA_CLASS);
            boolean[] sent = new boolean[1];
            card.tap((port, frame, now) -> sent[0] |= now > 10_000_000 && isRoce(frame));
            run.traffic().incast(100_000);
            run.traffic().run(SECOND / 100);
            assertTrue(!sent[0], "nothing leaves 10 µs later");
            assertEquals(1, run.traffic().finished());
        }
    }

    @Test
    void whoHasNoPfcTakesNoNoticeOfIt() {
        try (RoceRun run = run("star:3", RoceSettings.defaults())) {
            run.fabric().host("H-1").port(1).storm(RoceSettings.DATA_CLASS);
            run.traffic().incast(100_000);
            assertTrue(run.traffic().run(SECOND));
        }
    }

    @Test
    void aStormStopsMoreThanItsHost() {
        // The first host's switch port is stopped for ever; who sends to it stands still with all it has for others.
        try (RoceRun run = run("star:5", RoceSettings.defaults().withPfc(true).withPortBuffer(64 << 10))) {
            run.fabric().host("H-1").port(1).storm(RoceSettings.DATA_CLASS);
            run.traffic().victim(4 << 20);
            assertTrue(!run.traffic().run(SECOND / 20));
            RoceFigures.Flow victim = run.figures().flows().getLast();
            assertEquals("H-2", victim.to());
            assertEquals(-1, victim.nanos(), "the victim's data stands behind what cannot move");
            assertEquals(0, run.traffic().finished());
        }
    }

    @Test
    void aVictimIsSlowUnderPfcAndFasterWithDcqcn() {
        RoceSettings shallow = RoceSettings.defaults().withPfc(true).withPortBuffer(64 << 10);
        RoceFigures.Flow paused = victim(shallow);
        RoceFigures.Flow controlled = victim(shallow.withEcn(true).withDcqcn(true));
        assertTrue(controlled.gigabits() > 2 * paused.gigabits(), paused + " and " + controlled);
    }

    private static RoceFigures.Flow victim(RoceSettings settings) {
        try (RoceRun run = run("star:18", settings)) {
            run.traffic().victim(4 << 20);
            assertTrue(run.traffic().run(SECOND));
            return run.figures().flows().getLast();
        }
    }

    @Test
    void flowsSpreadOverEqualWays() {
        try (RoceRun run = run("fat-tree:8", RoceSettings.defaults())) {
            run.traffic().allToAll(4096);
            assertTrue(run.traffic().run(SECOND));
            EthernetNode leaf = run.fabric().nodes().stream()
                    .filter(node -> node.name().equals("S-leaf1"))
                    .findFirst()
                    .orElseThrow();
            // 4 hosts with 28 flows each to other leaves, and the ACKs of as many: 224 by 4 ways up.
            for (int up = 5; up <= 8; up++) {
                long frames = leaf.port(up).counters().sentFrames;
                assertTrue(frames > 224 / 4 / 2 && frames < 224 / 4 * 2, up + ": " + frames);
            }
        }
    }

    @Test
    void nothingIsOtherwiseLost() {
        try (RoceRun run = run("fat-tree:4", RoceSettings.defaults())) {
            run.traffic().allToAll(30_000);
            assertTrue(run.traffic().run(SECOND));
            run.fabric()
                    .nodes()
                    .forEach(node ->
                            node.ports().forEach(port -> assertEquals(0, port.counters().otherDrops, port::toString)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"star:3", "ring:5", "torus:3,3", "dragonfly:1,2,1", "fat-tree:4"})
    void everyTopologyCarriesTraffic(String topology) {
        try (RoceRun run = run(topology, RoceSettings.defaults().withGigabits(25))) {
            run.traffic().allToAll(10_000);
            assertTrue(run.traffic().run(SECOND));
        }
    }

    @Test
    void refusesABufferWithoutRoomForHeadroom() {
        RoceSettings small = RoceSettings.defaults().withPfc(true).withPortBuffer(24 << 10);
        TopologyException refused =
                assertThrows(TopologyException.class, () -> run("star:3", small).close());
        assertTrue(refused.getMessage().contains("too small for PFC"), refused.getMessage());
    }
}
