package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A network of this process, without time: what a port flushes is in {@link #sent}, what it polls is put in by the test. */
final class MemoryIo implements FrameIo {

    /** Where the test reads what the port sent. */
    final List<byte[]> sent = new ArrayList<>();

    private final HeldFrames building = new HeldFrames(1 << 20);
    private final ArrayDeque<byte[]> arrived = new ArrayDeque<>();

    void arrive(byte[] frame) {
        arrived.add(frame.clone());
    }

    /** What was sent since the last call. */
    List<byte[]> takeSent() {
        List<byte[]> taken = new ArrayList<>(sent);
        sent.clear();
        return taken;
    }

    @Override
    public MemorySegment memory() {
        return building.memory();
    }

    @Override
    public ByteBuffer view() {
        return building.view();
    }

    @Override
    public long reserve(int length) {
        return building.reserve(length);
    }

    @Override
    public void commit(int length) {
        building.commit(length);
    }

    @Override
    public int flush() {
        for (int i = 0; i < building.count(); i++) {
            sent.add(building.memory()
                    .asSlice(building.offset(i), building.length(i))
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        building.clear();
        return 0;
    }

    @Override
    public void poll(FrameHandler handler) {
        for (byte[] frame = arrived.poll(); frame != null; frame = arrived.poll()) {
            handler.onFrame(MemorySegment.ofArray(frame), ByteBuffer.wrap(frame), 0, frame.length);
        }
    }

    @Override
    public int receiveBuffer() {
        return 1 << 20;
    }

    @Override
    public void await(long nanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
}
