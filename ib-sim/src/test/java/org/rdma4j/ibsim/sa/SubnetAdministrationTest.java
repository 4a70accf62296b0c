package org.rdma4j.ibsim.sa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.sm.Managed;
import org.rdma4j.ibsim.sm.SmOptions;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/** What hosts ask the administrator of a fat tree of eight hosts, by packets. */
class SubnetAdministrationTest {

    private static final long MGID_HIGH = 0xFF12_401B_FFFF_0000L;

    private final Managed subnet = new Managed("fat-tree:4");
    private int status;
    private List<byte[]> records = List.of();

    @BeforeEach
    void up() {
        subnet.up(SmOptions.defaults());
    }

    private void ask(SaClient client, int method, int attribute, long mask, byte[] record) {
        status = -2;
        client.ask(method, attribute, mask, record, (how, what) -> {
            status = how;
            records = what;
        });
        subnet.run(9);
    }

    private SaClient client(String node) {
        return new SaClient(subnet.agents, subnet.owner(), subnet.port(node));
    }

    private static void putGid(byte[] record, int offset, long high, long low) {
        MemorySegment segment = MemorySegment.ofArray(record);
        segment.set(NetworkOrder.LONG, offset, high);
        segment.set(NetworkOrder.LONG, offset + 8L, low);
    }

    private static int int16(byte[] record, int offset) {
        return MemorySegment.ofArray(record).get(NetworkOrder.SHORT, offset) & 0xFFFF;
    }

    @Test
    @DisplayName("SMP-08 a path from one GID to another: LIDs, MTU and rate of the way")
    void path() {
        Port from = subnet.port("H-2");
        Port to = subnet.port("H-7");
        byte[] record = new byte[PathRecords.LENGTH];
        putGid(record, PathRecords.SGID, Directory.DEFAULT_PREFIX, from.guid());
        putGid(record, PathRecords.DGID, Directory.DEFAULT_PREFIX, to.guid());
        ask(client("H-2"), Mad.GET, SaMad.PATH_RECORD, 0b1100, record);
        assertEquals(Mad.OK, status);
        byte[] path = records.getFirst();
        assertEquals(from.settings().lid(), int16(path, PathRecords.SLID));
        assertEquals(to.settings().lid(), int16(path, PathRecords.DLID));
        assertEquals(2 << 6 | 5, path[PathRecords.MTU] & 0xFF, "exactly 4,096");
        assertEquals(2 << 6 | 7, path[PathRecords.RATE] & 0xFF, "exactly 40 Gb/s: QDR, four lanes");
    }

    @Test
    @DisplayName(
            "SMP-08 a question without a source, for a LID that is not there, or with too many answers has its status")
    void questionsWithoutAnAnswer() {
        SaClient client = client("H-3");
        byte[] record = new byte[PathRecords.LENGTH];
        ask(client, Mad.GET, SaMad.PATH_RECORD, 0b100, record);
        assertEquals(SaMad.INSUFFICIENT_COMPONENTS, status);
        record[PathRecords.SLID] = 0x12;
        ask(client, Mad.GET, SaMad.PATH_RECORD, 0b100000, record);
        assertEquals(SaMad.NO_RECORDS, status);
        ask(client, Mad.GET, SaMad.NODE_RECORD, 0, new byte[NodeRecords.LENGTH]);
        assertEquals(SaMad.TOO_MANY_RECORDS, status);
        ask(client, Mad.GET, 0x7777, 0, new byte[0]);
        assertEquals(Mad.BAD_ATTRIBUTE, status);
    }

    @Test
    @DisplayName("SMP-08 a table of records comes in segments, whole")
    void tables() {
        ask(client("H-8"), Mad.GET_TABLE, SaMad.NODE_RECORD, 0, new byte[NodeRecords.LENGTH]);
        assertNamesOfAllNodes();
        int ports = 0;
        for (Node node : subnet.fabric.nodes()) {
            ports += node.portCount() + (node.hasPort(0) ? 1 : 0);
        }
        ask(client("H-5"), Mad.GET_TABLE, SaMad.PORT_INFO_RECORD, 0, new byte[PortInfoRecords.LENGTH]);
        assertEquals(ports, records.size());
        ask(client("H-4"), Mad.GET_TABLE, SaMad.PATH_RECORD, 1 << PathRecords.SLID_COMPONENT, slid("H-4"));
        assertEquals(subnet.fabric.nodes().size(), records.size());
    }

    private byte[] slid(String node) {
        byte[] record = new byte[PathRecords.LENGTH];
        MemorySegment.ofArray(record).set(NetworkOrder.SHORT, PathRecords.SLID, (short)
                subnet.port(node).settings().lid());
        return record;
    }

    private void assertNamesOfAllNodes() {
        assertEquals(Mad.OK, status);
        TreeSet<String> names = new TreeSet<>();
        for (byte[] record : records) {
            names.add(new String(record, NodeRecords.DESCRIPTION, 64, StandardCharsets.UTF_8).trim());
        }
        TreeSet<String> expected = new TreeSet<>();
        subnet.fabric.nodes().forEach(node -> expected.add(node.name()));
        assertEquals(expected, names);
    }

    @Test
    @DisplayName("SMP-08 segments that are lost come again")
    void lostSegments() {
        Fabric fabric = subnet.fabric;
        fabric.bitErrors().set(subnet.port("H-8"), 1e-4); // of the acknowledgements one in five
        fabric.bitErrors().set(subnet.port("H-8").peer(), 1e-4);
        SaClient client = client("H-8");
        for (int time = 0; time < 5; time++) {
            ask(client, Mad.GET_TABLE, SaMad.NODE_RECORD, 0, new byte[NodeRecords.LENGTH]);
            assertNamesOfAllNodes();
        }
        assertTrue(fabric.discards(FabricRule.VCRC) > 5);
    }

    private byte[] member(String node, int joinState) {
        byte[] record = new byte[MulticastGroup.LENGTH];
        putGid(record, MulticastGroup.MGID, MGID_HIGH, 1);
        putGid(
                record,
                MulticastGroup.PORT_GID,
                Directory.DEFAULT_PREFIX,
                subnet.port(node).guid());
        MemorySegment.ofArray(record).set(NetworkOrder.INT, MulticastGroup.Q_KEY, 0x1234);
        MemorySegment.ofArray(record).set(NetworkOrder.SHORT, MulticastGroup.P_KEY, (short) 0xFFFF);
        record[MulticastGroup.SCOPE_JOIN_STATE] = (byte) joinState;
        return record;
    }

    @Test
    @DisplayName("SMP-08 FAB-13 who joins a group gets its packets, who leaves gets none, who only sends does")
    void multicast() {
        long join = 1 | 2 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13 | 1 << 16;
        long joinOld = 1 | 2 | 1 << 16;
        ask(client("H-2"), Mad.SET, SaMad.MC_MEMBER_RECORD, joinOld, member("H-2", 1));
        assertEquals(SaMad.INSUFFICIENT_COMPONENTS, status, "what makes a group must say what it is");
        ask(client("H-2"), Mad.SET, SaMad.MC_MEMBER_RECORD, join, member("H-2", 1));
        assertEquals(Mad.OK, status);
        int lid = int16(records.getFirst(), MulticastGroup.MLID);
        assertEquals(0xC000, lid);
        for (String node : List.of("H-4", "H-7")) {
            ask(client(node), Mad.SET, SaMad.MC_MEMBER_RECORD, joinOld, member(node, 1));
            assertEquals(Mad.OK, status);
        }
        ask(client("H-5"), Mad.SET, SaMad.MC_MEMBER_RECORD, joinOld, member("H-5", 4));
        assertEquals(List.of("H-4", "H-7"), receivers("H-2", lid));
        assertEquals(List.of("H-2", "H-4", "H-7"), receivers("H-5", lid));

        ask(client("H-4"), Mad.DELETE, SaMad.MC_MEMBER_RECORD, joinOld, member("H-4", 1));
        assertEquals(Mad.OK, status);
        assertEquals(List.of("H-7"), receivers("H-2", lid));
        ask(client("H-4"), Mad.DELETE, SaMad.MC_MEMBER_RECORD, joinOld, member("H-4", 1));
        assertEquals(SaMad.INVALID_REQUEST, status, "it is no member any more");

        ask(client("H-1"), Mad.GET_TABLE, SaMad.MC_MEMBER_RECORD, 0, new byte[MulticastGroup.LENGTH]);
        assertEquals(1, records.size());
        for (String node : List.of("H-2", "H-7")) {
            ask(client(node), Mad.DELETE, SaMad.MC_MEMBER_RECORD, joinOld, member(node, 1));
        }
        ask(client("H-1"), Mad.GET_TABLE, SaMad.MC_MEMBER_RECORD, 0, new byte[MulticastGroup.LENGTH]);
        assertEquals(0, records.size(), "without a full member there is no group");
        assertEquals(List.of(), receivers("H-5", lid));
    }

    /** Who gets a packet to a multicast LID; nobody gets it twice. */
    private List<String> receivers(String sender, int lid) {
        List<String> got = new ArrayList<>();
        for (Node node : subnet.fabric.nodes()) {
            var before = node.consumer();
            node.setConsumer((packet, port, now) -> {
                if (packet.destinationLid() == lid) {
                    got.add(node.name());
                } else {
                    before.received(packet, port, now);
                }
            });
        }
        Port from = subnet.port(sender);
        FabricPacket packet = subnet.fabric.newPacket();
        int words = (Lrh.LENGTH + Bth.LENGTH + 64 + 4) / 4;
        packet.bytes().fill((byte) 0);
        int source = from.settings().lid();
        Lrh.write(packet.bytes(), 0, 0, 0, Lrh.LNH_IBA_LOCAL, lid, words, source);
        new Bth(Opcode.UD_SEND_ONLY, false, false, 0, 0, 0xFFFF, false, false, 0, 0xFFFFFF, false, 0, 0)
                .emit(packet.bytes(), Lrh.LENGTH);
        packet.setLength(4 * words + Vcrc.LENGTH);
        packet.leaveUnsealed();
        from.node().send(packet, from, subnet.fabric.events().now());
        subnet.run(0.001);
        got.sort(null);
        return got;
    }
}
