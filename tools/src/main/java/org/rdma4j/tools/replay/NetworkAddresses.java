package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/** Writes addresses into IP headers and GRHs. */
final class NetworkAddresses {

    private NetworkAddresses() {}

    /** Checksums and ICRC are left as they are. */
    static void write(RoceFrame frame, Gid source, Gid destination) {
        boolean isIpv4 = frame.encapsulation() == Encapsulation.ROCE_V2_IPV4;
        write(frame.segment(), frame.networkOffset(), isIpv4, source, destination);
    }

    /** With the checksums made right. */
    static void write(TcpFrame frame, Gid source, Gid destination) {
        MemorySegment bytes = frame.segment();
        long network = frame.networkOffset();
        write(bytes, network, !frame.isIpv6(), source, destination);
        if (!frame.isIpv6()) {
            bytes.set(NetworkOrder.SHORT, network + Ipv4Header.CHECKSUM_OFFSET, (short)
                    Ipv4Header.expectedChecksum(bytes, network));
        }
        int length = (int) (frame.payloadOffset() - frame.tcpOffset()) + frame.payloadLength();
        TcpHeader.setChecksum(
                bytes,
                frame.tcpOffset(),
                TcpHeader.expectedChecksum(
                        bytes,
                        frame.tcpOffset(),
                        length,
                        addresses(network, !frame.isIpv6()),
                        addressesLength(!frame.isIpv6())));
    }

    /** Where source and destination lie, one behind the other. */
    static long addresses(long network, boolean isIpv4) {
        return network + (isIpv4 ? Ipv4Header.SOURCE_OFFSET : Grh.SGID_OFFSET);
    }

    /** Bytes of the two. */
    static int addressesLength(boolean isIpv4) {
        return isIpv4 ? 2 * Integer.BYTES : 2 * Gid.LENGTH;
    }

    private static void write(MemorySegment bytes, long network, boolean isIpv4, Gid source, Gid destination) {
        if (isIpv4) {
            bytes.set(NetworkOrder.INT, network + Ipv4Header.SOURCE_OFFSET, source.ipv4());
            bytes.set(NetworkOrder.INT, network + Ipv4Header.DESTINATION_OFFSET, destination.ipv4());
        } else {
            setGid(bytes, network + Grh.SGID_OFFSET, source);
            setGid(bytes, network + Grh.DGID_OFFSET, destination);
        }
    }

    static void setGid(MemorySegment bytes, long at, Gid gid) {
        bytes.set(NetworkOrder.LONG, at, gid.high());
        bytes.set(NetworkOrder.LONG, at + Long.BYTES, gid.low());
    }
}
