package org.rdma4j.tools.conform.craft;

import org.rdma4j.link.PacketInfo;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Packet;

/**
 * A packet of the peer's.
 *
 * @param time when it came, on the pace's clock
 * @param from its sender
 * @param sourcePort the UDP source port; 0 where the link cannot see it
 * @param hopLimit TTL or hop limit; 0 where the link cannot see it
 * @param trafficClass DSCP and ECN; 0 where the link cannot see it
 */
public record Seen(long time, Packet packet, Gid from, int sourcePort, int hopLimit, int trafficClass) {

    static Seen of(long time, Packet packet, PacketInfo info) {
        return new Seen(time, packet, info.remote(), info.udpSourcePort, info.hopLimit, info.trafficClass);
    }

    public int opcode() {
        return packet.bth().opcode();
    }

    public int psn() {
        return packet.bth().psn();
    }
}
