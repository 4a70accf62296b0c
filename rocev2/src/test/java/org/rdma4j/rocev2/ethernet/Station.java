package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.UdpHeader;

/** A port on a {@link MemoryIo}, with a clock that the test turns, and the packets that it got. */
final class Station {

    static final long SECOND = 1_000_000_000L;

    final MemoryIo io = new MemoryIo();
    final EthernetLink link;
    final PortConfig config;
    final List<String> packets = new ArrayList<>();
    long now = 5 * SECOND;

    Station(PortConfig config) {
        this.config = config;
        this.link = new EthernetLink("test", config, io, null);
        poll();
    }

    /** 02:00:00:00:00:0N at 10.0.0.N/24 or fd00::N/64, its own answerer. */
    static PortConfig config(Encapsulation encapsulation, int number) {
        return config(encapsulation, number, -1, 0);
    }

    static PortConfig config(Encapsulation encapsulation, int number, int vlanId, int priority) {
        long mac = 0x0200_0000_0000L | number;
        if (encapsulation == Encapsulation.ROCE_V1) {
            return PortConfig.v1(mac, 1500, vlanId, priority);
        }
        boolean ipv4 = encapsulation == Encapsulation.ROCE_V2_IPV4;
        Gid gid = ipv4 ? Gid.ofIpv4(0x0A00_0000 | number) : new Gid(0xFD00L << 48, number);
        int prefix = ipv4 ? 24 : 64;
        return new PortConfig(
                encapsulation, mac, gid, 1500, vlanId, priority, prefix, null, true, UdpHeader.ROCE_V2_PORT);
    }

    Route route(Gid remote) {
        return link.route(RouteAttributes.to(remote, 0xC123));
    }

    /** Sends a packet of a BTH and a payload of so many bytes that count up. */
    void send(Route route, int psn, int payload) {
        Transmitter tx = link.transmitter();
        long at = tx.begin(route);
        Bth.write(tx.headers(), at, 0x04, false, -payload & 3, 0xFFFF, 0x11, false, psn);
        MemorySegment bytes = Arena.ofAuto().allocate(Math.max(payload, 1));
        for (int i = 0; i < payload; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (psn + i));
        }
        tx.gather(MemoryBlock.of(bytes), 0, payload);
        tx.end(Bth.LENGTH, 0);
        tx.flush(now);
    }

    int poll() {
        return link.poll(
                (packet, offset, length, info) -> {
                    packets.add(info.remote() + " > " + info.local() + " "
                            + HexFormat.of()
                                    .formatHex(packet.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE)));
                    return Rule.ACCEPTED;
                },
                now);
    }

    /** Lets time go by. */
    void after(long nanos) {
        now += nanos;
        poll();
    }

    /** What was sent goes to the other station and is polled there, and so on until both are silent. */
    void exchange(Station other) {
        boolean silent;
        do {
            silent = io.sent.isEmpty() && other.io.sent.isEmpty();
            io.takeSent().forEach(other.io::arrive);
            other.io.takeSent().forEach(io::arrive);
            poll();
            other.poll();
        } while (!silent);
    }
}
