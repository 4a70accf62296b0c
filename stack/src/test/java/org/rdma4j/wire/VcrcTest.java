package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.rdma4j.vectors.HardwareVectors;

class VcrcTest {

    @Test
    void coversTheSpecificationsSamplePacket() {
        MemorySegment packet = sample();
        int covered = (int) packet.byteSize() - Vcrc.LENGTH;
        assertEquals(0xFA45, Vcrc.of(packet, 0, covered));
        assertEquals(0xFA45, Vcrc.read(packet, covered));
    }

    @Test
    void agreesWithTheDefinitionBitByBit() {
        MemorySegment packet = sample();
        int covered = (int) packet.byteSize() - Vcrc.LENGTH;
        // The definition, 0x100B from the top, over bits in the order in which they are sent: lowest first.
        int register = 0xFFFF;
        for (int bit = 0; bit < 8 * covered; bit++) {
            int in = packet.get(NetworkOrder.BYTE, bit / 8) >> bit % 8 & 1;
            boolean out = (register >> 15 & 1) != in;
            register = register << 1 & 0xFFFF ^ (out ? 0x100B : 0);
        }
        assertEquals(~Integer.reverse(register) >>> 16, Vcrc.of(packet, 0, covered));
    }

    @Property
    void runningOverTheVcrcItselfLeavesAConstant(@ForAll @Size(min = 1, max = 200) byte[] bytes) {
        byte[] packet = java.util.Arrays.copyOf(bytes, bytes.length + Vcrc.LENGTH);
        MemorySegment segment = MemorySegment.ofArray(packet);
        Vcrc.write(segment, bytes.length, Vcrc.of(segment, 0, bytes.length));
        MemorySegment other = sample();
        assertEquals(Vcrc.of(other, 0, other.byteSize()), Vcrc.of(segment, 0, packet.length));
    }

    @Property
    void everyFlippedBitShows(@ForAll @IntRange(max = 8 * 56 - 1) int bit) {
        MemorySegment packet = sample();
        int covered = (int) packet.byteSize() - Vcrc.LENGTH;
        byte flipped = (byte) (packet.get(NetworkOrder.BYTE, bit / 8) ^ 1 << bit % 8);
        packet.set(NetworkOrder.BYTE, bit / 8, flipped);
        assertNotEquals(Vcrc.read(packet, covered), Vcrc.of(packet, 0, covered));
    }

    private static MemorySegment sample() {
        return MemorySegment.ofArray(HardwareVectors.named("ib-local-write").bytes());
    }
}
