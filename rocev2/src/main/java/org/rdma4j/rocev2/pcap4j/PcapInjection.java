package org.rdma4j.rocev2.pcap4j;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.capture.FrameInjection;

/** Frames out of an interface by libpcap. */
public final class PcapInjection implements FrameInjection {

    /** The system's words, which is all that libpcap gives. */
    private static final String QUEUE_IS_FULL = "No buffer space";

    private static final int MOST_TRIES = 1000;
    private static final long NAP_NANOS = 100_000;

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
        byte[] bytes = frame.toArray(ValueLayout.JAVA_BYTE);
        String refusal = null;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                handle.sendPacket(bytes);
                return null;
            } catch (PcapNativeException | NotOpenException e) {
                refusal = e.getMessage();
                if (!refusal.contains(QUEUE_IS_FULL)) {
                    break;
                }
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        return refusal;
    }

    @Override
    public void close() {
        handle.close();
    }
}
