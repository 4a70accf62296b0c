package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.GidType;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.wire.Gid;

/** {@code ibv_query_device}, {@code _port}, {@code _gid}, {@code _pkey}, as libibverbs documents them. */
class DeviceQueriesTest {

    private static final Gid GID = Gid.ofIpv4(0x0A00_0001);

    private final DeviceContext device = DeviceContext.on(
            new LoopNetwork().join(GID), DeviceOptions.defaults().withProgress(Progress.CALLER));

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void portIsActiveOnEthernet() {
        PortAttributes port = device.queryPort();
        assertEquals(PortState.ACTIVE, port.state());
        assertEquals(4, port.state().number());
        assertEquals(5, port.physicalState().number());
        assertEquals(LinkLayer.ETHERNET, port.linkLayer());
        assertEquals(2, port.linkLayer().number());
        assertEquals(1L << 31, port.maxMessageSize());
        assertTrue(port.activeMtu() <= port.maxMtu(), port.toString());
    }

    @Test
    void ethernetHasNoSubnetManager() {
        PortAttributes port = device.queryPort();
        assertEquals(SubnetAttributes.NONE, port.subnet());
        assertEquals(0x0401_0000, PortCapability.mask(port.capabilities()), "IP_BASED_GIDS and CM_SUP");
    }

    @Test
    void softwareHasNoVendorAndItsOwnVersion() {
        DeviceIdentity identity = device.identity();
        assertEquals(0xFF_FFFF, identity.vendorId(), "no OUI");
        assertEquals(device.nodeGuid(), identity.nodeGuid());
        assertEquals(device.nodeGuid(), identity.systemImageGuid());
        assertTrue(identity.firmwareVersion().matches("|\\d+\\.\\d+\\.\\d+.*"), identity.firmwareVersion());
    }

    @Test
    void capabilitiesAreThoseThatAreThere() {
        DeviceAttributes attributes = device.queryDevice();
        assertTrue(attributes.capabilities().contains(DeviceCapability.XRC));
        assertFalse(attributes.capabilities().contains(DeviceCapability.RESIZE_MAX_WR), "modify refuses CAP");
        assertEquals(1, attributes.atomicCapability().number());
        assertEquals(0x1C0_0000_0000L, DeviceCapability.mask(attributes.capabilities()) & -1L << 32, "annex A19");
    }

    @Test
    void gidTableNamesEachEntry() {
        assertEquals(List.of(new GidEntry(GID, 0, 1, GidType.ROCE_V2)), device.queryGidTable());
        assertEquals(GID, device.queryGid(0));
    }

    @Test
    void gidIndexOutsideOfTheTableIsRefused() {
        for (int index : new int[] {-1, 1}) {
            VerbsException e = assertThrows(VerbsException.class, () -> device.queryGid(index));
            assertTrue(e.getMessage().contains("GID index " + index), e.getMessage());
        }
    }

    @Test
    void pkeyIsFoundByIndexAndByValue() {
        assertEquals(0xFFFF, device.queryPkey(0));
        assertEquals(0, device.pkeyIndex(0xFFFF));
        VerbsException e = assertThrows(VerbsException.class, () -> device.pkeyIndex(0x8001));
        assertTrue(e.getMessage().contains("0x8001"), e.getMessage());
        assertThrows(VerbsException.class, () -> device.queryPkey(1));
    }

    @Test
    void nodeGuidIsTheSameOnEveryRun() {
        assertEquals(NodeGuid.of(GID), device.nodeGuid());
        assertEquals(0x02, device.nodeGuid() >>> 56 & 0x03, "a locally administered EUI-64 of one node");
    }

    @Test
    void nodeGuidOfALinkLocalGidIsItsEui64() {
        assertEquals(0x5054_00FF_FE00_0001L, NodeGuid.of(new Gid(0xFE80_0000_0000_0000L, 0x5254_00FF_FE00_0001L)));
    }

    @Test
    void nodeGuidsOfNeighboursDiffer() {
        Set<Long> guids = new HashSet<>();
        for (int host = 0; host < 1 << 16; host++) {
            guids.add(NodeGuid.of(Gid.ofIpv4(0x7F00_0000 | host)));
        }
        assertEquals(1 << 16, guids.size());
        assertNotEquals(NodeGuid.of(new Gid(1, 2)), NodeGuid.of(new Gid(2, 1)));
    }
}
