package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.rocev2.capture.CaptureChoice;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SockFprog;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;
import org.rdma4j.wire.TcpHeader;
import org.rdma4j.wire.UdpHeader;

/**
 * What the kernel puts into the ring, as a program of classic BPF (the kernel's networking/filter documentation): the
 * port's own packets and what finds neighbors, so that other traffic costs nothing. It is a sieve with wide holes; the
 * receiver decides. The kernel takes a VLAN tag out before the filter looks, so the tag plays no part.
 */
final class FrameFilter {

    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_HALF_BEHIND = 0x48;
    private static final int LOAD_HEADER_LENGTH = 0xB1;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;

    private static final int ALL = 0x4_0000;
    private static final int NETWORK = EthernetHeader.LENGTH;

    /** One instruction; a jump goes on where the comparison holds, else to the next alternative. */
    private record Instruction(int code, int operand) {}

    private final List<List<Instruction>> alternatives = new ArrayList<>();

    private FrameFilter() {}

    static FrameFilter of(PortConfig config) {
        FrameFilter filter = new FrameFilter();
        boolean ipv4 = config.gid().isIpv4();
        switch (config.encapsulation()) {
            case ROCE_V1 -> filter.alternative(half(EthernetHeader.ETHER_TYPE_OFFSET), equal(EthernetHeader.ROCE));
            case ROCE_V2_IPV4 ->
                filter.alternative(
                        half(EthernetHeader.ETHER_TYPE_OFFSET),
                        equal(EthernetHeader.IPV4),
                        octet(NETWORK + Ipv4Header.PROTOCOL_OFFSET),
                        equal(UdpHeader.PROTOCOL),
                        half(NETWORK + Ipv4Header.LENGTH + UdpHeader.DESTINATION_PORT_OFFSET),
                        equal(config.udpPort()));
            case ROCE_V2_IPV6 ->
                filter.alternative(
                        half(EthernetHeader.ETHER_TYPE_OFFSET),
                        equal(EthernetHeader.IPV6),
                        octet(NETWORK + Ipv6Header.NEXT_HEADER_OFFSET),
                        equal(UdpHeader.PROTOCOL),
                        half(NETWORK + Ipv6Header.LENGTH + UdpHeader.DESTINATION_PORT_OFFSET),
                        equal(config.udpPort()));
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(config);
        }
        if (ipv4) {
            filter.alternative(half(EthernetHeader.ETHER_TYPE_OFFSET), equal(EthernetHeader.ARP));
        } else {
            for (int type : new int[] {NeighborMessage.SOLICITATION, NeighborMessage.ADVERTISEMENT}) {
                filter.alternative(
                        half(EthernetHeader.ETHER_TYPE_OFFSET),
                        equal(EthernetHeader.IPV6),
                        octet(NETWORK + Ipv6Header.NEXT_HEADER_OFFSET),
                        equal(NeighborMessage.NEXT_HEADER),
                        octet(NETWORK + Ipv6Header.LENGTH),
                        equal(type));
            }
        }
        return filter;
    }

    /** What somebody wants to look at. */
    static FrameFilter of(CaptureChoice choice) {
        FrameFilter filter = new FrameFilter();
        filter.alternative(half(EthernetHeader.ETHER_TYPE_OFFSET), equal(EthernetHeader.ROCE));
        filter.port(UdpHeader.PROTOCOL, UdpHeader.DESTINATION_PORT_OFFSET, choice.udpPort());
        for (int port : choice.tcpPorts()) {
            filter.port(TcpHeader.PROTOCOL, TcpHeader.SOURCE_PORT_OFFSET, port);
            filter.port(TcpHeader.PROTOCOL, TcpHeader.DESTINATION_PORT_OFFSET, port);
        }
        return filter;
    }

    /** Packets over IPv4, and IPv6 without extension headers, that have a port there. */
    private void port(int protocol, int portOffset, int port) {
        alternative(
                half(EthernetHeader.ETHER_TYPE_OFFSET),
                equal(EthernetHeader.IPV4),
                octet(NETWORK + Ipv4Header.PROTOCOL_OFFSET),
                equal(protocol),
                new Instruction(LOAD_HEADER_LENGTH, NETWORK),
                new Instruction(LOAD_HALF_BEHIND, NETWORK + portOffset),
                equal(port));
        alternative(
                half(EthernetHeader.ETHER_TYPE_OFFSET),
                equal(EthernetHeader.IPV6),
                octet(NETWORK + Ipv6Header.NEXT_HEADER_OFFSET),
                equal(protocol),
                half(NETWORK + Ipv6Header.LENGTH + portOffset),
                equal(port));
    }

    private void alternative(Instruction... instructions) {
        alternatives.add(List.of(instructions));
    }

    private static Instruction half(int offset) {
        return new Instruction(LOAD_HALF, offset);
    }

    private static Instruction octet(int offset) {
        return new Instruction(LOAD_BYTE, offset);
    }

    private static Instruction equal(int value) {
        return new Instruction(JUMP_IF_EQUAL, value);
    }

    /** The socket's filter from now on. Returns 0 or the negative errno. */
    int attach(LibC libc, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            int count = alternatives.stream().mapToInt(each -> each.size() + 1).sum() + 1;
            MemorySegment filter = arena.allocate((long) count * SockFprog.INSTRUCTION, 8);
            int at = 0;
            for (List<Instruction> alternative : alternatives) {
                int end = at + alternative.size(); // where this alternative takes the frame
                for (Instruction each : alternative) {
                    int otherwise = each.code() == JUMP_IF_EQUAL ? end - at : 0;
                    SockFprog.setInstruction(filter, at++, each.code(), 0, otherwise, each.operand());
                }
                SockFprog.setInstruction(filter, at++, RETURN, 0, 0, ALL);
            }
            SockFprog.setInstruction(filter, at, RETURN, 0, 0, 0);
            MemorySegment program = arena.allocate(SockFprog.SIZE, 8);
            SockFprog.set(program, count, filter.address());
            return libc.setsockopt(
                    fd, SocketOption.SOL_SOCKET, SocketOption.SO_ATTACH_FILTER, program.address(), SockFprog.SIZE);
        }
    }
}
