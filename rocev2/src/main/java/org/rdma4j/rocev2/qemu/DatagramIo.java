package org.rdma4j.rocev2.qemu;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.rocev2.ethernet.FrameIo;
import org.rdma4j.rocev2.ethernet.HeldFrames;
import org.rdma4j.rocev2.nio.NioWaiter;

/** Two UDP ports of this host are the two ends of a cable: each datagram is one frame. */
final class DatagramIo implements FrameIo {

    /** Frames given to the handler in one {@link #poll} at most, so that the caller can answer in between. */
    private static final int BATCH = 128;

    private static final int LONGEST_FRAME = 1 << 16;
    private static final int BUFFER = 4 << 20;

    private final DatagramChannel channel;
    private final NioWaiter waiter;
    private final HeldFrames outgoing = new HeldFrames(1 << 18);
    private final MemorySegment incoming = Arena.ofAuto().allocate(LONGEST_FRAME, 64);
    private final ByteBuffer target = incoming.asByteBuffer();
    private final ByteBuffer view = incoming.asByteBuffer();
    private int refused;

    private DatagramIo(DatagramChannel channel) {
        this.channel = channel;
        this.waiter = new NioWaiter(channel);
    }

    /** @throws LinkException where the port is taken */
    static DatagramIo open(int localPort, int remotePort, int receiveBuffer) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer > 0 ? receiveBuffer : BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
            InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            channel.bind(new InetSocketAddress(here, localPort));
            channel.connect(new InetSocketAddress(here, remotePort));
            return new DatagramIo(channel);
        } catch (IOException e) {
            close(channel);
            throw new LinkException(
                    LinkException.Kind.ADDRESS_IN_USE,
                    "127.0.0.1 port " + localPort + " cannot be this end of the cable: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public MemorySegment memory() {
        return outgoing.memory();
    }

    @Override
    public ByteBuffer view() {
        return outgoing.view();
    }

    @Override
    public long reserve(int length) {
        long at = outgoing.reserve(length);
        if (at < 0) {
            refused += send();
            at = outgoing.reserve(length);
        }
        return at;
    }

    @Override
    public void commit(int length) {
        outgoing.commit(length);
    }

    @Override
    public int flush() {
        int lost = refused + send();
        refused = 0;
        return lost;
    }

    /** Sends what is there; returns the frames that found no room, or nobody. */
    private int send() {
        ByteBuffer frames = outgoing.view();
        int lost = 0;
        for (int index = 0; index < outgoing.count(); index++) {
            int at = outgoing.offset(index);
            frames.limit(at + outgoing.length(index)).position(at);
            try {
                lost += channel.write(frames) == 0 ? 1 : 0;
            } catch (IOException e) {
                lost++; // nobody is at the other end yet
            }
        }
        outgoing.clear();
        return lost;
    }

    @Override
    public void poll(FrameHandler handler) {
        for (int frame = 0; frame < BATCH; frame++) {
            int length;
            try {
                length = channel.read(target.clear());
            } catch (IOException e) {
                continue; // the other end's port was not open when we sent: told once for each such frame
            }
            if (length <= 0) {
                return;
            }
            handler.onFrame(incoming, view, 0, length);
        }
    }

    /** A datagram takes about twice its length of the socket's buffer, and a short one more. */
    @Override
    public int receiveBuffer() {
        try {
            return channel.getOption(StandardSocketOptions.SO_RCVBUF) / 4;
        } catch (IOException e) {
            return BUFFER / 4;
        }
    }

    @Override
    public void await(long nanos) {
        waiter.await(nanos);
    }

    @Override
    public void wakeup() {
        waiter.wakeup();
    }

    @Override
    public void close() {
        waiter.close();
        close(channel);
    }

    private static void close(DatagramChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is of no use any more, closed or not.
            }
        }
    }
}
