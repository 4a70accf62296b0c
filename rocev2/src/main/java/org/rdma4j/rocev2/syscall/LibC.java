package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of the C library, called the way the kernel itself answers: each returns its result, or the negative errno
 * ({@link Errno}). Pointers are machine addresses; the caller keeps the memory behind them alive.
 *
 * <p>An object holds the place where errno is read from, so it belongs to one thread at a time. Nothing here allocates.
 */
public final class LibC {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final long ERRNO_OFFSET =
            Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = bind("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = bind("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = bind("connect", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKNAME = bind("getsockname", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            bind("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            bind("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SENDMSG = bind("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVMSG = bind("recvmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle PPOLL = bind("ppoll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EVENTFD = bind("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = bind("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = bind("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle SEND = bind("send", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MMAP =
            bind("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = bind("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle IOCTL = bindVariadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GETIFADDRS = bind("getifaddrs", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FREEIFADDRS =
            bind("freeifaddrs", FunctionDescriptor.ofVoid(JAVA_LONG), Linker.Option.captureCallState("errno"));

    private final MemorySegment state = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());
    private final MemorySegment scratch = Arena.ofAuto().allocate(16, 8);

    /** socket(2). */
    public int socket(int domain, int type, int protocol) {
        try {
            return result((int) SOCKET.invokeExact(state, domain, type, protocol));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** bind(2). */
    public int bind(int fd, long sockaddr, int length) {
        try {
            return result((int) BIND.invokeExact(state, fd, sockaddr, length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** connect(2). */
    public int connect(int fd, long sockaddr, int length) {
        try {
            return result((int) CONNECT.invokeExact(state, fd, sockaddr, length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** getsockname(2) into {@code capacity} bytes. */
    public int getsockname(int fd, long sockaddr, int capacity) {
        scratch.set(JAVA_INT, 0, capacity);
        try {
            return result((int) GETSOCKNAME.invokeExact(state, fd, sockaddr, scratch.address()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** setsockopt(2) of an int. */
    public int setsockopt(int fd, int level, int name, int value) {
        scratch.set(JAVA_INT, 0, value);
        try {
            return result((int) SETSOCKOPT.invokeExact(state, fd, level, name, scratch.address(), Integer.BYTES));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** setsockopt(2) of a structure. */
    public int setsockopt(int fd, int level, int name, long structure, int length) {
        try {
            return result((int) SETSOCKOPT.invokeExact(state, fd, level, name, structure, length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** getsockopt(2) of an int that is never negative. */
    public int getsockopt(int fd, int level, int name) {
        scratch.set(JAVA_INT, 0, 0);
        scratch.set(JAVA_INT, 8, Integer.BYTES);
        long value = scratch.address();
        try {
            int error = result((int) GETSOCKOPT.invokeExact(state, fd, level, name, value, value + 8));
            return error < 0 ? error : scratch.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * getsockopt(2) of a structure.
     *
     * @param structure as many bytes and an int behind them
     */
    public int getsockopt(int fd, int level, int name, MemorySegment structure, int length) {
        structure.set(JAVA_INT, length, length);
        long at = structure.address();
        try {
            return result((int) GETSOCKOPT.invokeExact(state, fd, level, name, at, at + length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** sendmsg(2): bytes taken. */
    public int sendmsg(int fd, long msghdr, int flags) {
        try {
            return (int) result((long) SENDMSG.invokeExact(state, fd, msghdr, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** recvmsg(2): bytes given. */
    public int recvmsg(int fd, long msghdr, int flags) {
        try {
            return (int) result((long) RECVMSG.invokeExact(state, fd, msghdr, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * ppoll(2) without a signal mask: the number of pollfds that are ready, 0 when the time is over.
     *
     * @param nanos how long to wait; negative waits for ever
     */
    public int ppoll(long pollfds, int count, long nanos) {
        long timeout = 0;
        if (nanos >= 0) {
            scratch.set(JAVA_LONG, 0, nanos / 1_000_000_000L);
            scratch.set(JAVA_LONG, 8, nanos % 1_000_000_000L);
            timeout = scratch.address();
        }
        try {
            return result((int) PPOLL.invokeExact(state, pollfds, (long) count, timeout, 0L));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** eventfd(2). */
    public int eventfd(int initial, int flags) {
        try {
            return result((int) EVENTFD.invokeExact(state, initial, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** read(2). */
    public int read(int fd, long buffer, int count) {
        try {
            return (int) result((long) READ.invokeExact(state, fd, buffer, (long) count));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** write(2). */
    public int write(int fd, long buffer, int count) {
        try {
            return (int) result((long) WRITE.invokeExact(state, fd, buffer, (long) count));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** send(2): bytes taken. */
    public int send(int fd, long buffer, int count, int flags) {
        try {
            return (int) result((long) SEND.invokeExact(state, fd, buffer, (long) count, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** mmap(2) of a file's start, for reading and writing, shared with the kernel: an address. */
    public long mmap(long length, int fd) {
        int protection = SocketOption.PROT_READ | SocketOption.PROT_WRITE;
        try {
            return result((long) MMAP.invokeExact(state, 0L, length, protection, SocketOption.MAP_SHARED, fd, 0L));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** munmap(2). */
    public int munmap(long address, long length) {
        try {
            return result((int) MUNMAP.invokeExact(state, address, length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** ioctl(2) with a structure. */
    public int ioctl(int fd, long request, long structure) {
        try {
            return result((int) IOCTL.invokeExact(state, fd, request, structure));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** getifaddrs(3): puts the address of a list's first element to {@code pointer}. */
    public int getifaddrs(long pointer) {
        try {
            return result((int) GETIFADDRS.invokeExact(state, pointer));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** freeifaddrs(3). */
    public void freeifaddrs(long list) {
        try {
            FREEIFADDRS.invokeExact(state, list);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** close(2). */
    public int close(int fd) {
        try {
            return result((int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private int result(int value) {
        return value >= 0 ? value : -state.get(JAVA_INT, ERRNO_OFFSET);
    }

    private long result(long value) {
        return value >= 0 ? value : -state.get(JAVA_INT, ERRNO_OFFSET);
    }

    private static MethodHandle bind(String name, MemoryLayout returns, MemoryLayout... arguments) {
        return bind(name, FunctionDescriptor.of(returns, arguments), Linker.Option.captureCallState("errno"));
    }

    /** A function whose arguments from {@code firstVariadic} on stand for its "...". */
    private static MethodHandle bindVariadic(
            String name, int firstVariadic, MemoryLayout returns, MemoryLayout... arguments) {
        return bind(
                name,
                FunctionDescriptor.of(returns, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment function = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
        return LINKER.downcallHandle(function, descriptor, options);
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
