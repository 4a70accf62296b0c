package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Crc32Math;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Icrc;

/**
 * The ICRC of RoCE packets, from the CRC of what stands behind the BTH; the network header need not be at hand. CRCs are
 * linear: the prefix's depends on the flow, the length and the IPv4 identification only, each byte of the BTH adds a
 * share of its own, and CRC(A | B) is CRC(A) shifted by the length of B, XOR CRC(B). So the prefix is never written, no
 * byte is read twice, and the one run over the payload finds it where it lies.
 */
public final class RoceIcrc {

    private static final ValueLayout.OfLong LITTLE_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Lengths that are remembered at a time, a power of two. */
    private static final int SLOTS = 64;

    /** Packets of one length in a row after which a table for it is worth its price. */
    private static final int WORTH_A_TABLE = 32;

    /** What byte k of a BTH adds: entries from {@code 256 * k} on. */
    private static final int[] BTH_SHARES = new int[256 * Bth.LENGTH];

    /** What the two bytes of the identification add. */
    private static final int[] ID_HIGH_SHARES = new int[256];

    private static final int[] ID_LOW_SHARES = new int[256];

    static {
        for (int bits = 1; bits < 256; bits++) {
            for (int k = 0; k < Bth.LENGTH; k++) {
                BTH_SHARES[256 * k + bits] = Crc32Math.changeByFlip(bits, Bth.LENGTH - 1 - k);
            }
            int behind = Icrc.BEHIND_IDENTIFICATION + Bth.LENGTH;
            ID_HIGH_SHARES[bits] = Crc32Math.changeByFlip(bits, behind + 1);
            ID_LOW_SHARES[bits] = Crc32Math.changeByFlip(bits, behind);
        }
    }

    private final Encapsulation encapsulation;
    private final boolean ipv4;
    private final MemorySegment prefix;

    private final int[] lengths = new int[SLOTS];
    private final int[] seeds = new int[SLOTS];
    private final int[] powers = new int[SLOTS];
    private final int[] uses = new int[SLOTS];
    private final int[][] tables = new int[SLOTS][];

    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int ports;

    /** For RoCE v1 or v2. */
    public RoceIcrc(Encapsulation encapsulation) {
        this.encapsulation = encapsulation;
        this.ipv4 = encapsulation == Encapsulation.ROCE_V2_IPV4;
        this.prefix = MemorySegment.ofArray(new byte[prefixLength(encapsulation) + Bth.LENGTH]);
        prefix.set(ValueLayout.JAVA_BYTE, prefix.byteSize() - Bth.LENGTH + Bth.CONGESTION_OFFSET, (byte) 0xFF);
    }

    private static int prefixLength(Encapsulation encapsulation) {
        return switch (encapsulation) {
            case ROCE_V1 -> Icrc.GRH_PREFIX;
            case ROCE_V2_IPV4 -> Icrc.IPV4_PREFIX;
            case ROCE_V2_IPV6 -> Icrc.IPV6_PREFIX;
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL ->
                throw new IllegalArgumentException(encapsulation.text() + " is not RoCE");
        };
    }

    /** The addresses of the packets that follow, and their ports, which RoCE v1 has not. */
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
        switch (encapsulation) {
            case ROCE_V1 -> Icrc.writeGrhPrefix(prefix, 0, 0, fromHigh, fromLow, toHigh, toLow);
            case ROCE_V2_IPV4 ->
                Icrc.writeIpv4Prefix(prefix, 0, 0, 0, (int) fromLow, (int) toLow, sourcePort, destinationPort);
            case ROCE_V2_IPV6 ->
                Icrc.writeIpv6Prefix(prefix, 0, 0, fromHigh, fromLow, toHigh, toLow, sourcePort, destinationPort);
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        }
    }

    /**
     * @param at where the packet's BTH is in {@code buffer}
     * @param transportLength bytes from BTH to pad
     * @param identification the IPv4 header's
     * @param behindBth the CRC of the bytes from the BTH's end to pad; 0 where there are none
     * @return as {@link CRC32#getValue()} would give it
     */
    public int of(MemorySegment buffer, long at, int transportLength, int identification, int behindBth) {
        int slot = transportLength >> 2 & SLOTS - 1;
        if (lengths[slot] != transportLength) {
            take(slot, transportLength);
        }
        int crc = seeds[slot] ^ bthShare(buffer, at);
        if (ipv4) {
            crc ^= ID_HIGH_SHARES[identification >> 8 & 0xFF] ^ ID_LOW_SHARES[identification & 0xFF];
        }
        return shift(slot, crc) ^ behindBth;
    }

    private static int bthShare(MemorySegment buffer, long at) {
        int[] shares = BTH_SHARES;
        long first = buffer.get(LITTLE_LONG, at);
        int last = buffer.get(LITTLE_INT, at + Long.BYTES);
        // Byte 4 is taken as ones: the seed has it.
        return shares[(int) first & 0xFF]
                ^ shares[0x100 + ((int) (first >>> 8) & 0xFF)]
                ^ shares[0x200 + ((int) (first >>> 16) & 0xFF)]
                ^ shares[0x300 + ((int) (first >>> 24) & 0xFF)]
                ^ shares[0x500 + ((int) (first >>> 40) & 0xFF)]
                ^ shares[0x600 + ((int) (first >>> 48) & 0xFF)]
                ^ shares[0x700 + (int) (first >>> 56)]
                ^ shares[0x800 + (last & 0xFF)]
                ^ shares[0x900 + (last >>> 8 & 0xFF)]
                ^ shares[0xA00 + (last >>> 16 & 0xFF)]
                ^ shares[0xB00 + (last >>> 24)];
    }

    /** A slot is for another length from now on. */
    private void take(int slot, int transportLength) {
        switch (encapsulation) {
            case ROCE_V1 -> Icrc.setGrhPrefix(prefix, 0, transportLength);
            case ROCE_V2_IPV4 -> Icrc.setIpv4Prefix(prefix, 0, transportLength, 0);
            case ROCE_V2_IPV6 -> Icrc.setIpv6Prefix(prefix, 0, transportLength);
            case INFINIBAND_LOCAL, INFINIBAND_GLOBAL -> throw new AssertionError(encapsulation);
        }
        CRC32 crc = new CRC32();
        crc.update((byte[]) prefix.heapBase().orElseThrow());
        lengths[slot] = transportLength;
        seeds[slot] = (int) crc.getValue();
        int power = Icrc.shift(transportLength - Bth.LENGTH);
        if (power != powers[slot]) {
            powers[slot] = power;
            uses[slot] = 0;
            tables[slot] = null;
        }
    }

    private int shift(int slot, int crc) {
        int[] table = tables[slot];
        if (table == null) {
            if (++uses[slot] < WORTH_A_TABLE) {
                return Crc32Math.multiply(crc, powers[slot]);
            }
            table = tableOf(powers[slot]);
            tables[slot] = table;
        }
        return table[crc & 0xFF]
                ^ table[0x100 + (crc >>> 8 & 0xFF)]
                ^ table[0x200 + (crc >>> 16 & 0xFF)]
                ^ table[0x300 + (crc >>> 24)];
    }

    /** The products of a power of x with each value of each of a remainder's bytes. */
    private static int[] tableOf(int power) {
        int[] table = new int[1024];
        int product = power; // of x^0, whose bit is the top one
        for (int bit = 31; bit >= 0; bit--, product = Crc32Math.timesX(product)) {
            int start = (bit >> 3) * 256;
            int step = 1 << (bit & 7);
            for (int value = step; value < 256; value++) {
                if ((value & step) != 0) {
                    table[start + value] ^= product;
                }
            }
        }
        return table;
    }
}
