package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.NetworkCard.Address;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;

/** What names mean, and what is said of those that mean nothing. */
class PortNameTest {

    private static final long MAC = 0x5254_0000_0001L;
    private static final Address IPV4 = new Address(Gid.ofIpv4(0x0A090001), 24);
    private static final Address LINK_LOCAL = new Address(LinkLocal.of(MAC, -1), 64);
    private static final Address IPV6 = new Address(new Gid(0xFD77L << 48, 1), 64);

    private static PortConfig config(String family, String text, Address... addresses) {
        NetworkCard card = new NetworkCard("eth0", 2, MAC, 1500, true, List.of(addresses));
        return PortConfigs.of(
                PortName.parse(family, text),
                card,
                address -> List.of(addresses).contains(address),
                4791);
    }

    @Test
    void aPlaceAloneHasDefaults() {
        PortName name = PortName.parse("roce2eth", "eth0");
        assertEquals("roce2eth:eth0", name.text());
        assertEquals(-1, name.vlanId());
        assertEquals(0, name.priority());
        assertNull(name.address());
        assertEquals(9000, name.mtu(9000));
    }

    @Test
    void optionsAreSeparatedByAmpersandOrComma() {
        for (String text :
                List.of("eth0?vlan=5&priority=3&address=10.9.0.5/24", "eth0?priority=3,address=10.9.0.5/24,vlan=5")) {
            PortName name = PortName.parse("roce2eth", text);
            assertEquals("roce2eth:eth0?vlan=5&priority=3&address=10.9.0.5/24", name.text());
            assertEquals(5, name.vlanId());
            assertEquals(3, name.priority());
            assertEquals(new Address(Gid.ofIpv4(0x0A090005), 24), name.address());
        }
        assertEquals(0, PortName.parse("roce1", "eth0?priority=3").vlanId(), "a priority needs a tag");
        assertEquals(
                0x5254_0012_3456L,
                PortName.parse("roce1", "x?mac=52:54:00:12:34:56").mac(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eth0?vlan=4095 | roce2eth:eth0: vlan=4095: vlan is a number from 0 to 4094",
                "eth0?priority=8 | roce2eth:eth0: priority=8: priority is a number from 0 to 7",
                "eth0?vlan=five | roce2eth:eth0: vlan=five: vlan is a number from 0 to 4094",
                "eth0?vlan=5&vlan=6 | roce2eth:eth0?vlan=5&vlan=6: vlan stands there twice",
                "eth0?vlans=5 | roce2eth:eth0?vlans=5: \"vlans=5\" is none of its options: vlan, priority, address, gateway, mac, mtu",
                "eth0? | roce2eth:eth0?: \"\" is none of its options: vlan, priority, address, gateway, mac, mtu",
                "?vlan=5 | roce2eth:?vlan=5: an interface belongs behind the colon: roce2eth:eth0",
                "eth0?address=host | roce2eth:eth0: address=host: address is an IP address such as 10.9.0.5, or with its prefix, 10.9.0.5/24",
                "eth0?address=10.9.0.5/33 | roce2eth:eth0: address=10.9.0.5/33: address is an IP address such as 10.9.0.5, or with its prefix, 10.9.0.5/24",
                "eth0?address=0.0.0.0 | roce2eth:eth0: address=0.0.0.0: address is an IP address such as 10.9.0.5, or with its prefix, 10.9.0.5/24",
                "eth0?gateway=fd00::1&address=10.9.0.5 | roce2eth:eth0?address=10.9.0.5&gateway=fd00::1: the gateway is of another family than 10.9.0.5",
                "eth0?vlan=5 | roce2eth:eth0?vlan=5: the addresses of eth0 are not those of VLAN 5; name one: roce2eth:eth0?vlan=5&address=10.9.0.5/24",
            })
    void whatMeansNothingIsOneClearLine(String text, String message) {
        LinkException refused = assertThrows(LinkException.class, () -> {
            PortName name = PortName.parse("roce2eth", text);
            name.mac(0);
            name.mtu(0);
            config("roce2eth", text, IPV4);
        });
        assertEquals(message, refused.getMessage());
        assertEquals(LinkException.Kind.UNKNOWN_DEVICE, refused.kind());
    }

    @Test
    void theFirstAddressIsIpv4OrElseOneBeyondTheLink() {
        assertEquals(
                IPV4.gid(), config("roce2eth", "eth0", LINK_LOCAL, IPV6, IPV4).gid());
        assertEquals(IPV6.gid(), config("roce2eth", "eth0", LINK_LOCAL, IPV6).gid());
        assertEquals(LINK_LOCAL.gid(), config("roce2eth", "eth0", LINK_LOCAL).gid());
        LinkException refused = assertThrows(LinkException.class, () -> config("roce2eth", "eth0"));
        assertEquals(
                "roce2eth:eth0: eth0 has no IP address; name one: roce2eth:eth0?address=10.9.0.5/24",
                refused.getMessage());
    }

    @Test
    void theKernelAnswersForItsOwnAddressesAndWeForOurs() {
        assertTrue(!config("roce2eth", "eth0", IPV4).isOwner());
        PortConfig named = config("roce2eth", "eth0?address=10.9.0.1", IPV4);
        assertTrue(!named.isOwner());
        assertEquals(24, named.prefixLength(), "the interface tells the prefix");
        assertTrue(config("roce2eth", "eth0?address=10.9.0.2/24", IPV4).isOwner());
    }

    @Test
    void roceV1TakesItsGidFromTheMac() {
        PortConfig config = config("roce1", "eth0?vlan=5", IPV4);
        assertEquals(Encapsulation.ROCE_V1, config.encapsulation());
        assertEquals(LinkLocal.of(MAC, 5), config.gid());
        assertEquals(IPV4.gid(), config("roce1", "eth0?address=10.9.0.1", IPV4).gid());
    }

    @Test
    void aPrefixSaysWhoIsOnTheLink() {
        PortConfig v4 = config("roce2eth", "eth0?address=10.9.0.5/20");
        assertTrue(v4.isOnLink(Gid.ofIpv4(0x0A090F01)));
        assertTrue(!v4.isOnLink(Gid.ofIpv4(0x0A091001)));
        PortConfig v6 = config("roce2eth", "eth0?address=fd00::1/68");
        assertTrue(v6.isOnLink(new Gid(0xFD00L << 48, 0x0FFF_FFFF_FFFF_FFFFL)));
        assertTrue(!v6.isOnLink(new Gid(0xFD00L << 48, 0x1000_0000_0000_0000L)));
        assertTrue(v6.isOnLink(LINK_LOCAL.gid()));
        assertTrue(config("roce2eth", "eth0?address=fd00::1").isOnLink(IPV6.gid()));
    }
}
