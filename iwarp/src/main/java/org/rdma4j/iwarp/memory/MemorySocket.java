package org.rdma4j.iwarp.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamSocket;

/** One end of a connection in memory. Bytes wait at the end that they go to, as many as its buffer takes. */
public final class MemorySocket implements StreamSocket {

    private static final int ROOM = 4 << 10; // at first

    private final MemoryNetwork network;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private MemorySocket peer;
    private StreamHandler handler;
    private byte[] waiting = new byte[ROOM];
    private int waitingLength; // all that is here
    private int shown; // of it the handler has seen and not consumed
    private boolean toldConnected = true;
    private boolean fin;
    private boolean toldFin;
    private boolean reset;
    private boolean closed;
    private boolean writerBlocked;
    private boolean finished;
    private long sent;

    MemorySocket(MemoryNetwork network, InetSocketAddress local, InetSocketAddress remote) {
        this.network = network;
        this.local = local;
        this.remote = remote;
    }

    void join(MemorySocket other) {
        peer = other;
    }

    void handler(StreamHandler value) {
        handler = value;
    }

    void tellConnected() {
        toldConnected = false;
    }

    /** Puts bytes on the stream, whatever room there is: for a peer that is played by hand. */
    public void send(byte[] bytes) {
        peer.makeRoom(bytes.length);
        System.arraycopy(bytes, 0, peer.waiting, peer.waitingLength, bytes.length);
        peer.waitingLength += bytes.length;
    }

    private void makeRoom(int more) {
        if (waitingLength + more > waiting.length) {
            waiting = Arrays.copyOf(waiting, Math.max(2 * waiting.length, waitingLength + more));
        }
    }

    /** Damages what is being sent, where the bit that shall be wrong is in it. */
    private void flip(int length) {
        long at = network.flippedBit() / Byte.SIZE - sent;
        if (at >= 0 && at < length) {
            peer.waiting[peer.waitingLength + (int) at] ^= (byte) (1 << network.flippedBit() % Byte.SIZE);
        }
    }

    /** What the handler has not seen. */
    private int unread() {
        return waitingLength - shown;
    }

    @Override
    public int write(ByteBuffer bytes) {
        if (closed || reset || finished) {
            return 0;
        }
        int room = network.buffer() - peer.unread();
        int wanted = bytes.remaining();
        int taken = room <= 0 ? 0 : network.cut().of(Math.min(room, wanted));
        if (peer.closed) {
            reset = true; // as TCP answers data to a closed socket
            return taken;
        }
        peer.makeRoom(taken);
        bytes.get(peer.waiting, peer.waitingLength, taken);
        flip(taken);
        peer.waitingLength += taken;
        sent += taken;
        writerBlocked = taken < wanted;
        return taken;
    }

    @Override
    public void finish() {
        finished = true;
        peer.fin = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            network.remove(this);
            if (!finished) {
                peer.fin = true;
            }
        }
    }

    @Override
    public void reset() {
        if (!closed) {
            closed = true;
            network.remove(this);
            peer.reset = true;
        }
    }

    @Override
    public void trafficClass(int value) {
        // No packets here.
    }

    @Override
    public int segmentSize() {
        return network.segmentSize();
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Tells the handler what has happened. @return false where nothing has */
    boolean poll() {
        if (!toldConnected) {
            toldConnected = true;
            handler.connected();
            return true;
        }
        if (reset) {
            closed = true;
            network.remove(this);
            handler.broken(new StreamException("Connection reset"));
            return true;
        }
        boolean worked = show();
        if (!closed && writerBlocked && peer.unread() < network.buffer()) {
            writerBlocked = false;
            handler.writable();
            worked = true;
        }
        if (!closed && fin && !toldFin && shown == waitingLength) {
            toldFin = true;
            handler.ended(waitingLength);
            worked = true;
        }
        return worked;
    }

    private boolean show() {
        if (shown == waitingLength) {
            return false;
        }
        int length = shown + network.cut().of(waitingLength - shown);
        // Each time in memory of its own: whoever keeps a segment for later reads what is not there any more.
        MemorySegment segment = Arena.ofAuto().allocate(length + 8L, 8).asSlice(8);
        MemorySegment.copy(waiting, 0, segment, ValueLayout.JAVA_BYTE, 0, length);
        int consumed = handler.received(segment, 0, length);
        System.arraycopy(waiting, consumed, waiting, 0, waitingLength - consumed);
        waitingLength -= consumed;
        shown = length - consumed;
        return true;
    }
}
