package org.rdma4j.ibsim.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.sm.RouteEngine;
import org.rdma4j.ibsim.sm.SmOptions;
import org.rdma4j.ibsim.sm.SmState;
import org.rdma4j.ibsim.sm.SubnetManager;

/** The InfiniBand diagnostics, and OpenSM as a second manager, with a subnet that our own manager has brought up. */
@ManagementTools
class OurManagerTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String TWO_SWITCHES = """
            Switch 4 "S-1"
            [1] "H-1"[1]
            [2] "H-2"[1]
            [4] "S-2"[4]

            Switch 4 "S-2"
            [1] "H-3"[1]

            Hca 1 "H-1"
            Hca 1 "H-2"
            Hca 1 "H-3"
            """;

    private static final long SECOND = 1_000_000_000_000L;

    @TempDir
    private Path directory;

    private Umad tools(Served served, String host) throws Exception {
        return new Umad(served.port(), host, Files.createDirectories(directory.resolve(host)));
    }

    @Test
    void theToolsSeeWhatItHasSetUp() throws Exception {
        try (Served served = new Served(TWO_SWITCHES)) {
            SubnetManager manager =
                    served.startManager("H-1", SmOptions.defaults().withPriority(9));
            served.await(manager::isUp, LIMIT);
            Fabric fabric = served.fabric();
            int first = fabric.node("H-1").port(1).settings().lid();
            int third = fabric.node("H-3").port(1).settings().lid();
            Umad tools = tools(served, "H-2");
            String master = tools.run("sminfo").succeeded().output();
            assertTrue(master.contains("sm lid " + first + " sm guid 0x"), master);
            assertTrue(master.contains("priority 9 state 3 SMINFO_MASTER"), master);
            String seen = tools.run("ibnetdiscover").succeeded().output();
            for (String name : new String[] {"S-1", "S-2", "H-1", "H-2", "H-3"}) {
                assertTrue(seen.contains("\"" + name + "\""), name + "\n" + seen);
            }
            String route =
                    tools.run("ibtracert " + first + " " + third).succeeded().output();
            assertTrue(route.contains("\"S-1\"") && route.contains("\"S-2\""), route);
            assertEquals(first, tools.lid("H-1"));
            String path =
                    tools.run("saquery --src-to-dst " + first + ":" + third).output();
            assertTrue(path.matches("(?s).*dlid\\.+" + third + "\\s.*"), path);
            assertTrue(path.matches("(?s).*slid\\.+" + first + "\\s.*"), path);
            String port = tools.run("smpquery portinfo " + third).succeeded().output();
            assertEquals(first, Integer.parseInt(port.replaceAll("(?s).*SMLid:\\.*(\\d+).*", "$1")), port);
            tools.run("ibqueryerrors").succeeded();
        }
    }

    @Test
    void openSmStandsByAndTakesOver() throws Exception {
        try (Served served = new Served(TWO_SWITCHES)) {
            SubnetManager manager =
                    served.startManager("H-1", SmOptions.defaults().withPriority(9));
            served.await(manager::isUp, LIMIT);
            Umad tools = tools(served, "H-2");
            Path settings = Files.writeString(
                    directory.resolve("opensm.conf"), "sminfo_polling_timeout 500\npolling_retry_number 1\n");
            try (Umad.Manager _ = tools.startOpenSm("-F", settings.toString(), "-p", "3")) {
                Path log = directory.resolve("H-2").resolve("osm.log");
                await(() -> Files.exists(log) && Files.readString(log).contains("STANDBY"), log);
                assertEquals(SmState.MASTER, served.call(manager::state));
                served.call(() -> {
                    manager.stop();
                    return null;
                });
                await(() -> Files.readString(log).contains("Entering MASTER state"), log);
                int second = served.fabric().node("H-2").port(1).settings().lid();
                await(() -> tools.run("sminfo").output().contains("sm lid " + second + " sm guid"), log);
            }
        }
    }

    @Test
    void itHandsOverToAnOpenSmOfAHigherPriorityAndTakesOverWhenThatIsGone() throws Exception {
        try (Served served = new Served(TWO_SWITCHES)) {
            SmOptions often = new SmOptions(3, 1, RouteEngine.AUTO, SECOND, SECOND);
            SubnetManager manager = served.startManager("H-1", often);
            served.await(manager::isUp, LIMIT);
            Umad tools = tools(served, "H-3");
            try (Umad.Manager _ = tools.startOpenSm("-p", "12")) {
                Path log = directory.resolve("H-3").resolve("osm.log");
                await(() -> Files.exists(log) && Files.readString(log).contains("Entering MASTER state"), log);
                served.await(() -> manager.state() == SmState.STANDBY, LIMIT);
            }
            served.await(() -> manager.state() == SmState.MASTER && manager.isUp(), LIMIT);
        }
    }

    private static void await(Callable<Boolean> condition, Path log) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("OpenSM says\n" + (Files.exists(log) ? Files.readString(log) : "nothing"));
            }
            Thread.sleep(100);
        }
    }
}
