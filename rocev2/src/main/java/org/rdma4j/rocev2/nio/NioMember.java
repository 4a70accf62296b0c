package org.rdma4j.rocev2.nio;

import org.rdma4j.link.PacketHandler;
import org.rdma4j.rocev2.udp.UdpGroups;

/** The channel of one multicast group. */
record NioMember(NioSocket socket, NioReceiver receiver) implements UdpGroups.Member {

    @Override
    public int poll(PacketHandler handler, long now) {
        return receiver.poll(handler, now);
    }

    @Override
    public void close() {
        socket.close();
    }
}
