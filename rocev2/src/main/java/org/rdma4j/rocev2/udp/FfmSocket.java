package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.IpMreqn;
import org.rdma4j.rocev2.syscall.Ipv6Mreq;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SockaddrIn;
import org.rdma4j.rocev2.syscall.SockaddrIn6;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.wire.Gid;

/**
 * A UDP socket as RoCE v2 needs it: bound, never connected, and with path MTU discovery on, because then and only then
 * does Linux send the IPv4 identification 0 (and 0, 1, 2 … in a train), which the ICRC covers.
 */
final class FfmSocket implements AutoCloseable {

    /** Bytes asked for when the user asks for none: a 1 MB window of one peer, and some more peers. */
    private static final int DEFAULT_RECEIVE_BUFFER = 8 << 20;

    private static final int SEND_BUFFER = 4 << 20;

    private final LibC libc;
    private final boolean ipv4;
    private final int fd;

    private FfmSocket(LibC libc, boolean ipv4, int fd) {
        this.libc = libc;
        this.ipv4 = ipv4;
        this.fd = fd;
    }

    /** The socket that receives, and sends what has no source port of its own. */
    static FfmSocket receiving(LibC libc, LocalAddress local, int port, int receiveBuffer) {
        FfmSocket socket = open(libc, local.isIpv4());
        try {
            socket.ask(
                    SocketOption.SO_RCVBUFFORCE,
                    SocketOption.SO_RCVBUF,
                    receiveBuffer > 0 ? receiveBuffer : DEFAULT_RECEIVE_BUFFER);
            socket.receiveHeaderFields();
            // Before bind: a train that arrives in between would come in single datagrams, their positions lost.
            libc.setsockopt(socket.fd, SocketOption.SOL_UDP, SocketOption.UDP_GRO, 1);
            socket.bind(local, port);
            return socket;
        } catch (LinkException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * A socket that receives what is sent to a multicast group on the interface of the link's own address. Any number of
     * them may share the group and the port, in this process and others, and each one gets every packet.
     */
    static FfmSocket member(LibC libc, LocalAddress local, Gid group, int port, int receiveBuffer) {
        FfmSocket socket = open(libc, local.isIpv4());
        try (Arena arena = Arena.ofConfined()) {
            socket.ask(SocketOption.SO_RCVBUFFORCE, SocketOption.SO_RCVBUF, receiveBuffer);
            socket.receiveHeaderFields();
            socket.need("SO_REUSEADDR", SocketOption.SOL_SOCKET, SocketOption.SO_REUSEADDR, 1);
            MemorySegment name = arena.allocate(SockaddrIn6.SIZE, 8);
            int error = libc.bind(socket.fd, name.address(), writeName(name, group, port, local.interfaceIndex()));
            if (error >= 0) {
                error = socket.join(local, group, arena.allocate(Ipv6Mreq.SIZE, 8));
            }
            if (error < 0) {
                throw UdpErrors.notJoined(local, group, Errno.words(-error));
            }
            return socket;
        } catch (LinkException e) {
            socket.close();
            throw e;
        }
    }

    /** Joins on one interface, and takes nothing that came in on another because others have joined there. */
    private int join(LocalAddress local, Gid group, MemorySegment request) {
        long at = request.address();
        if (ipv4) {
            libc.setsockopt(fd, SocketOption.IPPROTO_IP, SocketOption.IP_MULTICAST_ALL, 0);
            IpMreqn.set(request, group.ipv4(), local.gid().ipv4(), local.interfaceIndex());
            return libc.setsockopt(fd, SocketOption.IPPROTO_IP, SocketOption.IP_ADD_MEMBERSHIP, at, IpMreqn.SIZE);
        }
        libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MULTICAST_ALL, 0);
        Ipv6Mreq.set(request, group.high(), group.low(), local.interfaceIndex());
        return libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_ADD_MEMBERSHIP, at, Ipv6Mreq.SIZE);
    }

    /** A socket that only sends, from {@code port}; null where the port cannot be had. */
    static FfmSocket sending(LibC libc, LocalAddress local, int port) {
        FfmSocket socket = open(libc, local.isIpv4());
        libc.setsockopt(socket.fd, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF, 0);
        if (socket.tryBind(local, port) < 0) {
            socket.close();
            return null;
        }
        return socket;
    }

    private static FfmSocket open(LibC libc, boolean ipv4) {
        int type = SocketOption.SOCK_DGRAM | SocketOption.SOCK_CLOEXEC;
        int fd = libc.socket(ipv4 ? SocketOption.AF_INET : SocketOption.AF_INET6, type, 0);
        if (fd < 0) {
            throw UdpErrors.notOpened(Errno.words(-fd));
        }
        FfmSocket socket = new FfmSocket(libc, ipv4, fd);
        try {
            if (ipv4) {
                socket.need(
                        "IP_MTU_DISCOVER",
                        SocketOption.IPPROTO_IP,
                        SocketOption.IP_MTU_DISCOVER,
                        SocketOption.IP_PMTUDISC_DO);
            } else {
                socket.need("IPV6_V6ONLY", SocketOption.IPPROTO_IPV6, SocketOption.IPV6_V6ONLY, 1);
                socket.need(
                        "IPV6_MTU_DISCOVER",
                        SocketOption.IPPROTO_IPV6,
                        SocketOption.IPV6_MTU_DISCOVER,
                        SocketOption.IPV6_PMTUDISC_DO);
                // A flow label that the kernel makes up would be in no trace; the source port is entropy enough.
                libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_AUTOFLOWLABEL, 0);
                // Peers in hardware send no UDP checksum over IPv6 either.
                libc.setsockopt(fd, SocketOption.SOL_UDP, SocketOption.UDP_NO_CHECK6_RX, 1);
            }
            socket.ask(SocketOption.SO_SNDBUFFORCE, SocketOption.SO_SNDBUF, SEND_BUFFER);
            return socket;
        } catch (LinkException e) {
            socket.close();
            throw e;
        }
    }

    private void receiveHeaderFields() {
        if (ipv4) {
            libc.setsockopt(fd, SocketOption.IPPROTO_IP, SocketOption.IP_RECVTOS, 1);
            libc.setsockopt(fd, SocketOption.IPPROTO_IP, SocketOption.IP_RECVTTL, 1);
        } else {
            libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_RECVTCLASS, 1);
            libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_RECVHOPLIMIT, 1);
        }
    }

    private void need(String name, int level, int option, int value) {
        int error = libc.setsockopt(fd, level, option, value);
        if (error < 0) {
            throw new LinkException(
                    LinkException.Kind.UNSUPPORTED, "this kernel refuses " + name + ": " + Errno.words(-error));
        }
    }

    /** Asks for a buffer past the system's limit, which root may, or else up to it. */
    private void ask(int forced, int limited, int bytes) {
        if (libc.setsockopt(fd, SocketOption.SOL_SOCKET, forced, bytes) < 0) {
            libc.setsockopt(fd, SocketOption.SOL_SOCKET, limited, bytes);
        }
    }

    private void bind(LocalAddress local, int port) {
        int error = -tryBind(local, port);
        if (error <= 0) {
            return;
        }
        throw switch (error) {
            case Errno.EADDRINUSE -> UdpErrors.inUse(local, port);
            case Errno.EADDRNOTAVAIL -> UdpErrors.notHere(local);
            default -> UdpErrors.notBound(local, port, Errno.words(error));
        };
    }

    private int tryBind(LocalAddress local, int port) {
        if (!ipv4) {
            // What goes to a group leaves by the interface of this address; over IPv4 the address alone decides that.
            int index = local.interfaceIndex();
            libc.setsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_MULTICAST_IF, index);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SockaddrIn6.SIZE, 8);
            return libc.bind(fd, name.address(), writeName(name, local.gid(), port, local.scope()));
        }
    }

    /** Writes a socket address of the GID's family; returns its length. */
    static int writeName(MemorySegment name, Gid gid, int port, int scope) {
        if (gid.isIpv4()) {
            SockaddrIn.set(name, gid.ipv4(), port);
            return SockaddrIn.SIZE;
        }
        SockaddrIn6.set(name, gid.high(), gid.low(), port, isOfOneLink(gid) ? scope : 0);
        return SockaddrIn6.SIZE;
    }

    /** True for link-local addresses, of hosts and of groups: they need an interface's index besides. */
    private static boolean isOfOneLink(Gid gid) {
        return gid.isLinkLocal() || (gid.high() >>> 48 & 0xFF0F) == 0xFF02;
    }

    /**
     * Asks the kernel's routing table, by connecting a throw-away socket, which sends nothing.
     *
     * @throws LinkException where there is no way
     */
    static void requireRoute(LibC libc, LocalAddress local, Gid remote, int port) {
        try (FfmSocket probe = open(libc, local.isIpv4());
                Arena arena = Arena.ofConfined()) {
            probe.bind(local, 0);
            MemorySegment name = arena.allocate(SockaddrIn6.SIZE, 8);
            int error = -libc.connect(probe.fd, name.address(), writeName(name, remote, port, local.scope()));
            if (error > 0) {
                throw UdpErrors.noRoute(local, remote, Errno.words(error));
            }
        }
    }

    int fd() {
        return fd;
    }

    /** Bytes that the kernel granted, which is twice of what was asked where it had no objection. */
    int receiveBuffer() {
        return libc.getsockopt(fd, SocketOption.SOL_SOCKET, SocketOption.SO_RCVBUF);
    }

    /** The TTL or hop limit of what it sends. */
    int hopLimit() {
        return ipv4
                ? libc.getsockopt(fd, SocketOption.IPPROTO_IP, SocketOption.IP_TTL)
                : libc.getsockopt(fd, SocketOption.IPPROTO_IPV6, SocketOption.IPV6_UNICAST_HOPS);
    }

    @Override
    public void close() {
        libc.close(fd);
    }
}
