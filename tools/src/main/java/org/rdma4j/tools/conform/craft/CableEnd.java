package org.rdma4j.tools.conform.craft;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rdma4j.link.Link;
import org.rdma4j.rocev2.ethernet.CopyingIo;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.UdpHeader;

/** One end of an Ethernet cable inside of this process: what rdma4j's raw Ethernet link has in place of a network card. */
public final class CableEnd extends CopyingIo {

    private static final int LONGEST_FRAME = 1 << 14;
    private static final int RECEIVE_BUFFER = 1 << 20;
    private static final int MTU = 4500;
    private static final int PREFIX = 24;

    /** Locally administered. */
    private static final long MAC = 0x0200_0000_0000L;

    /** 192.0.2.0, for documentation: no host has it. */
    private static final int NETWORK = 0xC000_0200;

    private final long mac;
    private final int address;
    private final Queue<byte[]> arrived = new ConcurrentLinkedQueue<>();
    private final Semaphore news = new Semaphore(0);
    private final MemorySegment incoming = Arena.ofAuto().allocate(LONGEST_FRAME, 64);
    private final ByteBuffer view = incoming.asByteBuffer();
    private CableEnd other;
    private volatile Consumer<byte[]> ear = frame -> {};

    private CableEnd(int number) {
        mac = MAC | number;
        address = NETWORK | number;
    }

    /** The two ends of a cable. */
    public static CableEnd[] pair() {
        CableEnd[] ends = {new CableEnd(1), new CableEnd(2)};
        ends[0].other = ends[1];
        ends[1].other = ends[0];
        return ends;
    }

    /** A link of RoCE v2 over IPv4 at this end. */
    public Link link() {
        PortConfig config = new PortConfig(
                Encapsulation.ROCE_V2_IPV4,
                mac,
                Gid.ofIpv4(address),
                MTU,
                -1,
                0,
                PREFIX,
                null,
                true,
                UdpHeader.ROCE_V2_PORT);
        return new EthernetLink("roce2eth:cable " + (mac & 0xFF), config, this, null);
    }

    /** For frames that no link makes: from this end to the other. */
    public FrameOutlet outlet() {
        return new FrameOutlet() {
            @Override
            public long local() {
                return mac;
            }

            @Override
            public long remote() {
                return other.mac;
            }

            @Override
            public String send(byte[] frame) {
                other.arrives(frame);
                return null;
            }

            @Override
            public void hear(Consumer<byte[]> value) {
                ear = value;
            }

            @Override
            public void close() {
                // The cable is the link's.
            }
        };
    }

    private void arrives(byte[] frame) {
        ear.accept(frame);
        arrived.add(frame);
        news.release();
    }

    @Override
    protected boolean send(ByteBuffer frame) {
        byte[] copy = new byte[frame.remaining()];
        frame.get(copy);
        other.arrives(copy);
        return true;
    }

    @Override
    public void poll(FrameHandler handler) {
        for (int count = 0; count < BATCH; count++) {
            byte[] frame = arrived.poll();
            if (frame == null) {
                return;
            }
            MemorySegment.copy(MemorySegment.ofArray(frame), 0, incoming, 0, frame.length);
            handler.onFrame(incoming, view, 0, frame.length);
            view.clear();
        }
    }

    @Override
    public int receiveBuffer() {
        return RECEIVE_BUFFER;
    }

    @Override
    public void await(long nanos) {
        try {
            if (arrived.isEmpty() && news.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void wakeup() {
        news.release();
    }

    @Override
    public void close() {
        arrived.clear();
    }
}
