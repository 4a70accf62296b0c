package org.rdma4j.tools.conform.mutant.iwarp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import org.rdma4j.iwarp.memory.MemorySocket;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.tools.conform.iwarp.Strand;

/** The hand-played end of a connection in memory, with a tamper on it: seen from here, the device behind it is a mutant. */
final class MemoryStrand extends Strand implements StreamHandler, StreamTamper.Ways {

    private final StreamTamper tamper;
    private final StreamSettings settings = new StreamSettings();
    private final StreamCutter outgoing;
    private final StreamCutter incoming;
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private MemorySocket socket;
    private boolean over;

    MemoryStrand(
            InetSocketAddress local,
            InetSocketAddress remote,
            boolean connects,
            LongSupplier clock,
            StreamTamper tamper) {
        super(local, remote, connects, clock);
        this.tamper = tamper;
        outgoing = new StreamCutter(connects);
        incoming = new StreamCutter(!connects);
    }

    MemoryStrand on(MemorySocket value) {
        socket = value;
        return this;
    }

    // From the hand-played side.

    @Override
    protected void put(byte[] bytes) {
        outgoing.add(bytes, settings, unit -> tamper.toDevice(unit, this));
        flush();
    }

    private void flush() {
        if (batch.size() > 0 && !socket.isClosed()) {
            socket.send(batch.toByteArray());
        }
        batch.reset();
    }

    @Override
    protected void end() {
        batch.writeBytes(tamper.rest(outgoing.rest()));
        flush();
        socket.finish();
    }

    @Override
    protected void abort() {
        batch.writeBytes(tamper.rest(outgoing.rest()));
        flush();
        if (tamper.seesBreaks()) {
            socket.reset();
        }
    }

    @Override
    public void close() {
        if (!socket.isClosed()) {
            socket.close();
        }
    }

    // The tamper's ways.

    @Override
    public void toDevice(Unit unit) {
        batch.writeBytes(unit.toBytes());
    }

    @Override
    public void fromDevice(Unit unit) {
        if (!over) {
            arrived(unit.toBytes());
        }
    }

    @Override
    public void endFromDevice() {
        over = true;
        arrivedEnd();
    }

    @Override
    public void breakFromDevice() {
        over = true;
        arrivedBreak();
    }

    // From the device.

    @Override
    public void connected() {
        // It is taken for that at once.
    }

    @Override
    public int received(MemorySegment segment, long at, int length) {
        byte[] bytes = segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        incoming.add(bytes, settings, unit -> tamper.fromDevice(unit, this));
        flush();
        return length;
    }

    @Override
    public void writable() {
        // Nothing waits: whatever is sent is taken.
    }

    @Override
    public void ended(int left) {
        byte[] rest = incoming.rest();
        if (rest.length > 0 && !over) {
            arrived(rest);
        }
        tamper.deviceEnds(this);
    }

    @Override
    public void broken(StreamException cause) {
        breakFromDevice();
    }
}
