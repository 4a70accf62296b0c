package org.rdma4j.tools.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.tools.TwoEnds;
import org.rdma4j.verbs.DeviceContext;

class DeviceCommandTest {

    @Test
    void listShowsLoopbackWithItsGid() {
        CommandRun run = CommandRun.of("device", "list");
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        assertTrue(
                run.lines().stream().anyMatch(line -> line.matches(" +roce2:127\\.0\\.0\\.1 +(ACTIVE +4096|BUSY).*")),
                run.out());
    }

    @Test
    void listMarksDevicesThatAnotherHas() {
        try (DeviceContext _ = DeviceContext.open("loop:a")) {
            CommandRun run = CommandRun.of("device", "list");
            assertTrue(run.lines().stream().anyMatch(line -> line.matches(" +loop:a +BUSY .*")), run.out());
        }
    }

    @Test
    void showTellsLimitsPortAndGids() {
        CommandRun run = CommandRun.of("device", "show", TwoEnds.device(3));
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        String text = run.out().replaceAll("[ \\t]+", " ");
        assertTrue(text.startsWith("hca_id: " + TwoEnds.device(3) + "\n"), text);
        assertTrue(text.contains(" max_qp_rd_atom: 128\n"), text);
        assertTrue(text.contains(" state: PORT_ACTIVE (4)\n"), text);
        assertTrue(text.contains(" active_mtu: 4096 (5)\n"), text);
        assertTrue(text.contains(" max_msg_sz: 0x80000000\n"), text);
        assertTrue(text.matches("(?s).* node_guid: ([0-9a-f]{4}:){3}[0-9a-f]{4}\n.*"), text);
        assertTrue(text.matches("(?s).* GID\\[ 0\\]: ::ffff:127\\.[0-9.]+, RoCE v2\n.*"), text);
    }

    /** The names are those of rdma-core's devinfo.c; a lab test holds them against the real one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fw_ver",
                "sys_image_guid",
                "vendor_part_id",
                "max_mr_size",
                "page_size_cap",
                "max_sge_rd",
                "max_res_rd_atom",
                "max_ee",
                "max_rdd",
                "max_mw",
                "max_raw_ethy_qp",
                "max_total_mcast_qp_attach",
                "max_ah",
                "max_pkeys",
                "port_lmc",
                "qkey_viol_cntr",
                "subnet_timeout",
                "num_comp_vectors"
            })
    void showHasEachLineOfIbvDevinfo(String name) {
        CommandRun run = CommandRun.of("device", "show", "loop:devinfo");
        assertTrue(run.out().matches("(?s).*\n\t+" + name + ": +\\S.*"), run.out());
    }

    @Test
    void flagsStandBelowTheirBits() {
        String text = CommandRun.of("device", "show", "loop:devinfo").out().replaceAll("[ \\t]+", " ");
        assertTrue(text.matches("(?s).* device_cap_flags: 0x[0-9a-f]{8}\n BAD_PKEY_CNTR\n BAD_QKEY_CNTR\n.*"), text);
        assertTrue(text.contains(" atomic_cap: ATOMIC_HCA (1)\n"), text);
        assertTrue(text.contains(" ud_odp_caps: \n SUPPORT_SEND\n SUPPORT_RECV\n"), text);
        assertTrue(text.contains(" port_cap_flags: 0x04010000\n"), text);
        assertTrue(text.contains(" vendor_id: 0xffffff\n"), text);
        assertTrue(text.contains(" phys_state: LINK_UP (5)\n"), text);
        assertTrue(text.contains(" active_speed: unknown (0)\n"), text);
    }

    @Test
    void bothSpeakJson() {
        CommandRun list = CommandRun.of("device", "list", "--json");
        JsonReader.read(list.out());
        assertTrue(list.out().contains("\"device\": \"loop:a\""), list.out());
        CommandRun show = CommandRun.of("device", "show", TwoEnds.device(4), "--json");
        JsonReader.read(show.out());
        assertTrue(show.out().contains("\"gids\": ["), show.out());
    }

    @ParameterizedTest
    @CsvSource({
        "eth0, 2, eth0",
        "roce9:127.0.0.1, 2, roce9",
        "roce2:, 2, roce2:",
        "roce2:198.51.100.7, 1, 198.51.100.7 is not an address of this host",
        "roce2:0.0.0.0, 2, wildcard"
    })
    void unknownDeviceIsOneLineThatNamesIt(String name, int status, String named) {
        CommandRun run = CommandRun.of("device", "show", name);
        assertEquals(status, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
