package org.rdma4j.tools.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.rocev2.syscall.CmsgHdr;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.IoVec;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.MsgHdr;
import org.rdma4j.rocev2.syscall.SockaddrIn;
import org.rdma4j.rocev2.syscall.SocketOption;

/**
 * The same system calls as the UDP link makes, and nothing else: what the machine can do without RDMA. One buffer, no
 * CRC, no protocol.
 */
final class RawSocket implements AutoCloseable {

    private static final int BUFFER = 8 << 20;
    private static final int LARGEST = 1 << 16;
    private static final int CONTROL = 64;

    private final LibC libc = new LibC();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(LARGEST, 4096);
    private final MemorySegment name = arena.allocate(SockaddrIn.SIZE, 8);
    private final MemorySegment control = arena.allocate(CONTROL, 8);
    private final MemorySegment iovec = arena.allocate(IoVec.SIZE, 8);
    private final MemorySegment message = arena.allocate(MsgHdr.SIZE, 8);
    private final int fd;

    /** @param address and {@code peer}: IPv4 addresses as 32 bits */
    RawSocket(int address, int peer, int port) {
        fd = check(libc.socket(SocketOption.AF_INET, SocketOption.SOCK_DGRAM | SocketOption.SOCK_CLOEXEC, 0), "socket");
        if (libc.setsockopt(fd, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUFFORCE, BUFFER) < 0) {
            libc.setsockopt(fd, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF, BUFFER);
        }
        libc.setsockopt(fd, SocketOption.SOL_UDP, SocketOption.UDP_GRO, 1);
        SockaddrIn.set(name, address, port);
        check(libc.bind(fd, name.address(), SockaddrIn.SIZE), "bind");
        SockaddrIn.set(name, peer, port);
        MsgHdr.setIov(message, iovec.address(), 1);
    }

    /** Sends {@code packets} datagrams of {@code size} bytes in one call. @return false where the socket is full */
    boolean send(int size, int packets) {
        IoVec.set(iovec, 0, buffer.address(), size * packets);
        MsgHdr.setName(message, name.address(), SockaddrIn.SIZE);
        if (packets > 1) {
            CmsgHdr.set(control, 0, SocketOption.SOL_UDP, SocketOption.UDP_SEGMENT, Short.BYTES);
            control.set(ValueLayout.JAVA_SHORT, CmsgHdr.DATA, (short) size);
            MsgHdr.setControl(message, control.address(), CmsgHdr.SPACE);
        } else {
            MsgHdr.setControl(message, 0, 0);
        }
        int sent = libc.sendmsg(fd, message.address(), SocketOption.MSG_DONTWAIT);
        if (sent < 0 && sent != -Errno.EAGAIN && sent != -Errno.ENOBUFS) {
            check(sent, "sendmsg");
        }
        return sent > 0;
    }

    /** Takes one train. @return its bytes; 0 where nothing is there */
    int receive() {
        IoVec.set(iovec, 0, buffer.address(), LARGEST);
        MsgHdr.setName(message, 0, 0);
        MsgHdr.setControl(message, control.address(), CONTROL);
        return Math.max(0, libc.recvmsg(fd, message.address(), SocketOption.MSG_DONTWAIT));
    }

    /** The first byte of the buffer, which carries a word between the two ends. */
    byte firstByte() {
        return buffer.get(ValueLayout.JAVA_BYTE, 0);
    }

    void setFirstByte(byte value) {
        buffer.set(ValueLayout.JAVA_BYTE, 0, value);
    }

    private static int check(int result, String call) {
        if (result < 0) {
            throw new IllegalStateException(call + ": " + Errno.words(-result));
        }
        return result;
    }

    @Override
    public void close() {
        libc.close(fd);
        arena.close();
    }
}
