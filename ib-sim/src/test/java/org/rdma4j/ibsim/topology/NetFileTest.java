package org.rdma4j.ibsim.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkSpeed;
import org.rdma4j.ibsim.fabric.LinkWidth;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.TopologyException;

class NetFileTest {

    private static Fabric read(String text) {
        Fabric fabric = new Fabric(1);
        NetFile.read(text.lines().toList(), fabric);
        return fabric;
    }

    @Test
    void readsWhatIbnetdiscoverPrints() {
        Fabric fabric = read("""
                #
                # Topology file: generated on Mon Nov 30 05:58:26 2026
                #
                vendid=0x0
                devid=0x0
                sysimgguid=0x200000
                switchguid=0x200000(200000)
                Switch\t4 "S-0000000000200000"\t\t# "S-1" base port 0 lid 2 lmc 0
                [1]\t"H-0000000000100000"[1](100001) \t\t# "H-1" lid 1 4xSDR
                [4]\t"H-0000000000100004"[1](100005) \t\t# "H-3" lid 4 12xEDR

                caguid=0x100000
                Ca\t1 "H-0000000000100000"\t\t# "H-1"
                [1](100001) \t"S-0000000000200000"[1]\t\t# lid 1 lmc 0 "S-1" lid 2 4xSDR

                caguid=0x100004
                Ca\t1 "H-0000000000100004"\t\t# "H-3"
                """);
        assertEquals(0x200000, fabric.node("S-0000000000200000").guid());
        assertEquals("H-3", fabric.node("H-0000000000100004").description());
        Port fast = fabric.node("S-0000000000200000").port(4);
        assertEquals(fabric.node("H-0000000000100004").port(1), fast.peer());
        assertEquals(LinkSpeed.EDR, fast.settings().speed());
        assertEquals(LinkWidth.X12, fast.settings().width());
        assertEquals(
                LinkSpeed.SDR,
                fabric.node("H-0000000000100000").port(1).settings().speed());
    }

    @Test
    void readsItsOwnText() {
        Fabric one = new Fabric(1);
        Topologies.build("dragonfly:1,2,2", one);
        String text = NetFile.write(one);
        assertEquals(text, NetFile.write(read(text)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Switch 4 "S" ~[1] "H"[1] ~[1] "G"[1] ~ ~Ca 1 "H" ~ ~Ca 1 "G" | line 3: S[1] has a cable to H[1] already
                    Switch 4 "S" ~[1] "H"[1]                                      | line 2: there is no node "H"
                    Switch 4 "S" ~[1] "S"[1]                                      | line 2: a cable from S[1] to itself
                    Switch 4 "S" ~[5] "H"[1] ~ ~Ca 1 "H"                          | line 2: "S" has ports 1 to 4, not 5
                    Switch 4 "S" ~ ~Switch 4 "S"                                  | line 3: there are two nodes "S"
                    Switch 99 "S"                                                 | line 1: switch "S": 99 ports; 1 to 63 are possible
                    Switch 99999999999 "S"                                        | line 1: switch "S": 2147483647 ports; 1 to 63 are possible
                    [1] "S"[1]                                                    | line 1: a cable without a node above it
                    hello                                                         | line 1: "hello" is neither a node nor a cable
                    """)
    void namesTheLine(String text, String message) {
        String file = text.replace('~', '\n');
        assertEquals(
                message, assertThrows(TopologyException.class, () -> read(file)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "ring:2", "star:0", "fat-tree:3", "torus:4", "dragonfly:1,2", "tree:4", "star:x"})
    void refusesWhatIsNoTopology(String name) {
        assertThrows(TopologyException.class, () -> Topologies.build(name, new Fabric(1)));
    }

    @ParameterizedTest
    @CsvSource({"star:5,6", "ring:4,8", "fat-tree:4,14", "'torus:3,3',18", "'dragonfly:1,2,1',12"})
    void buildsByName(String name, int nodes) {
        Fabric fabric = new Fabric(1);
        Topologies.build(name, fabric);
        assertEquals(nodes, fabric.nodes().size());
        assertEquals(
                List.of(),
                fabric.nodes().stream().filter(node -> node.portCount() == 0).toList());
    }
}
