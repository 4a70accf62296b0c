package org.rdma4j.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Icrc;

/** Held against the ICRC that runs over prefix and packet, byte by byte as the standard has it. */
class RoceIcrcTest {

    private static final int SOURCE = 0x0A4D_0001;
    private static final int DESTINATION = 0x0A4D_0002;
    private static final long MAPPED = 0xFFFFL << 32;

    private static final long NETWORK = 0xFD77L << 48;

    @Provide
    Arbitrary<Encapsulation> encapsulations() {
        return Arbitraries.of(Encapsulation.ROCE_V1, Encapsulation.ROCE_V2_IPV4, Encapsulation.ROCE_V2_IPV6);
    }

    /** Each length is asked for often enough that its table is made, and other lengths come between. */
    @Property(tries = 300)
    void equalsTheRunOverPrefixAndPacket(
            @ForAll("encapsulations") Encapsulation encapsulation,
            @ForAll @IntRange(min = 3, max = 1040) int words,
            @ForAll long seed) {
        Random random = new Random(seed);
        RoceIcrc icrc = new RoceIcrc(encapsulation);
        for (int packet = 0; packet < 40; packet++) {
            check(icrc, encapsulation, 4 * words, random, 0xC000 + packet / 20);
            if (packet == 30) {
                check(icrc, encapsulation, 4 * (3 + random.nextInt(1038)), random, 0xC001);
            }
        }
    }

    private static void check(RoceIcrc icrc, Encapsulation encapsulation, int length, Random random, int sourcePort) {
        byte[] bytes = new byte[8 + length];
        random.nextBytes(bytes);
        MemorySegment packet = MemorySegment.ofArray(bytes);
        int identification = 0;
        MemorySegment prefix;
        switch (encapsulation) {
            case ROCE_V2_IPV4 -> {
                identification = random.nextInt(1 << 16);
                prefix = MemorySegment.ofArray(new byte[Icrc.IPV4_PREFIX]);
                icrc.flow(0, MAPPED | SOURCE, 0, MAPPED | DESTINATION, sourcePort, 4791);
                Icrc.writeIpv4Prefix(prefix, 0, length, identification, SOURCE, DESTINATION, sourcePort, 4791);
            }
            case ROCE_V2_IPV6 -> {
                prefix = MemorySegment.ofArray(new byte[Icrc.IPV6_PREFIX]);
                icrc.flow(NETWORK, 1, NETWORK, 2, sourcePort, 4791);
                Icrc.writeIpv6Prefix(prefix, 0, length, NETWORK, 1, NETWORK, 2, sourcePort, 4791);
            }
            default -> {
                prefix = MemorySegment.ofArray(new byte[Icrc.GRH_PREFIX]);
                icrc.flow(NETWORK, sourcePort, NETWORK, 2, 0, 0);
                Icrc.writeGrhPrefix(prefix, 0, length, NETWORK, sourcePort, NETWORK, 2);
            }
        }
        CRC32 rest = new CRC32();
        rest.update(bytes, 8 + Bth.LENGTH, length - Bth.LENGTH);
        assertEquals(
                Icrc.of(prefix, packet, 8, length), icrc.of(packet, 8, length, identification, (int) rest.getValue()));
    }
}
