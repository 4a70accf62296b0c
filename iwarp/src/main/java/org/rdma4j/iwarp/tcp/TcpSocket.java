package org.rdma4j.iwarp.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.tap.ConnectionTap;

/** One connection of a {@link TcpNetwork}. */
final class TcpSocket implements StreamSocket {

    private final TcpNetwork network;
    private final SocketChannel channel;
    private SelectionKey key;
    private StreamHandler handler;
    private InetSocketAddress local;
    private InetSocketAddress remote;
    private int segmentSize;
    private MemorySegment held; // bytes that the handler has not consumed
    private int heldLength;
    private boolean ended;
    private boolean toldEnd;
    private boolean closed;
    private IOException failure; // of a write; told with the next poll
    private ConnectionTap shown; // null where nobody looks

    /** Where it stands among those that are read without being asked for; the network's. */
    long lastFind;

    boolean isHot;

    TcpSocket(TcpNetwork network, SocketChannel channel) {
        this.network = network;
        this.channel = channel;
    }

    void handler(StreamHandler value) {
        handler = value;
    }

    void register(int interest) throws IOException {
        key = channel.register(network.selector(), interest, this);
    }

    /** It is connected: from now on it is read. @param asked this side has asked for it */
    void established(boolean asked) throws IOException {
        local = (InetSocketAddress) channel.getLocalAddress();
        remote = (InetSocketAddress) channel.getRemoteAddress();
        segmentSize = network.segmentSize(local.getAddress());
        key.interestOps(SelectionKey.OP_READ);
        shown = network.show(local, remote, asked);
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public int segmentSize() {
        return segmentSize;
    }

    // Out.

    @Override
    public int write(ByteBuffer bytes) {
        if (closed || failure != null) {
            return 0;
        }
        int start = bytes.position();
        int wanted = bytes.remaining();
        try {
            int taken = channel.write(bytes);
            network.sent(taken);
            if (shown != null && taken > 0) {
                shown.sent(network.now(), bytes.slice(start, taken));
            }
            if (taken < wanted) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                network.blocked();
            }
            return taken;
        } catch (IOException e) {
            failure = e;
            network.broke(this);
            return 0;
        }
    }

    void writable() {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
        network.unblocked();
        handler.writable();
    }

    /** Tells what was found out while nobody could be told: a write has failed, or the connection was there at once. */
    void tell() {
        if (closed) {
            return;
        }
        if (failure != null) {
            broken(failure);
        } else {
            handler.connected();
        }
    }

    // In.

    /**
     * Reads what is there, up to so many bytes.
     *
     * @param buffer of the network, and {@code segment} the same memory
     * @return false where nothing was there
     */
    boolean read(ByteBuffer buffer, MemorySegment segment, int budget) {
        int got = 0;
        int left = heldLength;
        boolean inHeld = true; // what is left lies in the memory of its own, not in front of the buffer
        while (!closed && !ended && got < budget) {
            buffer.limit(buffer.capacity()).position(left);
            int count;
            try {
                count = channel.read(buffer);
            } catch (IOException e) {
                broken(e);
                return true;
            }
            if (count <= 0) {
                ended = count < 0;
                break;
            }
            got += count;
            if (shown != null) {
                shown.received(network.now(), segment, left, count);
            }
            if (inHeld && left > 0) {
                MemorySegment.copy(held, 0, segment, 0, left);
            }
            inHeld = false;
            int total = left + count;
            int consumed = handler.received(segment, 0, total);
            left = total - consumed;
            if (left > 0 && consumed > 0) {
                MemorySegment.copy(segment, consumed, segment, 0, left);
            }
            if (total < buffer.capacity()) {
                break; // that was all that there was
            }
        }
        network.received(got);
        if (closed) {
            return true;
        }
        if (!inHeld) {
            hold(segment, left);
        }
        if (ended && !toldEnd) {
            toldEnd = true;
            if (shown != null) {
                shown.ended(network.now());
            }
            key.interestOpsAnd(~SelectionKey.OP_READ);
            handler.ended(left);
            return true;
        }
        return got > 0;
    }

    private void hold(MemorySegment segment, int length) {
        if (held != null && (length == 0 || held.byteSize() < length)) {
            network.held().give(held);
            held = null;
        }
        if (length > 0) {
            if (held == null) {
                held = network.held().take(length);
            }
            MemorySegment.copy(segment, 0, held, 0, length);
        }
        heldLength = length;
    }

    // Ends.

    private void broken(IOException cause) {
        if (shown != null) {
            shown.reset(network.now(), true);
        }
        close();
        handler.broken(new StreamException(words(cause), cause));
    }

    static String words(IOException cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    @Override
    public void finish() {
        if (closed || failure != null) {
            return;
        }
        try {
            channel.shutdownOutput();
            if (shown != null) {
                shown.finished(network.now());
            }
        } catch (IOException e) {
            failure = e;
            network.broke(this);
        }
    }

    @Override
    public void trafficClass(int value) {
        try {
            channel.setOption(StandardSocketOptions.IP_TOS, value);
        } catch (IOException _) {
            // The connection is broken, or the system keeps the class to itself: it is a wish.
        }
    }

    @Override
    public void reset() {
        if (!closed) {
            if (shown != null) {
                shown.reset(network.now(), false);
            }
            try {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException _) {
                // It is broken already.
            }
        }
        close();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (shown != null) {
            shown.finished(network.now());
        }
        if (key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0) {
            network.unblocked();
        }
        if (held != null) {
            network.held().give(held);
            held = null;
        }
        network.closed(this);
        try {
            channel.close();
        } catch (IOException _) {
            // It is of no use any more, closed or not.
        }
    }

    boolean isClosed() {
        return closed;
    }

    // What the selector has found.

    void connectable() {
        try {
            if (channel.finishConnect()) {
                established(true);
                handler.connected();
            }
        } catch (IOException e) {
            broken(e);
        }
    }
}
