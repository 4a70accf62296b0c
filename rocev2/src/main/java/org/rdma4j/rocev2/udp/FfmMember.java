package org.rdma4j.rocev2.udp;

import org.rdma4j.link.PacketHandler;

/** The socket of one multicast group, by system calls. */
record FfmMember(FfmSocket socket, FfmReceiver receiver) implements UdpGroups.Member {

    @Override
    public int poll(PacketHandler handler, long now) {
        return receiver.poll(handler, now);
    }

    @Override
    public void close() {
        socket.close();
    }
}
