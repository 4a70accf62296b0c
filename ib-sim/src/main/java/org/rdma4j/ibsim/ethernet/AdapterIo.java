package org.rdma4j.ibsim.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.rocev2.ethernet.CopyingIo;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.UdpHeader;

/** A network card's frames in and out of a RoCE link. The card takes whatever it is given: its queue is the host's memory. */
final class AdapterIo extends CopyingIo {

    private static final int RECEIVE_BUFFER = 2 << 20;
    private static final int BTH = EthernetHeader.LENGTH + Ipv4Header.LENGTH + UdpHeader.LENGTH;
    private static final int PRIORITY_SHIFT = 5;

    private final EthernetAdapter adapter;
    private EthernetFrame arrived;
    private long dataPackets;

    AdapterIo(EthernetAdapter adapter) {
        this.adapter = adapter;
    }

    /** Packets with payload that were sent, resent ones among them. */
    long dataPackets() {
        return dataPackets;
    }

    /** The frame that {@link #poll} is to find; {@code null} for none. */
    void arrive(EthernetFrame frame) {
        arrived = frame;
    }

    @Override
    protected boolean send(ByteBuffer bytes) {
        EthernetFrame frame = adapter.fabric().newFrame();
        frame.length = bytes.remaining();
        MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, frame.bytes, 0, frame.length);
        if (EthernetHeader.etherType(frame.bytes, 0) == EthernetHeader.IPV4) {
            frame.priority = Ipv4Header.trafficClass(frame.bytes, EthernetHeader.LENGTH) >> PRIORITY_SHIFT;
            int opcode = Bth.opcode(frame.bytes, BTH);
            if (opcode != Opcode.CNP && Opcode.hasPayload(opcode)) {
                dataPackets++;
            }
        }
        adapter.port(1).enqueue(frame, adapter.fabric().events().now());
        return true;
    }

    @Override
    public void poll(FrameHandler handler) {
        EthernetFrame frame = arrived;
        arrived = null;
        if (frame != null) {
            handler.onFrame(frame.bytes, frame.view, 0, frame.length);
            frame.view.clear();
        }
    }

    @Override
    public int receiveBuffer() {
        return RECEIVE_BUFFER;
    }

    /** Nothing arrives but by an event: there is nothing to wait for here. */
    @Override
    public void await(long nanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
}
