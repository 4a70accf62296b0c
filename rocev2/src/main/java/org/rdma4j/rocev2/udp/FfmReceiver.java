package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.rocev2.syscall.CmsgHdr;
import org.rdma4j.rocev2.syscall.IoVec;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.MsgHdr;
import org.rdma4j.rocev2.syscall.SockaddrIn;
import org.rdma4j.rocev2.syscall.SockaddrIn6;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.wire.Gid;

/** Takes trains from the socket, one {@code recvmsg} each, and cuts them into datagrams where the kernel says. */
final class FfmReceiver {

    /** Trains taken in one {@link #poll} at most, so that the caller can answer in between. */
    private static final int MAX_TRAINS = 4;

    /**
     * A train this long makes it likely that another one waits. After a shorter one the next call would mostly find
     * nothing, and to find nothing costs as much as a packet.
     */
    private static final int BULKY_PACKETS = 8;

    private static final int BULKY_BYTES = 16 << 10;

    private static final int LONGEST_TRAIN = 1 << 16;
    private static final int CONTROL_SIZE = 256;
    private static final long IPV4_MAPPED = 0xFFFFL << 32;

    private final LibC libc;
    private final int fd;
    private final boolean ipv4;
    private final PacketGate gate;

    /** So that a payload right behind its BTH is aligned, in all of a train: a CRC's run is faster then. */
    private static final int START = 4;

    private final MemorySegment buffer = Arena.ofAuto().allocate(START + LONGEST_TRAIN, 64);
    private final MemorySegment message = Arena.ofAuto().allocate(MsgHdr.SIZE, 8);
    private final MemorySegment iovec = Arena.ofAuto().allocate(IoVec.SIZE, 8);
    private final MemorySegment name = Arena.ofAuto().allocate(SockaddrIn6.SIZE, 8);
    private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_SIZE, 8);

    private int segmentLength;

    FfmReceiver(
            LibC libc, FfmSocket socket, Gid local, int port, boolean strict, LinkCounters counters, FrameShow show) {
        this.libc = libc;
        this.fd = socket.fd();
        this.ipv4 = local.isIpv4();
        this.gate = new PacketGate(buffer, local, port, strict, counters, show);
        IoVec.set(iovec, 0, buffer.address() + START, LONGEST_TRAIN);
        MsgHdr.setIov(message, iovec.address(), 1);
    }

    /** Returns the number of packets taken from the socket. */
    int poll(PacketHandler handler, long now) {
        int packets = 0;
        for (int train = 0; train < MAX_TRAINS; train++) {
            MsgHdr.setName(message, name.address(), SockaddrIn6.SIZE);
            MsgHdr.setControl(message, control.address(), CONTROL_SIZE);
            int length = libc.recvmsg(fd, message.address(), SocketOption.MSG_DONTWAIT);
            if (length < 0) {
                break;
            }
            readName();
            readControl(length);
            int count = receive(length, handler, now);
            packets += count;
            if (count < BULKY_PACKETS && length < BULKY_BYTES) {
                break;
            }
        }
        return packets;
    }

    private int receive(int length, PacketHandler handler, long now) {
        int position = 0;
        int start = 0;
        do {
            int packet = Math.min(segmentLength, length - start);
            gate.receive(START + start, packet, position, handler, now);
            start += packet;
            position++;
        } while (start < length);
        return position;
    }

    private void readName() {
        if (ipv4) {
            gate.info.remoteLow = IPV4_MAPPED | SockaddrIn.address(name) & 0xFFFF_FFFFL;
            gate.info.udpSourcePort = SockaddrIn.port(name);
        } else {
            gate.info.remoteHigh = SockaddrIn6.high(name);
            gate.info.remoteLow = SockaddrIn6.low(name);
            gate.info.udpSourcePort = SockaddrIn6.port(name);
        }
    }

    private void readControl(int length) {
        segmentLength = Math.max(length, 1);
        int end = MsgHdr.controlLength(message);
        for (long at = 0; at + CmsgHdr.DATA <= end; ) {
            int item = CmsgHdr.length(control, at);
            if (item < CmsgHdr.DATA) {
                return; // no item: CMSG_NXTHDR ends here too
            }
            readItem(at);
            at = CmsgHdr.next(at, item);
        }
    }

    private void readItem(long at) {
        int type = CmsgHdr.type(control, at);
        switch (CmsgHdr.level(control, at)) {
            case SocketOption.SOL_UDP -> {
                if (type == SocketOption.UDP_GRO) {
                    segmentLength = control.get(ValueLayout.JAVA_INT, at + CmsgHdr.DATA);
                }
            }
            case SocketOption.IPPROTO_IP -> {
                if (type == SocketOption.IP_TOS) {
                    gate.info.trafficClass = control.get(ValueLayout.JAVA_BYTE, at + CmsgHdr.DATA) & 0xFF;
                } else if (type == SocketOption.IP_TTL) {
                    gate.info.hopLimit = control.get(ValueLayout.JAVA_INT, at + CmsgHdr.DATA);
                }
            }
            case SocketOption.IPPROTO_IPV6 -> {
                if (type == SocketOption.IPV6_TCLASS) {
                    gate.info.trafficClass = control.get(ValueLayout.JAVA_INT, at + CmsgHdr.DATA);
                } else if (type == SocketOption.IPV6_HOPLIMIT) {
                    gate.info.hopLimit = control.get(ValueLayout.JAVA_INT, at + CmsgHdr.DATA);
                }
            }
            default -> {}
        }
    }
}
