package org.rdma4j.iwarp.memory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.iwarp.stream.StreamNetwork;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.wire.Gid;

/** TCP as a test wants it: in memory, in virtual time, cut where it is told to. */
public final class MemoryNetwork implements StreamNetwork {

    private final Hub hub;
    private final InetAddress address;
    private final LinkCounters counters = new LinkCounters();
    private final List<MemorySocket> sockets = new ArrayList<>();
    private Cut cut = Cut.none();
    private int buffer = 64 << 10;
    private int segmentSize = 1448;
    private long flippedBit = Long.MIN_VALUE;

    public MemoryNetwork(Hub hub, String address) {
        this.hub = hub;
        this.address = InetAddress.ofLiteral(address);
    }

    public MemoryNetwork withCut(Cut value) {
        cut = value;
        return this;
    }

    /** @param bytes that wait in each direction before a writer has to wait, at most 128 KB */
    public MemoryNetwork withBuffer(int bytes) {
        buffer = bytes;
        return this;
    }

    public MemoryNetwork withSegmentSize(int bytes) {
        segmentSize = bytes;
        return this;
    }

    /** One bit of what each connection sends from here is wrong when it arrives; negative for none. */
    public MemoryNetwork withFlippedBit(long value) {
        flippedBit = value;
        return this;
    }

    long flippedBit() {
        return flippedBit;
    }

    Hub hub() {
        return hub;
    }

    Cut cut() {
        return cut;
    }

    int buffer() {
        return buffer;
    }

    int segmentSize() {
        return segmentSize;
    }

    void remove(MemorySocket socket) {
        sockets.remove(socket);
    }

    /** Connections that are not closed. */
    public List<MemorySocket> sockets() {
        return List.copyOf(sockets);
    }

    @Override
    public MemorySocket connect(InetSocketAddress local, InetSocketAddress remote, StreamHandler handler) {
        InetSocketAddress from = local == null ? new InetSocketAddress(address, hub.freshPort()) : local;
        MemorySocket here = new MemorySocket(this, from, remote);
        here.handler(handler);
        sockets.add(here);
        MemoryListener listener = hub.listener(remote);
        if (listener == null) {
            MemorySocket nobody = new MemorySocket(this, remote, from);
            here.join(nobody);
            nobody.join(here);
            nobody.reset();
            return here;
        }
        MemorySocket there = new MemorySocket(listener.network(), remote, from);
        here.join(there);
        there.join(here);
        listener.network().sockets.add(there);
        there.handler(listener.accept().apply(there));
        here.tellConnected();
        return here;
    }

    @Override
    public StreamListener listen(InetSocketAddress local, int backlog, Function<StreamSocket, StreamHandler> accept) {
        InetSocketAddress at =
                local.getPort() == 0 ? new InetSocketAddress(local.getAddress(), hub.freshPort()) : local;
        MemoryListener listener = new MemoryListener(this, at, accept);
        hub.add(at, listener);
        return listener;
    }

    @Override
    public boolean poll(long now) {
        boolean worked = false;
        for (MemorySocket socket : List.copyOf(sockets)) {
            worked |= !socket.isClosed() && socket.poll();
        }
        return worked;
    }

    @Override
    public String name() {
        return "iwarp:" + address.getHostAddress();
    }

    public InetAddress address() {
        return address;
    }

    @Override
    public List<Gid> gids() {
        return List.of(Gid.of(address));
    }

    @Override
    public int maxPathMtu() {
        return 4096;
    }

    @Override
    public int interfaceMtu() {
        return 1500;
    }

    @Override
    public void await(long nanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void tap(FrameTap tap) {}

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        for (MemorySocket socket : List.copyOf(sockets)) {
            socket.close();
        }
    }
}
