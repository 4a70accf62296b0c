package org.rdma4j.tools.conform.iwarp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.rdma4j.iwarp.tap.ConnectionTap;
import org.rdma4j.link.FrameTap;
import org.rdma4j.tools.conform.craft.Frame;
import org.rdma4j.trace.Rule;

/**
 * The hand-played end of one TCP connection. What goes over it is kept as frames; a socket does not tell how TCP cut the
 * stream, so the frames hold a unit of MPA each. May be used by several threads.
 */
public abstract class Strand implements AutoCloseable {

    private final LongSupplier clock;
    private final ConnectionTap tap;
    private final List<Frame> frames = new ArrayList<>();
    private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    private boolean ended;
    private boolean broken;
    private boolean finished;

    /** @param connects this end has asked for the connection */
    protected Strand(InetSocketAddress local, InetSocketAddress remote, boolean connects, LongSupplier clock) {
        this.clock = clock;
        this.tap = new ConnectionTap(new Recorder(), local, remote, connects, clock.getAsLong());
    }

    /** Keeps each frame. Called by the tap only, which is called with the lock held. */
    private final class Recorder implements FrameTap {

        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            keep(now, true, frame.asSlice(offset, length));
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            keep(now, false, frame.asSlice(offset, length));
        }

        private void keep(long now, boolean sent, MemorySegment frame) {
            frames.add(new Frame(now, sent, frame.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    // Towards TCP.

    /** Hands bytes to TCP in one piece. A connection that is broken takes them and loses them. */
    protected abstract void put(byte[] bytes);

    /** Ends this side's stream. */
    protected abstract void end();

    /** Breaks the connection. */
    protected abstract void abort();

    // From TCP.

    protected final synchronized void arrived(byte[] bytes) {
        tap.received(clock.getAsLong(), MemorySegment.ofArray(bytes), 0, bytes.length);
        arrived.writeBytes(bytes);
    }

    /** The peer has ended its stream. */
    protected final synchronized void arrivedEnd() {
        if (!broken) {
            ended = true;
            tap.ended(clock.getAsLong());
        }
    }

    /** The peer has broken the connection. */
    protected final synchronized void arrivedBreak() {
        if (!broken) {
            broken = true;
            tap.reset(clock.getAsLong(), true);
        }
    }

    // For those who play.

    public final void send(byte[] bytes) {
        synchronized (this) {
            tap.sent(clock.getAsLong(), MemorySegment.ofArray(bytes), 0, bytes.length);
        }
        put(bytes);
    }

    public final void finish() {
        synchronized (this) {
            if (finished || broken) {
                return;
            }
            finished = true;
            tap.finished(clock.getAsLong());
        }
        end();
    }

    public final void reset() {
        synchronized (this) {
            if (!broken) {
                broken = true;
                tap.reset(clock.getAsLong(), false);
            }
        }
        abort();
    }

    /** Takes all bytes that have come since the last call. */
    public final synchronized byte[] take() {
        byte[] bytes = arrived.toByteArray();
        arrived.reset();
        return bytes;
    }

    /** True once the peer has ended its stream or broken the connection. */
    public final synchronized boolean isOver() {
        return ended || broken;
    }

    /** True once the connection was broken, by either side. */
    public final synchronized boolean isBroken() {
        return broken;
    }

    /** What crossed so far, in order. */
    public final synchronized List<Frame> frames() {
        return List.copyOf(frames);
    }

    @Override
    public abstract void close();
}
