package org.rdma4j.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Icrc;

/** Held against the ICRC that runs over prefix and packet, byte by byte as the standard has it. */
class RoceV2IcrcTest {

    private static final int SOURCE = 0x0A4D_0001;
    private static final int DESTINATION = 0x0A4D_0002;
    private static final long MAPPED = 0xFFFFL << 32;

    /** Each length is asked for often enough that its table is made, and other lengths come between. */
    @Property(tries = 300)
    void equalsTheRunOverPrefixAndPacket(
            @ForAll boolean ipv4, @ForAll @IntRange(min = 3, max = 1040) int words, @ForAll long seed) {
        Random random = new Random(seed);
        RoceV2Icrc icrc = new RoceV2Icrc(ipv4);
        for (int packet = 0; packet < 40; packet++) {
            check(icrc, ipv4, 4 * words, random, 0xC000 + packet / 20);
            if (packet == 30) {
                check(icrc, ipv4, 4 * (3 + random.nextInt(1038)), random, 0xC001);
            }
        }
    }

    private static void check(RoceV2Icrc icrc, boolean ipv4, int length, Random random, int sourcePort) {
        byte[] bytes = new byte[8 + length];
        random.nextBytes(bytes);
        MemorySegment packet = MemorySegment.ofArray(bytes);
        int identification = ipv4 ? random.nextInt(1 << 16) : 0;
        MemorySegment prefix = MemorySegment.ofArray(new byte[ipv4 ? Icrc.IPV4_PREFIX : Icrc.IPV6_PREFIX]);
        if (ipv4) {
            icrc.flow(0, MAPPED | SOURCE, 0, MAPPED | DESTINATION, sourcePort, 4791);
            Icrc.writeIpv4Prefix(prefix, 0, length, identification, SOURCE, DESTINATION, sourcePort, 4791);
        } else {
            icrc.flow(0xFD77L << 48, 1, 0xFD77L << 48, 2, sourcePort, 4791);
            Icrc.writeIpv6Prefix(prefix, 0, length, 0xFD77L << 48, 1, 0xFD77L << 48, 2, sourcePort, 4791);
        }
        CRC32 rest = new CRC32();
        rest.update(bytes, 8 + Bth.LENGTH, length - Bth.LENGTH);
        assertEquals(
                Icrc.of(prefix, packet, 8, length), icrc.of(packet, 8, length, identification, (int) rest.getValue()));
    }
}
