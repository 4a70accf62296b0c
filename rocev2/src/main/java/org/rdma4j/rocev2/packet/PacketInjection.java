package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.capture.FrameInjection;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.PollFd;
import org.rdma4j.rocev2.syscall.SocketOption;

/** A packet socket that only sends. */
public final class PacketInjection implements FrameInjection {

    private static final int LONGEST_FRAME = 1 << 17;

    /** A queue that is full empties at the speed of the wire. */
    private static final long PATIENCE_NANOS = 100_000_000;

    private static final int PATIENCE_ROUNDS = 10;

    private final LibC libc;
    private final int fd;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment room = arena.allocate(LONGEST_FRAME, 8);
    private final MemorySegment pollFd = arena.allocate(PollFd.SIZE, 8);

    private PacketInjection(LibC libc, int fd) {
        this.libc = libc;
        this.fd = fd;
    }

    /** @throws LinkException where the interface is not there or is down, or this process may not */
    public static PacketInjection open(String interfaceName) {
        LibC libc = new LibC();
        NetworkCard card = NetworkCard.named(new LinuxCards(libc).all(), interfaceName, interfaceName);
        if (!card.up()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE, card.name() + " is down: ip link set " + card.name() + " up");
        }
        int fd = PacketSocket.open(libc);
        if (fd < 0) {
            throw PacketSocket.refused("sending on " + interfaceName, -fd);
        }
        try {
            PacketSocket.bind(libc, fd, card, 0); // of no protocol: it hears nothing
        } catch (LinkException e) {
            libc.close(fd);
            throw e;
        }
        return new PacketInjection(libc, fd);
    }

    @Override
    public String send(MemorySegment frame) {
        int length = (int) frame.byteSize();
        if (length > LONGEST_FRAME) {
            return Errno.words(Errno.EMSGSIZE);
        }
        MemorySegment.copy(frame, 0, room, 0, length);
        int error = 0;
        for (int round = 0; round < PATIENCE_ROUNDS; round++) {
            error = -libc.send(fd, room.address(), length, SocketOption.MSG_DONTWAIT);
            if (error != Errno.EAGAIN && error != Errno.ENOBUFS && error != Errno.EINTR) {
                break;
            }
            PollFd.set(pollFd, 0, fd, PollFd.POLLOUT);
            libc.ppoll(pollFd.address(), 1, PATIENCE_NANOS);
        }
        return error > 0 ? Errno.words(error) : null;
    }

    @Override
    public void close() {
        libc.close(fd);
        arena.close();
    }
}
