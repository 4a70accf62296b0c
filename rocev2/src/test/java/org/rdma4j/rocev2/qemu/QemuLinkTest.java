package org.rdma4j.rocev2.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.rocev2.EveryOperation;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.EthernetHeader;

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

    /** A peer that connects first asks for the MAC, and its user may wait for just that. */
    @Test
    void aDeviceIsFoundWhileItsCallerIsBusy() throws InterruptedException {
        String left = "roce2eth:qemu=" + (PORT + 4) + "," + (PORT + 5) + "?address=10.9.0.1";
        String right = "roce2eth:qemu=" + (PORT + 5) + "," + (PORT + 4) + "?address=10.9.0.2";
        try (DeviceContext busy =
                        DeviceContext.open(left, DeviceOptions.defaults().withProgress(Progress.CALLER));
                Link asking = Links.open(right, LinkOptions.DEFAULT)) {
            while (busy.progress()) {
                Thread.onSpinWait(); // its announcement is out
            }
            asking.poll((packet, offset, length, info) -> Rule.ACCEPTED, System.nanoTime());
            asking.route(RouteAttributes.to(busy.queryGid(0), 0xC000));
            List<byte[]> answers = new ArrayList<>();
            asking.tap(new FrameTap() {
                @Override
                public void sent(long now, MemorySegment frame, long offset, int length) {}

                @Override
                public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
                    boolean reply = EthernetHeader.etherType(frame, offset) == EthernetHeader.ARP
                            && ArpPacket.operation(frame, offset + EthernetHeader.LENGTH) == ArpPacket.REPLY;
                    if (reply) {
                        answers.add(frame.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
                    }
                }
            });
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (answers.isEmpty() && System.nanoTime() < end) {
                asking.poll((packet, offset, length, info) -> Rule.ACCEPTED, System.nanoTime());
                asking.await(TimeUnit.MILLISECONDS.toNanos(100));
            }
            assertEquals(1, answers.size());
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
