package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * What the RDMA IP CM service puts before the application's private data in REQ and SIDR_REQ: IP addresses and the source
 * port (annex A11).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+-------+-------+-------------------------------+
 * |    Version    | IPVer |  rsv  |          Source port          |  0
 * +---------------+-------+-------+-------------------------------+
 * |                  Source IP address (16 bytes)                 |  4
 * |                Destination IP address (16 bytes)              | 20
 * +---------------------------------------------------------------+
 * </pre>
 *
 * An IPv4 address stands in the last four bytes of its field, zeros before it.
 *
 * @param version 8 bits: {@link #VERSION}
 * @param ipVersion 4 bits: 4 or 6
 * @param sourcePort 16 bits
 * @param source whom the request comes from, as a GID
 * @param destination whom it is for, as a GID
 */
public record IpCmHeader(int version, int ipVersion, int sourcePort, Gid source, Gid destination) {

    /** Bytes on the wire. */
    public static final int LENGTH = 36;

    public static final int VERSION = 0;

    /** The application's room in a REQ. */
    public static final int REQ_ROOM = CmReq.PRIVATE_DATA_LENGTH - LENGTH;

    /** The application's room in a SIDR_REQ. */
    public static final int SIDR_REQ_ROOM = CmSidrReq.PRIVATE_DATA_LENGTH - LENGTH;

    /** The header for two addresses of one family. */
    public static IpCmHeader of(InetAddress source, int sourcePort, InetAddress destination) {
        return new IpCmHeader(
                VERSION, source instanceof Inet4Address ? 4 : 6, sourcePort, Gid.of(source), Gid.of(destination));
    }

    /** Reads it from private data. @return {@code null} where that is too short */
    public static IpCmHeader parse(PrivateData data) {
        return data.length() < LENGTH ? null : parse(MemorySegment.ofArray(data.toBytes()), 0);
    }

    public static IpCmHeader parse(MemorySegment segment, long offset) {
        int ipVersion = segment.get(NetworkOrder.BYTE, offset + 1) >>> 4 & 0xF;
        return new IpCmHeader(
                segment.get(NetworkOrder.BYTE, offset) & 0xFF,
                ipVersion,
                segment.get(NetworkOrder.SHORT, offset + 2) & 0xFFFF,
                address(segment, offset + 4, ipVersion),
                address(segment, offset + 20, ipVersion));
    }

    /** True where version and IP version are ones that are known. */
    public boolean isKnown() {
        return version == VERSION && (ipVersion == 4 || ipVersion == 6);
    }

    private static Gid address(MemorySegment segment, long offset, int ipVersion) {
        return ipVersion == 4 ? Gid.ofIpv4(segment.get(NetworkOrder.INT, offset + 12)) : CmPath.gid(segment, offset);
    }

    private void setAddress(MemorySegment segment, long offset, Gid gid) {
        CmPath.setGid(segment, offset, ipVersion == 4 ? new Gid(0, Integer.toUnsignedLong(gid.ipv4())) : gid);
    }

    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.BYTE, offset, (byte) version);
        segment.set(NetworkOrder.BYTE, offset + 1, (byte) (ipVersion << 4));
        segment.set(NetworkOrder.SHORT, offset + 2, (short) sourcePort);
        setAddress(segment, offset + 4, source);
        setAddress(segment, offset + 20, destination);
    }

    /** This header and the application's bytes behind it. */
    public PrivateData before(PrivateData data) {
        byte[] bytes = new byte[LENGTH + data.length()];
        emit(MemorySegment.ofArray(bytes), 0);
        System.arraycopy(data.toBytes(), 0, bytes, LENGTH, data.length());
        return PrivateData.of(bytes);
    }
}
