package org.rdma4j.rocev2.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

class UdpNioLinkTest {

    private static final LinkOptions NIO = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, "nio", false);

    @Test
    void isOpenedByItsName() {
        try (Link link = Links.open("roce2:" + Loopback.address(31), NIO)) {
            assertInstanceOf(UdpNioLink.class, link);
            assertEquals("roce2:" + Loopback.address(31), link.name());
            assertTrue(link.receiveBuffer() > 10_000, () -> "receive buffer " + link.receiveBuffer());
        }
    }

    @Test
    void saysWhoHasTheAddressOrThatItIsNotHere() {
        try (Link link = UdpNioLink.open(Loopback.address(32), NIO)) {
            LinkException taken = assertThrows(LinkException.class, () -> UdpNioLink.open(Loopback.address(32), NIO));
            assertEquals(LinkException.Kind.ADDRESS_IN_USE, taken.kind());
            assertTrue(taken.getMessage().startsWith(Loopback.address(32) + " port 4791 is taken"), taken::getMessage);
            assertEquals(4096, link.maxPathMtu());
        }
        LinkException elsewhere = assertThrows(LinkException.class, () -> UdpNioLink.open("192.0.2.1", NIO));
        assertEquals(LinkException.Kind.UNREACHABLE, elsewhere.kind());
        assertTrue(elsewhere.getMessage().startsWith("192.0.2.1 is not an address of this host"));
    }

    @Test
    void refusesAPeerOfTheOtherFamily() {
        try (Link link = UdpNioLink.open(Loopback.address(33), NIO)) {
            RouteAttributes ipv6 = RouteAttributes.to(new Gid(0xFD00L << 48, 1), 0xC000);
            LinkException refused = assertThrows(LinkException.class, () -> link.route(ipv6));
            assertEquals(LinkException.Kind.UNREACHABLE, refused.kind());
        }
    }

    @Test
    void countsGarbageAndGoesOn() throws IOException {
        try (Link link = UdpNioLink.open(Loopback.address(34), NIO);
                DatagramChannel stranger = DatagramChannel.open()) {
            InetSocketAddress to = new InetSocketAddress(Loopback.address(34), LinkOptions.ROCE_V2_PORT);
            for (int length : new int[] {0, 1, 15, 16, 17, 1000, 65_000}) {
                stranger.send(ByteBuffer.allocate(length), to);
            }
            List<Rule> decisions = new ArrayList<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (link.counters().receivedPackets < 7 && System.nanoTime() < deadline) {
                link.await(TimeUnit.MILLISECONDS.toNanos(10));
                link.poll(
                        (packet, offset, length, info) -> {
                            decisions.add(Rule.ACCEPTED);
                            return Rule.ACCEPTED;
                        },
                        0);
            }
            assertEquals(7, link.counters().receivedPackets);
            assertEquals(4, link.counters().malformed);
            assertEquals(3, link.counters().icrcErrors);
            assertEquals(List.of(), decisions);
        }
    }

    @Test
    @Timeout(20)
    void anotherThreadEndsAWait() throws InterruptedException {
        try (Link link = UdpNioLink.open(Loopback.address(35), NIO)) {
            Thread waker = Thread.ofVirtual().start(link::wakeup);
            link.await(TimeUnit.SECONDS.toNanos(60));
            waker.join();
            link.await(1); // the short kind of wait
        }
    }
}
