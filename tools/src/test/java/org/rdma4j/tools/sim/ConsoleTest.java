package org.rdma4j.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.ibsim.door.Door;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.topology.Topologies;

class ConsoleTest {

    private final Fabric fabric = new Fabric(1);
    private final StringWriter out = new StringWriter();
    private Door door;
    private Console console;

    @BeforeEach
    void star() throws IOException {
        Topologies.build("star:2", fabric);
        door = new Door(fabric, new Agents(fabric), InetAddress.getLoopbackAddress(), 0, line -> {});
        console = new Console(fabric, door, 1, InputStream.nullInputStream(), new PrintWriter(out));
    }

    @AfterEach
    void close() throws IOException {
        door.close();
    }

    private String say(String command) {
        out.getBuffer().setLength(0);
        console.execute(command);
        return out.toString();
    }

    @Test
    void cablesArePulledAndPutBack() {
        assertEquals("", say("Unlink \"S-1\"[1]"));
        assertEquals(LinkState.DOWN, fabric.node("H-1").port(1).state());
        assertEquals("", say("Link \"S-1\"[1]"));
        assertEquals(LinkState.INIT, fabric.node("H-1").port(1).state());
        say("unlink \"H-2\"[1]");
        say("ReLink");
        assertEquals(fabric.node("S-1").port(2), fabric.node("H-2").port(1).peer());
    }

    @Test
    void dumpAndGuidTellOfNodesAndPorts() {
        assertEquals(3, say("Dump").lines().count());
        assertTrue(say("dump \"H-1\"").contains("H-1[1] lid 0 INIT to S-1[1]"), out.toString());
        assertTrue(say("Guid \"H-1\"").startsWith("\"H-1\" 0x0000000000100000"), out.toString());
    }

    @Test
    void trafficNeedsASubnetThatIsUp() {
        assertTrue(say("Traffic incast:1K").contains("has no LID"), out.toString());
        InstantSubnet.bringUp(fabric);
        assertEquals("1 of 1 streams finished", say("Traffic incast:1K").strip());
        assertEquals("", say("Error \"H-1\"[1] 1e-9"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Fly                    | "Fly" is no command; help lists them
                    Unlink "S-9"[1]        | there is no node "S-9"
                    Unlink "S-1"[7]        | "S-1" has ports 1 to 2
                    Unlink S-1             | "S-1": a port is named so: "S-1"[2]
                    Link "S-1"[1]          | S-1[1] has lost no cable
                    Link "S-1"[1] "H-2"[1] | S-1[1] has a cable to H-1[1] already
                    Error "S-1"[1] often   | "often" is no bit error rate, such as 1e-6
                    Error "S-1"[1] 2       | S-1[1]: a bit error rate of 2.0 is not between 0 and 1
                    Traffic fast           | "fast" is no traffic
                    """)
    void aWrongCommandIsToldAndChangesNothing(String command, String message) {
        assertTrue(say(command).startsWith(message), out.toString());
        assertEquals(LinkState.INIT, fabric.node("H-1").port(1).state());
    }
}
