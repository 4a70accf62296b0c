package org.rdma4j.ibsim.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.wire.ErfHeader;

/**
 * A capture file of a fabric's links: an interface for each port, named like it, with what the port sends, in virtual time. The
 * packets stand behind the header that capture cards for InfiniBand write (ERF): Wireshark knows them by no other.
 */
public final class FabricCapture implements PortTap, AutoCloseable {

    private final PcapngWriter writer;
    private final Map<Port, Integer> interfaces = new HashMap<>();
    private final MemorySegment record = MemorySegment.ofArray(new byte[ErfHeader.LENGTH + FabricPacket.CAPACITY]);
    private long packets;

    public FabricCapture(OutputStream stream) throws IOException {
        writer = new PcapngWriter(stream, "rdma4j");
    }

    /** Takes in what a port sends from now on. */
    public void watch(Port port) throws IOException {
        interfaces.put(port, writer.addInterface(LinkType.ERF, port.toString()));
        port.tap(this);
    }

    /** Takes in what every port of a fabric sends. */
    public void watch(Fabric fabric) throws IOException {
        for (Node node : fabric.nodes()) {
            for (int number = 1; number <= node.portCount(); number++) {
                if (node.port(number).peer() != null) {
                    watch(node.port(number));
                }
            }
        }
    }

    @Override
    public void sent(Port port, FabricPacket packet, long now) {
        try {
            long time = now / EventQueue.NANOSECOND;
            ErfHeader.writeInfiniband(record, 0, time, packet.length());
            MemorySegment.copy(packet.bytes(), 0, record, ErfHeader.LENGTH, packet.length());
            writer.write(interfaces.get(port), time, record, 0, ErfHeader.LENGTH + packet.length());
            packets++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Packets written. */
    public long packets() {
        return packets;
    }

    @Override
    public void close() throws IOException {
        interfaces.keySet().forEach(port -> port.tap(null));
        writer.close();
    }
}
