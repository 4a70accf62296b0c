package org.rdma4j.rocev2.syscall;

/**
 * Numbers of the socket API of Linux (x86-64, AArch64, RISC-V and POWER agree on all of them): families, levels, options,
 * flags, and those of the calls that go with them.
 */
public final class SocketOption {

    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_PACKET = 17;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_ATTACH_FILTER = 26;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;

    public static final int IPPROTO_IP = 0;
    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    public static final int IP_MTU_DISCOVER = 10;
    public static final int IP_RECVTTL = 12;
    public static final int IP_RECVTOS = 13;
    public static final int IP_PMTUDISC_DO = 2;
    public static final int IP_ADD_MEMBERSHIP = 35;
    public static final int IP_MULTICAST_ALL = 49;

    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_UNICAST_HOPS = 16;
    public static final int IPV6_MULTICAST_IF = 17;
    public static final int IPV6_ADD_MEMBERSHIP = 20;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_MULTICAST_ALL = 29;
    public static final int IPV6_RECVHOPLIMIT = 51;
    public static final int IPV6_HOPLIMIT = 52;
    public static final int IPV6_RECVTCLASS = 66;
    public static final int IPV6_TCLASS = 67;
    public static final int IPV6_AUTOFLOWLABEL = 70;
    public static final int IPV6_PMTUDISC_DO = 2;

    public static final int SOL_UDP = 17;
    public static final int UDP_NO_CHECK6_RX = 102;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;

    public static final int SOL_PACKET = 263;
    public static final int PACKET_ADD_MEMBERSHIP = 1;
    public static final int PACKET_DROP_MEMBERSHIP = 2;
    public static final int PACKET_RX_RING = 5;
    public static final int PACKET_STATISTICS = 6;
    public static final int PACKET_VERSION = 10;
    public static final int PACKET_RESERVE = 12;
    public static final int PACKET_TX_RING = 13;
    public static final int PACKET_LOSS = 14;
    public static final int PACKET_IGNORE_OUTGOING = 23;
    public static final int TPACKET_V2 = 1;
    public static final int ETH_P_ALL = 3;

    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;

    public static final int SIOCGIFMTU = 0x8921;
    public static final int ARPHRD_ETHER = 1;
    public static final int IFF_UP = 1;

    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;

    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;

    private SocketOption() {}
}
