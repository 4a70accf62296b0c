package org.rdma4j.ibsim.mad;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.ibsim.fabric.PortCounters;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.subnet.InstantSubnet;

/** SMP-05 and SMP-09: what is set is there to read, what is read-only stays, counters stop at their widths. */
class AttributesTest {

    private final Asker asker = new Asker();

    private static byte[] data(Mad mad) {
        return mad.data().toArray(ValueLayout.JAVA_BYTE);
    }

    private Mad withData(byte[] bytes) {
        Mad mad = new Mad();
        mad.data().asByteBuffer().put(bytes);
        return mad;
    }

    private byte[] noise(int seed) {
        byte[] bytes = new byte[Mad.DATA_LENGTH];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "P_KeyTable, 0x16, 0x10000", // port 1, block 0
        "P_KeyTable, 0x16, 0x10001",
        "LinearForwardingTable, 0x19, 0",
        "LinearForwardingTable, 0x19, 3",
        "MulticastForwardingTable, 0x1B, 0",
        "MulticastForwardingTable, 0x1B, 5"
    })
    @DisplayName("SMP-05 tables of a switch are read as they were set, by the answer and by the next question")
    void tables(String name, int attribute, int modifier) {
        byte[] wanted = noise(modifier);
        if (attribute == 0x1B) {
            for (int at = 0; at < wanted.length; at += 2) {
                wanted[at] = 0; // ports 0 to 7
            }
        }
        assertArrayEquals(wanted, data(asker.set(Asker.SWITCH, attribute, modifier, withData(wanted))), name);
        assertArrayEquals(wanted, data(asker.get(Asker.SWITCH, attribute, modifier)), name);
    }

    @Test
    @DisplayName("SMP-05 SLtoVL and VLArbitration have their nibbles, the rest is reserved")
    void lanes() {
        byte[] levels = new byte[Mad.DATA_LENGTH];
        for (int at = 0; at < 8; at++) {
            levels[at] = (byte) (at << 4 | 7 - at);
        }
        asker.set(Asker.SWITCH, 0x17, 0x0102, withData(levels));
        assertArrayEquals(levels, data(asker.get(Asker.SWITCH, 0x17, 0x0102)));
        assertEquals(3, asker.fabric.node("S-1").lanes().lane(1, 2, 6));
        byte[] weights = noise(4);
        for (int at = 0; at < weights.length; at += 2) {
            weights[at] &= 0xF;
        }
        asker.set(Asker.SWITCH, 0x18, 3 << 16 | 2, withData(weights));
        assertArrayEquals(weights, data(asker.get(Asker.SWITCH, 0x18, 3 << 16 | 2)));
    }

    @Test
    @DisplayName("SMP-05 of NodeInfo, NodeDescription and GUID 0 a Set changes nothing")
    void readOnly() {
        for (int attribute : new int[] {0x10, 0x11, 0x14}) {
            byte[] before = data(asker.get(Asker.SECOND_HOST, attribute, 0));
            asker.set(Asker.SECOND_HOST, attribute, 0, withData(noise(1)));
            assertArrayEquals(before, data(asker.get(Asker.SECOND_HOST, attribute, 0)), "attribute " + attribute);
        }
    }

    @Test
    @DisplayName("SMP-05 PortInfo: what a manager may set is kept, what the port is stays")
    void portInfo() {
        Mad before = asker.get(Asker.SECOND_HOST, SubnetAgent.PORT_INFO, 0);
        Mad wanted = withData(data(before));
        wanted.setInt64(Mad.DATA + PortInfo.GID_PREFIX, 0xFEC0_0000_0000_0001L);
        wanted.setInt16(Mad.DATA + PortInfo.LID, 0x123);
        wanted.setInt16(Mad.DATA + PortInfo.MASTER_SM_LID, 0x77);
        wanted.setInt8(Mad.DATA + PortInfo.SPEED_SUPPORTED_STATE, 0xF0); // supported speeds: not his to set
        wanted.setInt8(Mad.DATA + PortInfo.PHYSICAL_STATE_DOWN_DEFAULT, 0);
        wanted.setInt8(Mad.DATA + PortInfo.WIDTH_ACTIVE, 8);
        wanted.setInt8(Mad.DATA + PortInfo.VL_STALL_HOQ_LIFE, 3 << 5 | 9);
        wanted.setInt8(Mad.DATA + PortInfo.INIT_REPLY_MTU_CAP, 1);
        Mad after = asker.set(Asker.SECOND_HOST, SubnetAgent.PORT_INFO, 0, wanted);
        assertEquals(Smp.DIRECTION, after.status());
        assertEquals(0xFEC0_0000_0000_0001L, after.int64(Mad.DATA + PortInfo.GID_PREFIX));
        assertEquals(0x123, after.int16(Mad.DATA + PortInfo.LID));
        assertEquals(0x77, after.int16(Mad.DATA + PortInfo.MASTER_SM_LID));
        assertEquals(3 << 5 | 9, after.int8(Mad.DATA + PortInfo.VL_STALL_HOQ_LIFE));
        for (int offset : new int[] {
            PortInfo.SPEED_SUPPORTED_STATE, PortInfo.WIDTH_ACTIVE, PortInfo.INIT_REPLY_MTU_CAP, PortInfo.VL_ARB_LOW_CAP
        }) {
            assertEquals(before.int8(Mad.DATA + offset), after.int8(Mad.DATA + offset), "offset " + offset);
        }
    }

    @Test
    @DisplayName("SMP-05 FAB-08 SwitchInfo: LinearFDBTop and LifeTimeValue are set, capacities stay")
    void switchInfo() {
        byte[] before = data(asker.get(Asker.SWITCH, 0x12, 0));
        byte[] wanted = before.clone();
        wanted[0] = 1;
        wanted[7] = 99;
        wanted[11] = 5 << 3;
        Mad after = asker.set(Asker.SWITCH, 0x12, 0, withData(wanted));
        assertEquals(before[0], data(after)[0]);
        assertEquals(99, data(after)[7]);
        assertEquals(5, ((Switch) asker.fabric.node("S-1")).lifetimeExponent());
    }

    // SMP-09

    private Mad counters(int method, int attribute, int port, int select) {
        Mad mad = asker.routed(asker.port("H-2").settings().lid(), Mad.PERFORMANCE, method, attribute, 0);
        mad.setInt8(Mad.DATA + 1, port);
        mad.setInt16(Mad.DATA + 2, select);
        return asker.ask(mad);
    }

    @Test
    @DisplayName("SMP-09 the narrow counters stop at their largest value, the extended ones go on; a mask clears")
    void counterWidths() {
        InstantSubnet.bringUp(asker.fabric);
        PortCounters port = asker.port("H-2").counters();
        port.symbolErrors = 70_000;
        port.linkDowned = 300;
        port.localLinkIntegrityErrors = 99;
        port.excessiveBufferOverruns = 3;
        port.xmitData = 5_000_000_000L;
        Mad narrow = counters(Mad.GET, 0x12, 1, 0);
        assertEquals(0xFFFF, narrow.int16(Mad.DATA + 4));
        assertEquals(0xFF, narrow.int8(Mad.DATA + 7));
        assertEquals(15 << 4 | 3, narrow.int8(Mad.DATA + 19));
        assertEquals(0xFFFF_FFFF, narrow.int32(Mad.DATA + 24));
        long words = counters(Mad.GET, 0x1D, 1, 0).int64(Mad.DATA + 8);
        assertEquals(5, words / 1_000_000_000L);

        Mad cleared = counters(Mad.SET, 0x12, 1, 1); // SymbolErrorCounter
        assertEquals(0, cleared.int16(Mad.DATA + 4));
        assertEquals(0xFF, cleared.int8(Mad.DATA + 7), "not selected: it stays");
        assertEquals(0, port.symbolErrors);
        assertEquals(300, port.linkDowned);
        counters(Mad.SET, 0x1D, 1, 1); // PortXmitData
        assertEquals(0, port.xmitData / 1_000_000);
    }

    @Test
    @DisplayName("SMP-09 a port that there is not has status 7, invalid field")
    void unknownPort() {
        InstantSubnet.bringUp(asker.fabric);
        assertEquals(Mad.INVALID_FIELD, counters(Mad.GET, 0x12, 7, 0).status());
    }
}
