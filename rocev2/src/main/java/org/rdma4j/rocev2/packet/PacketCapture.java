package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.capture.CaptureChoice;
import org.rdma4j.rocev2.capture.FrameCapture;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.PacketMreq;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.rocev2.syscall.Tpacket2Hdr;
import org.rdma4j.rocev2.udp.FfmWaiter;
import org.rdma4j.wire.VlanTag;

/** A packet socket that hears both what comes to an interface and what leaves it. */
public final class PacketCapture implements FrameCapture {

    private static final int RING = 64 << 20;

    /** The kernel may hand on segments that the card has not cut yet. */
    private static final int LONGEST = 1 << 16;

    /** Two counters of 32 bits, frames and drops, which reading sets to 0 ({@code struct tpacket_stats}). */
    private static final int STATISTICS = 8;

    private static final int DROPS_OFFSET = 4;

    private final LibC libc;
    private final int fd;
    private final MemorySegment memory;
    private final ReceiveRing ring;
    private final FfmWaiter waiter;
    private final MemorySegment statistics = Arena.ofAuto().allocate(STATISTICS + Integer.BYTES, 8);
    private long dropped;

    private PacketCapture(LibC libc, int fd, NetworkCard card, CaptureChoice choice) {
        this.libc = libc;
        this.fd = fd;
        PacketSocket.set(libc, fd, "PACKET_VERSION", SocketOption.PACKET_VERSION, SocketOption.TPACKET_V2);
        PacketSocket.set(libc, fd, "PACKET_RESERVE", SocketOption.PACKET_RESERVE, VlanTag.LENGTH);
        int longest = choice.all() || !choice.tcpPorts().isEmpty() ? LONGEST : card.mtu() + 2 * VlanTag.LENGTH + 14;
        Ring shape = new Ring(Tpacket2Hdr.RECEIVE_ROOM + VlanTag.LENGTH + longest, RING);
        PacketSocket.check("PACKET_RX_RING", shape.request(libc, fd, SocketOption.PACKET_RX_RING));
        if (!choice.all()) {
            PacketSocket.check("SO_ATTACH_FILTER", FrameFilter.of(choice).attach(libc, fd));
        }
        memory = PacketSocket.map(libc, fd, shape.bytes());
        ring = new ReceiveRing(memory, memory.asByteBuffer(), shape.offsets(0), card.name());
        try {
            hearAll(card);
            PacketSocket.bind(libc, fd, card);
            waiter = new FfmWaiter(libc, fd);
        } catch (LinkException e) {
            libc.munmap(memory.address(), memory.byteSize());
            throw e;
        }
    }

    /** @throws LinkException where the interface is not there, or this process may not */
    public static PacketCapture open(String interfaceName, CaptureChoice choice) {
        LibC libc = new LibC();
        NetworkCard card = NetworkCard.named(new LinuxCards(libc).all(), interfaceName, interfaceName);
        int fd = PacketSocket.open(libc);
        if (fd < 0) {
            throw PacketSocket.refused("capturing on " + interfaceName, -fd);
        }
        try {
            return new PacketCapture(libc, fd, card, choice);
        } catch (LinkException e) {
            libc.close(fd);
            throw e;
        }
    }

    /** What is for others, too. */
    private void hearAll(NetworkCard card) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(PacketMreq.SIZE, 8);
            PacketMreq.set(request, card.index(), PacketMreq.PACKET_MR_PROMISC, 0);
            PacketSocket.check(
                    "PACKET_MR_PROMISC",
                    libc.setsockopt(
                            fd,
                            SocketOption.SOL_PACKET,
                            SocketOption.PACKET_ADD_MEMBERSHIP,
                            request.address(),
                            PacketMreq.SIZE));
        }
    }

    @Override
    public int poll(Handler handler) {
        return ring.poll(handler);
    }

    @Override
    public void await(long nanos) {
        waiter.await(nanos);
    }

    @Override
    public void wakeup() {
        waiter.wakeup();
    }

    @Override
    public long dropped() {
        int error =
                libc.getsockopt(fd, SocketOption.SOL_PACKET, SocketOption.PACKET_STATISTICS, statistics, STATISTICS);
        if (error >= 0) {
            dropped += Integer.toUnsignedLong(statistics.get(ValueLayout.JAVA_INT, DROPS_OFFSET));
        }
        return dropped;
    }

    @Override
    public void close() {
        waiter.close();
        libc.munmap(memory.address(), memory.byteSize());
        libc.close(fd);
    }
}
