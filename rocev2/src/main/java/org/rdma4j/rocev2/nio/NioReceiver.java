package org.rdma4j.rocev2.nio;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.rocev2.udp.FrameShow;
import org.rdma4j.rocev2.udp.PacketGate;
import org.rdma4j.wire.Gid;

/** Takes datagrams from the channel, one by one. */
final class NioReceiver {

    /** Packets taken in one {@link #poll} at most, so that the caller can answer in between. */
    private static final int MAX_PACKETS = 64;

    private static final int LONGEST_DATAGRAM = 1 << 16;

    private final NioSocket socket;
    private final PacketGate gate;
    private final MemorySegment buffer = Arena.ofAuto().allocate(LONGEST_DATAGRAM, 64);
    private final ByteBuffer view = buffer.asByteBuffer();
    private SocketAddress lastSender;

    NioReceiver(NioSocket socket, Gid local, int port, boolean strict, LinkCounters counters, FrameShow show) {
        this.socket = socket;
        this.gate = new PacketGate(buffer, local, port, strict, counters, show);
    }

    /** Returns the number of packets taken from the channel. */
    int poll(PacketHandler handler, long now) {
        int packets = 0;
        try {
            while (packets < MAX_PACKETS) {
                SocketAddress sender = socket.channel().receive(view.clear());
                if (sender == null) {
                    break;
                }
                tellSender(sender);
                gate.receive(0, view.position(), 0, handler, now);
                packets++;
            }
        } catch (IOException e) {
            // Closed, or the system had something to say about an earlier packet: there is nothing to take.
        }
        return packets;
    }

    /** Channels give the same object again while the sender is the same. */
    @SuppressWarnings("ReferenceEquality")
    private void tellSender(SocketAddress sender) {
        if (sender == lastSender) {
            return;
        }
        lastSender = sender;
        InetSocketAddress address = (InetSocketAddress) sender;
        Gid gid = Gid.of(address.getAddress());
        gate.info.remoteHigh = gid.high();
        gate.info.remoteLow = gid.low();
        gate.info.udpSourcePort = address.getPort();
    }
}
