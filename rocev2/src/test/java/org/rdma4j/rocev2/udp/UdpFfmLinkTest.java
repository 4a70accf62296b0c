package org.rdma4j.rocev2.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.Route;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.rocev2.udp.Loopback.Packet;

class UdpFfmLinkTest {

    private static final MemoryBlock PATTERN = Loopback.pattern(1 << 20);

    private UdpFfmLink left;
    private UdpFfmLink right;

    @BeforeEach
    void open() {
        left = UdpFfmLink.open(Loopback.address(1), Loopback.options());
        right = UdpFfmLink.open(Loopback.address(2), Loopback.options());
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void carriesOnePacket() {
        Route route = Loopback.route(left, right, 0xC123);
        Loopback.send(left, route, 7, 16, PATTERN, 5, 99);
        left.transmitter().flush(0);

        Packet packet = Loopback.receive(right, 1).getFirst();
        assertEquals(Loopback.expected(7, 16, PATTERN, 5, 99), packet.bytes());
        assertEquals(left.gids().getFirst(), packet.remote());
        assertEquals(right.gids().getFirst(), packet.local());
        assertEquals(0xC123, packet.sourcePort());
        assertEquals(64, packet.hopLimit());
    }

    @Test
    void carriesATrain() {
        Route route = Loopback.route(left, right, 0xC124);
        for (int psn = 0; psn < 15; psn++) {
            Loopback.send(left, route, psn, 0, PATTERN, psn * 4096L, 4096);
        }
        Loopback.send(left, route, 15, 0, PATTERN, 3, 1001);
        left.transmitter().flush(0);

        List<Packet> packets = Loopback.receive(right, 16);
        assertEquals(16, packets.size());
        for (int psn = 0; psn < 15; psn++) {
            assertEquals(
                    Loopback.expected(psn, 0, PATTERN, psn * 4096L, 4096),
                    packets.get(psn).bytes());
        }
        assertEquals(Loopback.expected(15, 0, PATTERN, 3, 1001), packets.get(15).bytes());
        assertEquals(0, right.counters().icrcErrors);
        assertEquals(1, left.counters().sentTrains);
    }
}
