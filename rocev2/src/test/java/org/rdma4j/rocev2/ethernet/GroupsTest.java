package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.Route;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;

/** Multicast from Ethernet up. */
class GroupsTest {

    private static final Gid IPV4 = Gid.ofIpv4(0xEF81_0203);
    private static final Gid IPV6 = new Gid(0xFF0EL << 48, 0x1234_5678L);

    private static Gid group(Encapsulation encapsulation) {
        return encapsulation == Encapsulation.ROCE_V2_IPV4 ? IPV4 : IPV6;
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void membersGetThePacketsOthersDoNot(Encapsulation encapsulation) {
        Station sender = new Station(Station.config(encapsulation, 1));
        Station member = new Station(Station.config(encapsulation, 2));
        Station other = new Station(Station.config(encapsulation, 3));
        Gid group = group(encapsulation);
        member.link.join(group);
        Route route = sender.route(group);
        sender.io.takeSent();
        sender.send(route, 1, 8);
        byte[] frame = sender.io.takeSent().getFirst();
        assertEquals(
                encapsulation == Encapsulation.ROCE_V2_IPV4 ? "01005e010203" : "333312345678",
                HexFormat.of().formatHex(frame, 0, 6));
        member.io.arrive(frame);
        other.io.arrive(frame);
        assertEquals(0, other.poll());
        assertEquals(1, member.poll());
        assertTrue(member.packets.getFirst().contains(" > " + group + " "), member.packets::toString);
        assertEquals(0, sender.poll(), "the sender is no member");

        member.link.leave(group);
        member.io.arrive(frame);
        assertEquals(0, member.poll());
        assertEquals(0, member.link.counters().malformed + member.link.counters().icrcErrors);
    }

    @Test
    void aMemberGetsItsOwnPacketsToo() {
        Station station = new Station(Station.config(Encapsulation.ROCE_V2_IPV6, 1));
        station.link.join(IPV6);
        station.link.join(IPV6);
        Route route = station.route(IPV6);
        station.io.takeSent();
        station.send(route, 1, 8);
        assertEquals(1, station.io.sent.size());
        assertEquals(1, station.poll());
        assertEquals(1, station.packets.size());
        assertEquals(1, station.link.counters().sentPackets);
    }

    /** A group's address in a frame to this station alone, and this station's in a group's frame, are neither. */
    @Test
    void frameAndPacketMustBeOfOneKind() {
        Station sender = new Station(Station.config(Encapsulation.ROCE_V2_IPV6, 1));
        Station member = new Station(Station.config(Encapsulation.ROCE_V2_IPV6, 2));
        member.link.join(IPV6);
        sender.io.takeSent();
        sender.send(sender.route(IPV6), 1, 8);
        byte[] frame = sender.io.takeSent().getFirst();
        System.arraycopy(HexFormat.of().parseHex("020000000002"), 0, frame, 0, 6);
        member.io.arrive(frame);
        assertEquals(0, member.poll());
    }

    @Test
    void whatIsNoGroupIsRefused() {
        Station station = new Station(Station.config(Encapsulation.ROCE_V2_IPV4, 1));
        for (Gid gid : List.of(Gid.ofIpv4(0x0A000001), Gid.ofIpv4(0xF0000001), IPV6)) {
            assertThrows(LinkException.class, () -> station.link.join(gid));
        }
        Groups groups = new Groups();
        assertTrue(groups.add(IPV4) && groups.add(IPV6) && !groups.add(IPV4));
        assertTrue(groups.remove(IPV4) && !groups.remove(IPV4) && groups.contains(IPV6.high(), IPV6.low()));
    }
}
