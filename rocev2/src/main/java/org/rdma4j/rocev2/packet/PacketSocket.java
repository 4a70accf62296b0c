package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.rocev2.ethernet.FrameIo;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.PacketMreq;
import org.rdma4j.rocev2.syscall.PollFd;
import org.rdma4j.rocev2.syscall.SockaddrLl;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.rocev2.syscall.Tpacket2Hdr;
import org.rdma4j.rocev2.udp.FfmWaiter;
import org.rdma4j.wire.NeighborMessage;
import org.rdma4j.wire.VlanTag;

/** A packet socket on one interface, with a ring each way. TPACKET_V2, as V3 holds back what comes one by one. */
final class PacketSocket implements FrameIo {

    private static final int RECEIVE_RING = 16 << 20;
    private static final int TRANSMIT_RING = 4 << 20;

    /** Each slot may hold a packet of the smallest path MTU. */
    private static final int LEAST_PAYLOAD = 256;

    private final LibC libc;
    private final int fd;
    private final int interfaceIndex;
    private final Ring receiveShape;
    private final MemorySegment memory;
    private final ReceiveRing receive;
    private final TransmitRing transmit;
    private final FfmWaiter waiter;

    private PacketSocket(LibC libc, int fd, NetworkCard card, PortConfig config, int receiveBuffer) {
        this.libc = libc;
        this.fd = fd;
        this.interfaceIndex = card.index();
        set("PACKET_VERSION", SocketOption.PACKET_VERSION, SocketOption.TPACKET_V2);
        set("PACKET_RESERVE", SocketOption.PACKET_RESERVE, VlanTag.LENGTH);
        set("PACKET_IGNORE_OUTGOING", SocketOption.PACKET_IGNORE_OUTGOING, 1);
        set("PACKET_LOSS", SocketOption.PACKET_LOSS, 1);
        int room = Tpacket2Hdr.RECEIVE_ROOM + VlanTag.LENGTH;
        receiveShape = new Ring(room + config.maxFrame(), receiveBuffer > 0 ? receiveBuffer : RECEIVE_RING);
        Ring transmitShape = new Ring(Tpacket2Hdr.TRANSMIT_DATA + config.maxFrame(), TRANSMIT_RING);
        check("PACKET_RX_RING", receiveShape.request(libc, fd, SocketOption.PACKET_RX_RING));
        check("PACKET_TX_RING", transmitShape.request(libc, fd, SocketOption.PACKET_TX_RING));
        check("SO_ATTACH_FILTER", FrameFilter.of(config).attach(libc, fd));
        memory = map(libc, fd, receiveShape.bytes() + transmitShape.bytes());
        ByteBuffer view = memory.asByteBuffer();
        receive = new ReceiveRing(memory, memory.asByteBuffer(), receiveShape.offsets(0), card.name());
        MemorySegment pollFd = Arena.ofAuto().allocate(PollFd.SIZE, 8);
        transmit = new TransmitRing(libc, fd, memory, view, transmitShape.offsets((int) receiveShape.bytes()), pollFd);
        try {
            if (config.isOwner() && !config.gid().isIpv4()) {
                // The multicast frames that ask for our address: the kernel does not ask the card for them for us.
                join(NeighborMessage.groupMac(
                        NeighborMessage.solicitedNode(config.gid().low()).low()));
            }
            bind(libc, fd, card);
            waiter = new FfmWaiter(libc, fd);
        } catch (LinkException e) {
            libc.munmap(memory.address(), memory.byteSize());
            throw e;
        }
    }

    /** @throws LinkException where this process may not, or the interface is down */
    static PacketSocket open(LibC libc, NetworkCard card, PortConfig config, int receiveBuffer) {
        int fd = open(libc);
        if (fd < 0) {
            throw switch (-fd) {
                case Errno.EPERM, Errno.EACCES ->
                    new LinkException(
                            LinkException.Kind.UNSUPPORTED,
                            "raw Ethernet on " + card.name() + " needs CAP_NET_RAW: run as root, or with"
                                    + " setpriv --ambient-caps +net_raw, or give it to Java by"
                                    + " setcap cap_net_raw+ep");
                default ->
                    new LinkException(
                            LinkException.Kind.UNSUPPORTED, "this kernel opens no packet socket: " + Errno.words(-fd));
            };
        }
        try {
            return new PacketSocket(libc, fd, card, config, receiveBuffer);
        } catch (LinkException e) {
            libc.close(fd);
            throw e;
        }
    }

    /** A socket that receives nothing yet, or the negative errno. */
    static int open(LibC libc) {
        return libc.socket(SocketOption.AF_PACKET, SocketOption.SOCK_RAW | SocketOption.SOCK_CLOEXEC, 0);
    }

    /** Why this process cannot open one for what it wants. */
    static LinkException refused(String wish, int error) {
        String remedy = error == Errno.EPERM || error == Errno.EACCES
                ? " needs CAP_NET_RAW: run as root, or with setpriv --ambient-caps +net_raw"
                : ": " + Errno.words(error);
        return new LinkException(LinkException.Kind.UNSUPPORTED, wish + remedy);
    }

    /** Whether this process may open one. */
    static boolean isAllowed(LibC libc) {
        int fd = open(libc);
        if (fd >= 0) {
            libc.close(fd);
        }
        return fd >= 0;
    }

    private void set(String name, int option, int value) {
        set(libc, fd, name, option, value);
    }

    static void set(LibC libc, int fd, String name, int option, int value) {
        check(name, libc.setsockopt(fd, SocketOption.SOL_PACKET, option, value));
    }

    static void check(String name, int result) {
        if (result < 0) {
            throw new LinkException(
                    LinkException.Kind.UNSUPPORTED, "this kernel refuses " + name + ": " + Errno.words(-result));
        }
    }

    @SuppressWarnings("restricted")
    static MemorySegment map(LibC libc, int fd, long bytes) {
        long address = libc.mmap(bytes, fd);
        if (address < 0) {
            throw new LinkException(
                    LinkException.Kind.IO, "the rings cannot be mapped: " + Errno.words((int) -address));
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private int membership(int option, long groupMac) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(PacketMreq.SIZE, 8);
            PacketMreq.set(request, interfaceIndex, PacketMreq.PACKET_MR_MULTICAST, groupMac);
            return libc.setsockopt(fd, SocketOption.SOL_PACKET, option, request.address(), PacketMreq.SIZE);
        }
    }

    @Override
    public void join(long groupMac) {
        check("PACKET_ADD_MEMBERSHIP", membership(SocketOption.PACKET_ADD_MEMBERSHIP, groupMac));
    }

    @Override
    public void leave(long groupMac) {
        membership(SocketOption.PACKET_DROP_MEMBERSHIP, groupMac);
    }

    /** From here on it hears the interface. */
    static void bind(LibC libc, int fd, NetworkCard card) {
        bind(libc, fd, card, SocketOption.ETH_P_ALL);
    }

    /** As above, frames of one protocol only; of 0, none. */
    static void bind(LibC libc, int fd, NetworkCard card, int protocol) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SockaddrLl.SIZE, 8);
            SockaddrLl.set(name, card.index(), protocol);
            int error = -libc.bind(fd, name.address(), SockaddrLl.SIZE);
            if (error > 0) {
                throw new LinkException(LinkException.Kind.IO, card.name() + " cannot be bound: " + Errno.words(error));
            }
        }
    }

    @Override
    public MemorySegment memory() {
        return transmit.memory();
    }

    @Override
    public ByteBuffer view() {
        return transmit.view();
    }

    @Override
    public long reserve(int length) {
        return transmit.reserve(length);
    }

    @Override
    public void commit(int length) {
        transmit.commit(length);
    }

    @Override
    public int flush() {
        return transmit.flush();
    }

    @Override
    public void poll(FrameHandler handler) {
        receive.poll(handler);
    }

    @Override
    public int receiveBuffer() {
        return receiveShape.slots() * LEAST_PAYLOAD;
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
    public void close() {
        waiter.close();
        libc.munmap(memory.address(), memory.byteSize());
        libc.close(fd);
    }
}
