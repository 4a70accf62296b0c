package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;

/**
 * Shows a tap the whole frames that a socket shows only the payload of. The headers in front are made again from what
 * the socket tells. Not seen are the MAC addresses, which are made from the IP addresses, and the UDP checksum: that of a
 * frame sent is the one that the operating system makes, that of a frame received is shown as 0, the way RoCE hardware
 * sends it.
 */
public final class FrameShow {

    /** The longest datagram and the headers in front. */
    private static final int LONGEST_FRAME = (1 << 16) + 64;

    private final Gid local;
    private final int port;
    private final int defaultHopLimit;
    private final FrameBuilder builder;
    private FrameTap tap;
    private MemorySegment frame;

    /** @param defaultHopLimit what the sockets of this host send, and what a peer whose own is not known is said to send */
    public FrameShow(Gid local, int port, int defaultHopLimit) {
        this.defaultHopLimit = defaultHopLimit;
        this.local = local;
        this.port = port;
        this.builder = FrameBuilder.roceV2(local);
    }

    /** Shows frames to {@code next} from now on; {@code null} ends it. */
    public void tap(FrameTap next) {
        tap = next;
        if (frame == null && next != null) {
            frame = Arena.ofAuto().allocate(LONGEST_FRAME, 8);
        }
    }

    boolean isWatched() {
        return tap != null;
    }

    /** @param length bytes of UDP payload, which may be too few for a packet */
    void received(long now, PacketInfo info, MemorySegment payload, long at, int length, Rule decision) {
        if (tap == null) {
            return;
        }
        builder.gids(info.remoteHigh, info.remoteLow, info.localHigh, info.localLow)
                .udpPorts(info.udpSourcePort, port)
                .trafficClass(info.trafficClass)
                .hopLimit(info.hopLimit != 0 ? info.hopLimit : defaultHopLimit)
                .identification(info.identification);
        tap.received(now, frame, 0, build(payload, at, length), decision);
    }

    /** @param length bytes of UDP payload */
    void sent(long now, UdpRoute route, int identification, MemorySegment payload, long at, int length) {
        if (tap == null) {
            return;
        }
        int chosen = route.attributes().hopLimit();
        builder.gids(local, route.remote)
                .udpPorts(route.sourcePort, route.destinationPort)
                .trafficClass(route.attributes().trafficClass())
                .hopLimit(chosen != 0 ? chosen : defaultHopLimit)
                .identification(identification);
        int frameLength = build(payload, at, length);
        builder.writeUdpChecksum(frame, 0);
        tap.sent(now, frame, 0, frameLength);
    }

    private int build(MemorySegment payload, long at, int length) {
        int headers = builder.writeHeaders(frame, 0, length - Icrc.LENGTH);
        MemorySegment.copy(payload, at, frame, headers, length);
        return headers + length;
    }
}
