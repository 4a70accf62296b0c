package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Carries frames for networks that have no memory of their own to build them in: they are collected, and go one by one. */
public abstract class CopyingIo implements FrameIo {

    /** Frames given to the handler in one {@link #poll} at most, so that the caller can answer in between. */
    protected static final int BATCH = 128;

    private final HeldFrames outgoing = new HeldFrames(1 << 18);
    private int refused;

    /** Sends what lies between the buffer's position and limit. Returns false where the network did not take it. */
    protected abstract boolean send(ByteBuffer frame);

    @Override
    public final MemorySegment memory() {
        return outgoing.memory();
    }

    @Override
    public final ByteBuffer view() {
        return outgoing.view();
    }

    @Override
    public final long reserve(int length) {
        long at = outgoing.reserve(length);
        if (at < 0) {
            sendAll();
            at = outgoing.reserve(length);
        }
        return at;
    }

    @Override
    public final void commit(int length) {
        outgoing.commit(length);
    }

    @Override
    public final int flush() {
        sendAll();
        int lost = refused;
        refused = 0;
        return lost;
    }

    private void sendAll() {
        ByteBuffer frames = outgoing.view();
        for (int index = 0; index < outgoing.count(); index++) {
            int at = outgoing.offset(index);
            if (!send(frames.limit(at + outgoing.length(index)).position(at))) {
                refused++;
            }
        }
        outgoing.clear();
    }
}
