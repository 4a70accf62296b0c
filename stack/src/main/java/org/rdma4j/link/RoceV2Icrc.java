package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Crc32Math;
import org.rdma4j.wire.Icrc;

/**
 * The ICRC of RoCE v2 packets for links that hold no network header: a run over the packet alone. What stands in front
 * depends on the flow, the length and the IPv4 identification only, so its CRC is worked out once a length and goes into
 * the packet's first word for the time of the run: CRC(A | B) is the CRC of B with CRC(A) XORed into its first four bytes.
 */
public final class RoceV2Icrc {

    private static final ValueLayout.OfInt LITTLE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Lengths whose seeds are kept, a power of two. */
    private static final int SLOTS = 64;

    /** How the CRC of an IPv4 prefix changes with each byte of the identification. */
    private static final int[] HIGH_BYTE = new int[256];

    private static final int[] LOW_BYTE = new int[256];

    static {
        for (int bits = 1; bits < 256; bits++) {
            HIGH_BYTE[bits] = Crc32Math.changeByFlip(bits, Icrc.BEHIND_IDENTIFICATION + 1);
            LOW_BYTE[bits] = Crc32Math.changeByFlip(bits, Icrc.BEHIND_IDENTIFICATION);
        }
    }

    private final boolean ipv4;
    private final MemorySegment prefix;
    private final int[] lengths = new int[SLOTS];
    private final int[] seeds = new int[SLOTS];

    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int ports;

    /** @param ipv4 whether the packets go over IPv4, or else over IPv6 */
    public RoceV2Icrc(boolean ipv4) {
        this.ipv4 = ipv4;
        this.prefix = MemorySegment.ofArray(new byte[ipv4 ? Icrc.IPV4_PREFIX : Icrc.IPV6_PREFIX]);
    }

    /** The addresses and ports of the packets that follow. */
    public void flow(long fromHigh, long fromLow, long toHigh, long toLow, int sourcePort, int destinationPort) {
        int bothPorts = sourcePort << 16 | destinationPort;
        if (bothPorts == ports
                && fromLow == sourceLow
                && toLow == destinationLow
                && fromHigh == sourceHigh
                && toHigh == destinationHigh) {
            return;
        }
        ports = bothPorts;
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        destinationHigh = toHigh;
        destinationLow = toLow;
        Arrays.fill(lengths, 0);
        if (ipv4) {
            Icrc.writeIpv4Prefix(prefix, 0, 0, 0, (int) fromLow, (int) toLow, sourcePort, destinationPort);
        } else {
            Icrc.writeIpv6Prefix(prefix, 0, 0, fromHigh, fromLow, toHigh, toLow, sourcePort, destinationPort);
        }
    }

    /**
     * Starts a CRC with what stands in front of a packet and the packet's first bytes. They are changed meanwhile and
     * stand as they were afterwards.
     *
     * @param view the whole of {@code buffer}; its position and limit are used
     * @param at where the BTH is
     * @param length bytes from BTH on, at least a BTH; the caller feeds the rest
     * @param transportLength bytes from BTH to pad
     * @param identification the IPv4 header's
     */
    public void start(
            CRC32 crc,
            MemorySegment buffer,
            ByteBuffer view,
            int at,
            int length,
            int transportLength,
            int identification) {
        int word = buffer.get(LITTLE, at);
        byte congestion = buffer.get(ValueLayout.JAVA_BYTE, at + Bth.CONGESTION_OFFSET);
        buffer.set(LITTLE, at, word ^ seed(transportLength, identification));
        buffer.set(ValueLayout.JAVA_BYTE, at + Bth.CONGESTION_OFFSET, (byte) 0xFF);
        crc.reset();
        crc.update(view.limit(at + length).position(at));
        buffer.set(LITTLE, at, word);
        buffer.set(ValueLayout.JAVA_BYTE, at + Bth.CONGESTION_OFFSET, congestion);
    }

    private int seed(int transportLength, int identification) {
        int slot = transportLength >> 2 & SLOTS - 1;
        if (lengths[slot] != transportLength) {
            lengths[slot] = transportLength;
            seeds[slot] = seedOf(transportLength);
        }
        return ipv4
                ? seeds[slot] ^ HIGH_BYTE[identification >> 8 & 0xFF] ^ LOW_BYTE[identification & 0xFF]
                : seeds[slot];
    }

    private int seedOf(int transportLength) {
        if (ipv4) {
            Icrc.setIpv4Prefix(prefix, 0, transportLength, 0);
        } else {
            Icrc.setIpv6Prefix(prefix, 0, transportLength);
        }
        CRC32 crc = new CRC32();
        crc.update((byte[]) prefix.heapBase().orElseThrow());
        return (int) crc.getValue();
    }
}
