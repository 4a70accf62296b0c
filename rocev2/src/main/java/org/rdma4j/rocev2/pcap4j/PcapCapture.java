package org.rdma4j.rocev2.pcap4j;

import java.lang.foreign.MemorySegment;
import java.sql.Timestamp;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.pcap4j.core.BpfProgram.BpfCompileMode;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapHandle.BlockingMode;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.capture.CaptureChoice;
import org.rdma4j.rocev2.capture.FrameCapture;

/** A capture by libpcap. Its times are microseconds. */
public final class PcapCapture implements FrameCapture {

    private static final int LONGEST_FRAME = 1 << 18;
    private static final int BUFFER = 64 << 20;
    private static final int BATCH = 128;
    private static final long NAP_NANOS = 200_000;

    private final PcapHandle handle;
    private volatile boolean woken;

    private PcapCapture(PcapHandle handle) {
        this.handle = handle;
    }

    /** @throws LinkException where libpcap cannot or this process may not */
    public static PcapCapture open(String interfaceName, CaptureChoice choice) {
        PcapHandle handle = null;
        try {
            handle = new PcapHandle.Builder(interfaceName)
                    .snaplen(LONGEST_FRAME)
                    .promiscuousMode(PromiscuousMode.PROMISCUOUS)
                    .timeoutMillis(1)
                    .immediateMode(true)
                    .bufferSize(BUFFER)
                    .build();
            handle.setBlockingMode(BlockingMode.NONBLOCKING);
            if (!choice.all()) {
                handle.setFilter(filter(choice), BpfCompileMode.OPTIMIZE);
            }
            return new PcapCapture(handle);
        } catch (PcapNativeException | NotOpenException e) {
            if (handle != null) {
                handle.close();
            }
            throw new LinkException(
                    LinkException.Kind.UNSUPPORTED, interfaceName + " cannot be captured from: " + e.getMessage(), e);
        }
    }

    /** In the language of pcap-filter(7). */
    static String filter(CaptureChoice choice) {
        String tcp =
                choice.tcpPorts().stream().map(port -> " or tcp port " + port).collect(Collectors.joining());
        String wanted = "(ether proto 0x8915 or udp dst port " + choice.udpPort() + tcp + ")";
        // "vlan" moves all that stands behind it by a tag, so it comes last.
        return wanted + " or (vlan and " + wanted + ")";
    }

    @Override
    public int poll(Handler handler) {
        try {
            for (int count = 0; count < BATCH; count++) {
                byte[] frame = handle.getNextRawPacket();
                if (frame == null) {
                    return count;
                }
                Timestamp time = handle.getTimestamp();
                long nanos = time.getTime() / 1000 * 1_000_000_000L + time.getNanos();
                handler.onFrame(nanos, MemorySegment.ofArray(frame), 0, frame.length, handle.getOriginalLength());
            }
            return BATCH;
        } catch (NotOpenException e) {
            return 0; // closed; nothing more will come
        }
    }

    @Override
    public void await(long nanos) {
        if (!woken) {
            LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
        }
        woken = false;
    }

    @Override
    public void wakeup() {
        woken = true;
    }

    @Override
    public long dropped() {
        try {
            return handle.getStats().getNumPacketsDropped();
        } catch (PcapNativeException | NotOpenException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        handle.close();
    }
}
