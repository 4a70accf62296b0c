package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Invariant CRC (IBTA volume 1, 7.8.1, annexes A16 and A17): the CRC-32 of Ethernet over what no switch or router may
 * change, last in every packet, its lowest byte first.
 *
 * <p>In front of the packet it covers eight bytes of ones, which stand for an LRH, and the network headers with the
 * fields that change on the way taken as ones; of the packet itself the BTH's byte 4 likewise. The {@code write…Prefix}
 * methods make what stands in front, so that one run over prefix and packet gives the ICRC:
 *
 * <pre>
 *   RoCE v2/IPv4   8 x FF | IPv4 (TOS, TTL, checksum) | UDP (checksum)             36 bytes
 *   RoCE v2/IPv6   8 x FF | IPv6 (class, flow label, hop limit) | UDP (checksum)   56 bytes
 *   RoCE v1        8 x FF | GRH (TClass, FlowLabel, HopLmt)                        48 bytes
 *   IB with GRH    the same as RoCE v1
 *   IB local       LRH (VL)                                                         8 bytes
 * </pre>
 */
public final class Icrc {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Bytes of ones in front of everything. */
    public static final int DUMMY_LENGTH = 8;

    public static final int IPV4_PREFIX = DUMMY_LENGTH + Ipv4Header.LENGTH + UdpHeader.LENGTH;
    public static final int IPV6_PREFIX = DUMMY_LENGTH + Ipv6Header.LENGTH + UdpHeader.LENGTH;
    public static final int GRH_PREFIX = DUMMY_LENGTH + Grh.LENGTH;

    /** Covered bytes between the IPv4 identification and the BTH. */
    public static final int BEHIND_IDENTIFICATION =
            Ipv4Header.LENGTH - Ipv4Header.IDENTIFICATION_OFFSET - 2 + UdpHeader.LENGTH;

    private static final ValueLayout.OfInt LITTLE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** x^8n and x^-8n for n bytes, worked out when first asked for. 0 is no power of x; a race writes the same value twice. */
    private static final int[] SHIFT = new int[8192];

    private static final int[] UNSHIFT = new int[8192];

    private static final byte ONES = (byte) 0xFF;

    /** Of an LRH's first byte. */
    private static final byte VIRTUAL_LANE = (byte) 0xF0;

    /** Of the first byte of an IPv6 header or a GRH. */
    private static final byte HIGH_TRAFFIC_CLASS = 0x0F;

    private Icrc() {}

    /** The ICRC at an offset, as {@link CRC32#getValue()} would give it. */
    public static int read(MemorySegment segment, long offset) {
        return segment.get(LITTLE, offset);
    }

    public static void write(MemorySegment segment, long offset, int icrc) {
        segment.set(LITTLE, offset, icrc);
    }

    /**
     * What the ICRC covers in front of the BTH, for RoCE v2 over IPv4: {@link #IPV4_PREFIX} bytes.
     *
     * @param transportLength bytes from BTH to pad
     */
    public static void writeIpv4Prefix(
            MemorySegment segment,
            long offset,
            int transportLength,
            int identification,
            int source,
            int destination,
            int sourcePort,
            int destinationPort) {
        segment.set(NetworkOrder.LONG, offset, -1L);
        long ip = offset + DUMMY_LENGTH;
        int udpLength = UdpHeader.LENGTH + transportLength + LENGTH;
        Ipv4Header.write(
                segment,
                ip,
                0xFF,
                Ipv4Header.LENGTH + udpLength,
                identification,
                Ipv4Header.DONT_FRAGMENT,
                0xFF,
                UdpHeader.PROTOCOL,
                source,
                destination);
        segment.set(NetworkOrder.SHORT, ip + Ipv4Header.CHECKSUM_OFFSET, (short) -1);
        UdpHeader.write(segment, ip + Ipv4Header.LENGTH, sourcePort, destinationPort, udpLength, 0xFFFF);
    }

    /** Makes a prefix fit another packet of the same route. */
    public static void setIpv4Prefix(MemorySegment segment, long offset, int transportLength, int identification) {
        long ip = offset + DUMMY_LENGTH;
        int udpLength = UdpHeader.LENGTH + transportLength + LENGTH;
        segment.set(
                NetworkOrder.INT,
                ip + Ipv4Header.TOTAL_LENGTH_OFFSET,
                Ipv4Header.LENGTH + udpLength << 16 | identification & 0xFFFF);
        UdpHeader.setUdpLength(segment, ip + Ipv4Header.LENGTH, udpLength);
    }

    /** What the ICRC covers in front of the BTH, for RoCE v2 over IPv6: {@link #IPV6_PREFIX} bytes. */
    public static void writeIpv6Prefix(
            MemorySegment segment,
            long offset,
            int transportLength,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int sourcePort,
            int destinationPort) {
        segment.set(NetworkOrder.LONG, offset, -1L);
        int udpLength = UdpHeader.LENGTH + transportLength + LENGTH;
        long ip = offset + DUMMY_LENGTH;
        Ipv6Header.write(
                segment,
                ip,
                0xFF,
                -1,
                udpLength,
                UdpHeader.PROTOCOL,
                0xFF,
                sourceHigh,
                sourceLow,
                destinationHigh,
                destinationLow);
        UdpHeader.write(segment, ip + Ipv6Header.LENGTH, sourcePort, destinationPort, udpLength, 0xFFFF);
    }

    /** Makes a prefix fit another packet of the same route. */
    public static void setIpv6Prefix(MemorySegment segment, long offset, int transportLength) {
        int udpLength = UdpHeader.LENGTH + transportLength + LENGTH;
        long ip = offset + DUMMY_LENGTH;
        Ipv6Header.setPayloadLength(segment, ip, udpLength);
        UdpHeader.setUdpLength(segment, ip + Ipv6Header.LENGTH, udpLength);
    }

    /** What the ICRC covers in front of the BTH, for RoCE v1 and for IB with a GRH: {@link #GRH_PREFIX} bytes. */
    public static void writeGrhPrefix(
            MemorySegment segment,
            long offset,
            int transportLength,
            long sgidHigh,
            long sgidLow,
            long dgidHigh,
            long dgidLow) {
        segment.set(NetworkOrder.LONG, offset, -1L);
        Grh.write(
                segment,
                offset + DUMMY_LENGTH,
                0xFF,
                -1,
                transportLength + LENGTH,
                Grh.NEXT_HEADER_IBA,
                0xFF,
                sgidHigh,
                sgidLow,
                dgidHigh,
                dgidLow);
    }

    /** Makes a prefix fit another packet of the same route. */
    public static void setGrhPrefix(MemorySegment segment, long offset, int transportLength) {
        Grh.setPayloadLength(segment, offset + DUMMY_LENGTH, transportLength + LENGTH);
    }

    /** What the ICRC covers in front of the BTH of an IB packet without GRH: its LRH, VL taken as ones. */
    public static void writeLrhPrefix(MemorySegment segment, long offset, MemorySegment packet, long lrhOffset) {
        segment.set(NetworkOrder.LONG, offset, packet.get(NetworkOrder.LONG, lrhOffset) | 0xFL << 60);
    }

    /** The ICRC of a packet behind a prefix. For those in no hurry: a link lays both side by side and runs once. */
    public static int of(MemorySegment prefix, MemorySegment segment, long bthOffset, int transportLength) {
        CRC32 crc = new CRC32();
        crc.update(prefix.asByteBuffer());
        crc.update(segment.asSlice(bthOffset, Bth.CONGESTION_OFFSET).asByteBuffer());
        crc.update(0xFF);
        long behind = Bth.CONGESTION_OFFSET + 1;
        crc.update(segment.asSlice(bthOffset + behind, transportLength - behind).asByteBuffer());
        return (int) crc.getValue();
    }

    /** The ICRC that a whole frame should have, from the headers that it has. */
    public static int of(RoceFrame frame) {
        byte[] prefix = new byte[LONGEST_PREFIX];
        int length = writePrefix(frame, prefix);
        return of(
                MemorySegment.ofArray(prefix).asSlice(0, length),
                frame.segment(),
                frame.bthOffset(),
                frame.transportLength());
    }

    /** Bytes that {@link #writePrefix} needs at most. */
    static final int LONGEST_PREFIX = DUMMY_LENGTH + Ipv6Header.LENGTH + UdpHeader.LENGTH;

    /** The headers as they stand in the frame, whatever they say, with the changing fields masked; gives their length. */
    static int writePrefix(RoceFrame frame, byte[] prefix) {
        Encapsulation encapsulation = frame.encapsulation();
        if (encapsulation == Encapsulation.INFINIBAND_LOCAL) {
            frame.bytes().copy(frame.networkOffset(), prefix, 0, Lrh.LENGTH);
            prefix[0] |= VIRTUAL_LANE;
            return Lrh.LENGTH;
        }
        boolean global = encapsulation == Encapsulation.INFINIBAND_GLOBAL;
        long headers = global ? frame.networkOffset() + Lrh.LENGTH : frame.networkOffset();
        int length = (int) (frame.bthOffset() - headers);
        Arrays.fill(prefix, 0, DUMMY_LENGTH, ONES);
        frame.bytes().copy(headers, prefix, DUMMY_LENGTH, length);
        if (encapsulation == Encapsulation.ROCE_V2_IPV4) {
            prefix[DUMMY_LENGTH + Ipv4Header.TRAFFIC_CLASS_OFFSET] = ONES;
            prefix[DUMMY_LENGTH + Ipv4Header.TIME_TO_LIVE_OFFSET] = ONES;
            prefix[DUMMY_LENGTH + Ipv4Header.CHECKSUM_OFFSET] = ONES;
            prefix[DUMMY_LENGTH + Ipv4Header.CHECKSUM_OFFSET + 1] = ONES;
        } else {
            prefix[DUMMY_LENGTH] |= HIGH_TRAFFIC_CLASS;
            Arrays.fill(prefix, DUMMY_LENGTH + 1, DUMMY_LENGTH + Grh.PAYLOAD_LENGTH_OFFSET, ONES);
            prefix[DUMMY_LENGTH + Grh.HOP_LIMIT_OFFSET] = ONES;
        }
        int whole = DUMMY_LENGTH + length;
        if (encapsulation.hasUdp()) {
            int checksum = whole - UdpHeader.LENGTH + UdpHeader.CHECKSUM_OFFSET;
            prefix[checksum] = ONES;
            prefix[checksum + 1] = ONES;
        }
        return whole;
    }

    /**
     * Finds the IPv4 identification that a socket hides. The CRC is linear, so the difference that the two bytes make
     * depends on nothing but the length behind them and can be divided out. A damaged packet passes for a good one
     * with another identification once in 65,536 times.
     *
     * @param withZero the ICRC computed with identification 0
     * @param received the ICRC as received
     * @param transportLength bytes from BTH to pad
     * @return the identification, 0 to 65,535; -1 where there is none, so that the packet is damaged
     */
    public static int solveIdentification(int withZero, int received, int transportLength) {
        int bytes = solveSecondWord(withZero, received, transportLength);
        return bytes >>> 16 != 0 ? -1 : identification(bytes);
    }

    /**
     * As {@link #solveIdentification}, for senders too that leave "don't fragment" clear, as some FPGA designs do. The
     * price is twice as many damaged packets that pass: one in 32,768.
     *
     * @return the second word of the IPv4 header, identification in its high half and flags in its low one: {@code
     *     0x1234_4000} or {@code 0x1234_0000}; -1 where there is none
     */
    public static int solveIdentificationAndFlags(int withZero, int received, int transportLength) {
        int bytes = solveSecondWord(withZero, received, transportLength);
        return switch (bytes >>> 16) {
            case 0 -> identification(bytes) << 16 | Ipv4Header.DONT_FRAGMENT;
            case Ipv4Header.DONT_FRAGMENT >>> 8 -> identification(bytes) << 16; // its byte is the first of the two
            default -> -1;
        };
    }

    /** What to XOR into the IPv4 header's bytes 4 to 7, the first of them in the lowest bits. */
    private static int solveSecondWord(int withZero, int received, int transportLength) {
        int difference = withZero ^ received;
        return difference == 0
                ? 0
                : Crc32Math.multiply(difference, unshift(BEHIND_IDENTIFICATION + transportLength + 2));
    }

    private static int identification(int bytes) {
        return (bytes & 0xFF) << 8 | bytes >>> 8 & 0xFF;
    }

    /** What to multiply a CRC with ({@link Crc32Math#multiply}) to lead it over so many bytes more. */
    public static int shift(int bytes) {
        return power(SHIFT, bytes, 8);
    }

    private static int unshift(int bytes) {
        return power(UNSHIFT, bytes, -8);
    }

    private static int power(int[] known, int bytes, int bits) {
        if (bytes >= known.length) {
            return Crc32Math.powerOfX((long) bits * bytes);
        }
        int power = known[bytes];
        if (power == 0) {
            power = Crc32Math.powerOfX((long) bits * bytes);
            known[bytes] = power;
        }
        return power;
    }
}
