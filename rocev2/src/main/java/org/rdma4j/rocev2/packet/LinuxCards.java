package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.syscall.Errno;
import org.rdma4j.rocev2.syscall.IfAddrs;
import org.rdma4j.rocev2.syscall.Ifreq;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SockaddrIn;
import org.rdma4j.rocev2.syscall.SockaddrIn6;
import org.rdma4j.rocev2.syscall.SockaddrLl;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.wire.Gid;

/** The Ethernet interfaces that the kernel knows of, in the network namespace of the calling thread. */
final class LinuxCards {

    private final LibC libc;

    LinuxCards(LibC libc) {
        this.libc = libc;
    }

    /** All of them, those that are down too. */
    List<NetworkCard> all() {
        Map<String, NetworkCard> cards = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(Long.BYTES, 8);
            int error = -libc.getifaddrs(pointer.address());
            if (error > 0) {
                throw new LinkException(
                        LinkException.Kind.IO, "the interfaces cannot be listed: " + Errno.words(error));
            }
            long first = pointer.get(ValueLayout.JAVA_LONG, 0);
            try {
                // The interfaces themselves come first, their addresses behind them.
                for (long at = first; at != 0; at = IfAddrs.next(IfAddrs.at(at))) {
                    read(IfAddrs.at(at), cards);
                }
            } finally {
                libc.freeifaddrs(first);
            }
        }
        return List.copyOf(cards.values());
    }

    private void read(MemorySegment element, Map<String, NetworkCard> cards) {
        MemorySegment address = IfAddrs.address(element);
        if (address == null) {
            return;
        }
        String name = IfAddrs.name(element);
        switch (Short.toUnsignedInt(address.get(ValueLayout.JAVA_SHORT, SockaddrLl.FAMILY))) {
            case SocketOption.AF_PACKET -> {
                if (SockaddrLl.hardwareType(address) == SocketOption.ARPHRD_ETHER) {
                    boolean up = (IfAddrs.flags(element) & SocketOption.IFF_UP) != 0;
                    cards.put(
                            name,
                            new NetworkCard(
                                    name,
                                    SockaddrLl.interfaceIndex(address),
                                    SockaddrLl.mac(address),
                                    mtu(name),
                                    up,
                                    new ArrayList<>()));
                }
            }
            case SocketOption.AF_INET ->
                add(cards.get(name), Gid.ofIpv4(SockaddrIn.address(address)), IfAddrs.netmask(element));
            case SocketOption.AF_INET6 ->
                add(
                        cards.get(name),
                        new Gid(SockaddrIn6.high(address), SockaddrIn6.low(address)),
                        IfAddrs.netmask(element));
            default -> {}
        }
    }

    private static void add(NetworkCard card, Gid gid, MemorySegment mask) {
        if (card != null) {
            int prefix = mask == null
                    ? 0
                    : gid.isIpv4()
                            ? Integer.bitCount(SockaddrIn.address(mask))
                            : Long.bitCount(SockaddrIn6.high(mask)) + Long.bitCount(SockaddrIn6.low(mask));
            card.addresses().add(new NetworkCard.Address(gid, prefix));
        }
    }

    private int mtu(String name) {
        int fd = libc.socket(SocketOption.AF_INET, SocketOption.SOCK_DGRAM | SocketOption.SOCK_CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(Ifreq.SIZE, 8);
            Ifreq.setName(request, name);
            int error = -libc.ioctl(fd, SocketOption.SIOCGIFMTU, request.address());
            if (error > 0) {
                throw new LinkException(LinkException.Kind.IO, name + " does not tell its MTU: " + Errno.words(error));
            }
            return Ifreq.mtu(request);
        } finally {
            libc.close(fd);
        }
    }
}
