package org.rdma4j.rocev2.packet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.rocev2.ethernet.FrameSink;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.PollFd;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.rocev2.syscall.Tpacket2Hdr;

/** Frames built where the kernel takes them from, slot behind slot; one call sends all of them. */
final class TransmitRing implements FrameSink {

    /** How long a full ring is waited for before the packets count as lost. */
    private static final long PATIENCE_NANOS = 1_000_000;

    private static final int PATIENCE_ROUNDS = 10;

    private final LibC libc;
    private final int fd;
    private final MemorySegment memory;
    private final ByteBuffer view;
    private final int[] slots;
    private final MemorySegment pollFd;
    private int next;
    private int committed;

    TransmitRing(LibC libc, int fd, MemorySegment memory, ByteBuffer view, int[] slots, MemorySegment pollFd) {
        this.libc = libc;
        this.fd = fd;
        this.memory = memory;
        this.view = view;
        this.slots = slots;
        this.pollFd = pollFd;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public ByteBuffer view() {
        return view;
    }

    @Override
    public long reserve(int length) {
        int slot = slots[next];
        if (Tpacket2Hdr.status(memory, slot) != Tpacket2Hdr.TP_STATUS_AVAILABLE && !becomesAvailable(slot)) {
            return -1;
        }
        return (long) slot + Tpacket2Hdr.TRANSMIT_DATA;
    }

    private boolean becomesAvailable(int slot) {
        for (int round = 0; round < PATIENCE_ROUNDS; round++) {
            send();
            if (Tpacket2Hdr.status(memory, slot) == Tpacket2Hdr.TP_STATUS_AVAILABLE) {
                return true;
            }
            PollFd.set(pollFd, 0, fd, PollFd.POLLOUT);
            libc.ppoll(pollFd.address(), 1, PATIENCE_NANOS);
        }
        return Tpacket2Hdr.status(memory, slot) == Tpacket2Hdr.TP_STATUS_AVAILABLE;
    }

    @Override
    public void commit(int length) {
        int slot = slots[next];
        Tpacket2Hdr.setLength(memory, slot, length);
        Tpacket2Hdr.setStatus(memory, slot, Tpacket2Hdr.TP_STATUS_SEND_REQUEST);
        next = next + 1 < slots.length ? next + 1 : 0;
        committed++;
    }

    /** Sends what is committed. Returns the frames that the interface refused. */
    int flush() {
        int frames = committed;
        committed = 0;
        int error = -send();
        return switch (error) {
            // What stays behind in the ring goes out with the next call; what a full queue dropped is lost as on a
            // wire.
            case Errno.EAGAIN, Errno.ENOBUFS, Errno.EINTR -> 0;
            default -> error > 0 ? frames : 0;
        };
    }

    private int send() {
        return libc.send(fd, 0, 0, SocketOption.MSG_DONTWAIT);
    }
}
