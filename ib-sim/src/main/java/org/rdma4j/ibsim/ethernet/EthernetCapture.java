package org.rdma4j.ibsim.ethernet;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;

/** A capture file of a RoCE fabric's links: an interface for each port, named like it, with what the port sends, in virtual time. */
public final class EthernetCapture implements EthernetPort.FrameTap, AutoCloseable {

    private final PcapngWriter writer;
    private final Map<EthernetPort, Integer> interfaces = new HashMap<>();
    private long packets;

    public EthernetCapture(OutputStream stream) throws IOException {
        writer = new PcapngWriter(stream, "rdma4j");
    }

    /** Takes in what every port of a fabric sends. */
    public void watch(RoceFabric fabric) throws IOException {
        for (EthernetNode node : fabric.nodes()) {
            for (EthernetPort port : node.ports()) {
                if (port.peer() != null) {
                    interfaces.put(port, writer.addInterface(LinkType.ETHERNET, port.toString()));
                    port.tap(this);
                }
            }
        }
    }

    @Override
    public void sent(EthernetPort port, EthernetFrame frame, long now) {
        try {
            writer.write(interfaces.get(port), now / EventQueue.NANOSECOND, frame.bytes(), 0, frame.length());
            packets++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Frames written. */
    public long packets() {
        return packets;
    }

    @Override
    public void close() throws IOException {
        interfaces.keySet().forEach(port -> port.tap(null));
        writer.close();
    }
}
