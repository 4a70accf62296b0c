package org.rdma4j.ibsim.door;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.mad.MadProgram;

/** A program that has come in by the door. */
final class DoorClient implements MadProgram {

    /** ETIMEDOUT: what a program is told where its request went nowhere. */
    private static final int TIMED_OUT = 110;

    private final int owner;
    private final DatagramChannel channel;
    private final SocketAddress address;
    private final Port port;
    private final int qpn;
    private boolean manager;

    /**
     * @param owner its number at the agents
     * @param address where the program takes datagrams
     */
    DoorClient(int owner, DatagramChannel channel, SocketAddress address, Port port, int qpn, boolean manager) {
        this.owner = owner;
        this.channel = channel;
        this.address = address;
        this.port = port;
        this.qpn = qpn;
        this.manager = manager;
    }

    int owner() {
        return owner;
    }

    DatagramChannel channel() {
        return channel;
    }

    Port port() {
        return port;
    }

    SocketAddress address() {
        return address;
    }

    void setManager(boolean value) {
        manager = value;
    }

    @Override
    public int qpn() {
        return qpn;
    }

    @Override
    public boolean isManager() {
        return manager;
    }

    @Override
    public void received(Mad mad) {
        send(DataMessage.write(mad, 0));
    }

    @Override
    public void undelivered(Mad mad) {
        send(DataMessage.write(mad, TIMED_OUT));
    }

    private void send(ByteBuffer message) {
        try {
            channel.send(message, address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
