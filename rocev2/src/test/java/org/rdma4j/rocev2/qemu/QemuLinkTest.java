package org.rdma4j.rocev2.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.rocev2.EveryOperation;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.verbs.DeviceContext;

/** Two devices as each other's guest: what QEMU would carry, with no root and no QEMU. */
class QemuLinkTest {

    private static final int PORT = Loopback.port() + 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "roce1:%s",
                "roce1:%s?priority=4",
                "roce2eth:%s?address=10.9.0.%d/24",
                "roce2eth:%s?address=fd00::%d&vlan=9"
            })
    void everyOperationBetweenTwoPorts(String name) {
        String left = name.formatted("qemu=" + PORT + "," + (PORT + 1), 1);
        String right = name.formatted("qemu=" + (PORT + 1) + "," + PORT, 2);
        try (DeviceContext here = DeviceContext.open(left);
                DeviceContext there = DeviceContext.open(right)) {
            EveryOperation.between(here, there, 1024);
            EveryOperation.between(there, here, 256);
            assertEquals(0, here.linkCounters().icrcErrors + there.linkCounters().malformed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"qemu=9001", "qemu=9001,9001", "qemu=0,9001", "qemu=9001,70000", "qemu=a,b"})
    void portsThatAreNoneAreOneClearLine(String place) {
        LinkException refused =
                assertThrows(LinkException.class, () -> Links.open("roce1:" + place, LinkOptions.DEFAULT));
        assertEquals(
                "roce1:" + place + ": " + place + " is to be qemu=LOCAL,REMOTE with two UDP ports of 127.0.0.1, such as"
                        + " qemu=9001,9002",
                refused.getMessage());
    }

    @Test
    void aPortThatIsTakenIsOneClearLine() {
        String name = "roce1:qemu=" + (PORT + 2) + "," + (PORT + 3);
        try (DeviceContext first = DeviceContext.open(name)) {
            LinkException refused = assertThrows(LinkException.class, () -> DeviceContext.open(name));
            assertTrue(
                    refused.getMessage().startsWith("127.0.0.1 port " + (PORT + 2) + " cannot be this end"),
                    refused.getMessage());
            assertEquals(name, first.name());
        }
    }
}
