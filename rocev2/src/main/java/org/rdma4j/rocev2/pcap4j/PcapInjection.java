package org.rdma4j.rocev2.pcap4j;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.capture.FrameInjection;

/** Frames out of an interface by libpcap. */
public final class PcapInjection implements FrameInjection {

    private final PcapHandle handle;

    private PcapInjection(PcapHandle handle) {
        this.handle = handle;
    }

    /** @throws LinkException where libpcap cannot or this process may not */
    public static PcapInjection open(String interfaceName) {
        try {
            return new PcapInjection(new PcapHandle.Builder(interfaceName)
                    .snaplen(1)
                    .promiscuousMode(PromiscuousMode.NONPROMISCUOUS)
                    .timeoutMillis(1)
                    .build());
        } catch (PcapNativeException e) {
            throw new LinkException(
                    LinkException.Kind.UNSUPPORTED, interfaceName + " cannot be sent from: " + e.getMessage(), e);
        }
    }

    @Override
    public String send(MemorySegment frame) {
        try {
            handle.sendPacket(frame.toArray(ValueLayout.JAVA_BYTE));
            return null;
        } catch (PcapNativeException | NotOpenException e) {
            return e.getMessage();
        }
    }

    @Override
    public void close() {
        handle.close();
    }
}
