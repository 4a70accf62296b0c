package org.rdma4j.rocev2.pcap4j;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.pcap4j.core.BpfProgram.BpfCompileMode;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapHandle.BlockingMode;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.rocev2.ethernet.FrameIo;
import org.rdma4j.rocev2.ethernet.HeldFrames;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;

/**
 * A capture that is sent on too. Each frame costs a call and a copy each way, and the garbage collector an array; there is
 * nothing to wait on, so that a wait is a row of naps.
 */
final class PcapIo implements FrameIo {

    /** Frames given to the handler in one {@link #poll} at most, so that the caller can answer in between. */
    private static final int BATCH = 128;

    private static final int LONGEST_FRAME = 1 << 16;
    private static final int BUFFER = 8 << 20;
    private static final long NAP_NANOS = 100_000;

    private final PcapHandle handle;
    private final int buffer;
    private final HeldFrames outgoing = new HeldFrames(1 << 18);
    private int refused;
    private volatile boolean woken;

    private PcapIo(PcapHandle handle, int buffer) {
        this.handle = handle;
        this.buffer = buffer;
    }

    /** @throws LinkException where libpcap cannot or this process may not */
    static PcapIo open(NetworkCard card, PortConfig config, int receiveBuffer) {
        int buffer = receiveBuffer > 0 ? receiveBuffer : BUFFER;
        // The multicast frames that ask for an IPv6 address of ours alone pass the card in no other way.
        boolean listensToAll = config.isOwner() && !config.gid().isIpv4();
        PcapHandle handle = null;
        try {
            handle = new PcapHandle.Builder(card.name())
                    .snaplen(LONGEST_FRAME)
                    .promiscuousMode(listensToAll ? PromiscuousMode.PROMISCUOUS : PromiscuousMode.NONPROMISCUOUS)
                    .timeoutMillis(1)
                    .immediateMode(true)
                    .bufferSize(buffer)
                    .build();
            handle.setBlockingMode(BlockingMode.NONBLOCKING);
            handle.setFilter(CaptureFilter.of(config), BpfCompileMode.OPTIMIZE);
            return new PcapIo(handle, buffer);
        } catch (PcapNativeException | NotOpenException e) {
            if (handle != null) {
                handle.close();
            }
            throw new LinkException(
                    LinkException.Kind.UNSUPPORTED,
                    card.name() + " cannot be captured from: " + e.getMessage()
                            + " (on Linux that needs CAP_NET_RAW, elsewhere the right to open the capture device)",
                    e);
        }
    }

    @Override
    public MemorySegment memory() {
        return outgoing.memory();
    }

    @Override
    public ByteBuffer view() {
        return outgoing.view();
    }

    @Override
    public long reserve(int length) {
        long at = outgoing.reserve(length);
        if (at < 0) {
            refused += send();
            at = outgoing.reserve(length);
        }
        return at;
    }

    @Override
    public void commit(int length) {
        outgoing.commit(length);
    }

    @Override
    public int flush() {
        int lost = refused + send();
        refused = 0;
        return lost;
    }

    private int send() {
        int lost = 0;
        for (int index = 0; index < outgoing.count(); index++) {
            byte[] frame = new byte[outgoing.length(index)];
            outgoing.view()
                    .limit(outgoing.offset(index) + frame.length)
                    .position(outgoing.offset(index))
                    .get(frame);
            try {
                handle.sendPacket(frame);
            } catch (PcapNativeException | NotOpenException e) {
                lost++;
            }
        }
        outgoing.clear();
        return lost;
    }

    @Override
    public void poll(FrameHandler handler) {
        try {
            for (int count = 0; count < BATCH; count++) {
                byte[] frame = handle.getNextRawPacket();
                if (frame == null) {
                    return;
                }
                handler.onFrame(MemorySegment.ofArray(frame), ByteBuffer.wrap(frame), 0, frame.length);
            }
        } catch (NotOpenException e) {
            // Closed; nothing more will come.
        }
    }

    /** A captured frame takes a slot that is as long as the longest one. */
    @Override
    public int receiveBuffer() {
        return buffer / 16;
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
    public void close() {
        handle.close();
    }
}
