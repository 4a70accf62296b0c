package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.PollFd;
import org.rdma4j.rocev2.syscall.SocketOption;

/** Waits on a socket, and on an eventfd that other threads write to when they want the wait to end. */
public final class FfmWaiter implements AutoCloseable {

    private static final int SOCKET = 0;
    private static final int EVENT = 1;

    private final LibC libc;
    private final LibC othersLibc = new LibC();
    private final int eventFd;
    private volatile MemorySegment pollFds = Arena.ofAuto().allocate(2L * PollFd.SIZE, 8);
    private final MemorySegment eventCount = Arena.ofAuto().allocate(Long.BYTES, 8);
    private final MemorySegment one = Arena.ofAuto().allocate(Long.BYTES, 8);

    /** Spares the system call when a wake-up is under way already. */
    private final AtomicBoolean woken = new AtomicBoolean();

    private boolean closed;

    public FfmWaiter(LibC libc, int socketFd) {
        this.libc = libc;
        eventFd = libc.eventfd(0, SocketOption.EFD_CLOEXEC | SocketOption.EFD_NONBLOCK);
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        PollFd.set(pollFds, SOCKET, socketFd, PollFd.POLLIN);
        PollFd.set(pollFds, EVENT, eventFd, PollFd.POLLIN);
    }

    /** Waits on these sockets too from now on, instead of those that were named before. */
    public void watch(int... more) {
        MemorySegment fds = Arena.ofAuto().allocate((2L + more.length) * PollFd.SIZE, 8);
        MemorySegment.copy(pollFds, 0, fds, 0, 2L * PollFd.SIZE);
        for (int index = 0; index < more.length; index++) {
            PollFd.set(fds, 2 + index, more[index], PollFd.POLLIN);
        }
        pollFds = fds;
    }

    public void await(long nanos) {
        MemorySegment fds = pollFds; // another thread may exchange it meanwhile
        int count = (int) (fds.byteSize() / PollFd.SIZE);
        try {
            int ready = libc.ppoll(fds.address(), count, Math.max(nanos, 0));
            if (ready > 0 && PollFd.revents(fds, EVENT) != 0) {
                libc.read(eventFd, eventCount.address(), Long.BYTES);
                // Only now: whoever finds the flag still set has posted before we return, and our caller will see it.
                woken.set(false);
            }
        } finally {
            Reference.reachabilityFence(fds);
        }
    }

    public void wakeup() {
        if (woken.compareAndSet(false, true)) {
            write();
        }
    }

    private synchronized void write() {
        if (!closed) {
            othersLibc.write(eventFd, one.address(), Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            libc.close(eventFd);
        }
    }
}
