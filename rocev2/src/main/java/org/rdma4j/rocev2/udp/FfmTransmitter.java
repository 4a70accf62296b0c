package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.rocev2.syscall.CmsgHdr;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.IoVec;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.MsgHdr;
import org.rdma4j.rocev2.syscall.PollFd;
import org.rdma4j.rocev2.syscall.SockaddrIn6;
import org.rdma4j.rocev2.syscall.SocketOption;

/** Sends each train by one {@code sendmsg}; the kernel (or the interface) cuts it into datagrams. */
final class FfmTransmitter extends FramingTransmitter {

    /** UDP_MAX_SEGMENTS of today's kernels, and what it was before Linux 6.2. */
    private static final int MAX_PACKETS = 128;

    private static final int MAX_PACKETS_BEFORE = 64;

    /** How long a full socket is waited for before the packets count as lost. */
    private static final long PATIENCE_NANOS = 1_000_000;

    private static final int PATIENCE_ROUNDS = 10;

    private static final int TOS_AT = 0;
    private static final int TTL_AT = CmsgHdr.SPACE;
    private static final int SEGMENT_AT = 2 * CmsgHdr.SPACE;
    private static final int CONTROL_SIZE = 3 * CmsgHdr.SPACE;

    private final LibC libc;
    private final boolean ipv4;
    private final int scope;
    private final int hopLimit;
    private final LinkCounters counters;

    private final MemorySegment message = Arena.ofAuto().allocate(MsgHdr.SIZE, 8);
    private final MemorySegment name = Arena.ofAuto().allocate(SockaddrIn6.SIZE, 8);
    private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_SIZE, 8);
    private final MemorySegment iovec = Arena.ofAuto().allocate(IoVec.SIZE, 8);
    private final MemorySegment pollFd = Arena.ofAuto().allocate(PollFd.SIZE, 8);
    private FfmRoute addressed;
    private boolean marked;

    /**
     * @param scope the interface's index, for link-local peers
     * @param hopLimit what the sockets send by default
     */
    FfmTransmitter(LibC libc, boolean ipv4, int scope, int hopLimit, LinkCounters counters, FrameShow show) {
        super(ipv4, true, MAX_PACKETS, show);
        this.libc = libc;
        this.ipv4 = ipv4;
        this.scope = scope;
        this.hopLimit = hopLimit;
        this.counters = counters;
        if (ipv4) {
            CmsgHdr.set(control, TOS_AT, SocketOption.IPPROTO_IP, SocketOption.IP_TOS, Integer.BYTES);
            CmsgHdr.set(control, TTL_AT, SocketOption.IPPROTO_IP, SocketOption.IP_TTL, Integer.BYTES);
        } else {
            CmsgHdr.set(control, TOS_AT, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_TCLASS, Integer.BYTES);
            CmsgHdr.set(control, TTL_AT, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_HOPLIMIT, Integer.BYTES);
        }
        CmsgHdr.set(control, SEGMENT_AT, SocketOption.SOL_UDP, SocketOption.UDP_SEGMENT, Short.BYTES);
    }

    @Override
    protected void transmit() {
        address((FfmRoute) train.route());
        int packets = train.packets();
        MsgHdr.setIov(message, train.iovecAddress(), train.finish());
        setControl(packets > 1);
        int result = send();
        if (result >= 0) {
            counters.sentTrains++;
            counters.sentPackets += packets;
            counters.sentBytes += train.length();
            showTrain();
        } else if (packets > 1 && refusesTrains(-result)) {
            counters.splitTrains++;
            setMaxPackets(packets > MAX_PACKETS_BEFORE ? MAX_PACKETS_BEFORE : 1);
            sendOneByOne();
        } else {
            counters.sendErrors += packets;
        }
        train.clear();
    }

    private void showTrain() {
        if (isWatched()) {
            TrainCopy copy = copyOfTrain();
            for (int index = 0; index < train.packets(); index++) {
                showSent(copy, index, ipv4 ? index : 0);
            }
        }
    }

    /** What Linux answers where it, or the interface, cannot cut a train into packets. */
    private static boolean refusesTrains(int errno) {
        return switch (errno) {
            case Errno.EINVAL, Errno.EIO, Errno.EOPNOTSUPP, Errno.ENOPROTOOPT -> true;
            default -> false;
        };
    }

    private void sendOneByOne() {
        TrainCopy copy = copyOfTrain();
        if (ipv4) {
            copy.renumber();
        }
        MsgHdr.setIov(message, iovec.address(), 1);
        setControl(false);
        for (int index = 0; index < train.packets(); index++) {
            IoVec.set(iovec, 0, copy.bytes().address() + copy.offset(index), copy.length(index));
            if (send() >= 0) {
                counters.sentTrains++;
                counters.sentPackets++;
                counters.sentBytes += copy.length(index);
                showSent(copy, index, 0);
            } else {
                counters.sendErrors++;
            }
        }
    }

    private void address(FfmRoute route) {
        if (route == addressed) {
            return;
        }
        addressed = route;
        int length = FfmSocket.writeName(name, route.remote, route.destinationPort, scope);
        MsgHdr.setName(message, name.address(), length);
        int hops = route.attributes().hopLimit();
        int trafficClass = route.attributes().trafficClass();
        marked = trafficClass != 0 || hops != 0;
        control.set(ValueLayout.JAVA_INT, TOS_AT + CmsgHdr.DATA, trafficClass);
        control.set(ValueLayout.JAVA_INT, TTL_AT + CmsgHdr.DATA, hops != 0 ? hops : hopLimit);
    }

    private void setControl(boolean segmented) {
        int from = marked ? TOS_AT : SEGMENT_AT;
        int to = segmented ? CONTROL_SIZE : SEGMENT_AT;
        control.set(ValueLayout.JAVA_SHORT, SEGMENT_AT + CmsgHdr.DATA, (short) train.segmentLength());
        MsgHdr.setControl(message, from == to ? 0 : control.address() + from, to - from);
    }

    private int send() {
        int fd = addressed.fd;
        int result = libc.sendmsg(fd, message.address(), SocketOption.MSG_DONTWAIT);
        for (int round = 0; result == -Errno.EAGAIN && round < PATIENCE_ROUNDS; round++) {
            PollFd.set(pollFd, 0, fd, PollFd.POLLOUT);
            libc.ppoll(pollFd.address(), 1, PATIENCE_NANOS);
            result = libc.sendmsg(fd, message.address(), SocketOption.MSG_DONTWAIT);
        }
        return result;
    }
}
