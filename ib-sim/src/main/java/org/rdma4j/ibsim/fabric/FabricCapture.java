package org.rdma4j.ibsim.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;

/** A capture file of a fabric's links: an interface for each port, named like it, with what the port sends, in virtual time. */
public final class FabricCapture implements PortTap, AutoCloseable {

    private final PcapngWriter writer;
    private final Map<Port, Integer> interfaces = new HashMap<>();
    private long packets;

    public FabricCapture(OutputStream stream) throws IOException {
        writer = new PcapngWriter(stream, "rdma4j");
    }

    /** Takes in what a port sends from now on. */
    public void watch(Port port) throws IOException {
        interfaces.put(port, writer.addInterface(LinkType.INFINIBAND, port.toString()));
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
            writer.write(interfaces.get(port), now / EventQueue.NANOSECOND, packet.bytes(), 0, packet.length());
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
