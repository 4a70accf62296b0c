package org.rdma4j.link.fault;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Crc32Math;
import org.rdma4j.wire.Icrc;

/** Damages packets by one bit, and tells what that does to the ICRC. */
final class BitFlip {

    private BitFlip() {}

    /**
     * Flips a random bit that the ICRC covers. A bit whose damage a receiver could take for another IPv4 identification
     * is not chosen, so that each receiver must refuse the packet, also one that cannot see that field.
     *
     * @param length bytes of headers and payload
     * @return by which bits the right ICRC changed
     */
    static int flip(MemorySegment packet, int length, RandomGenerator random) {
        int transportLength = length + (-length & 3);
        int bit = random.nextInt(8 * length);
        while (true) {
            int at = bit >>> 3;
            int change = Crc32Math.changeByFlip(1 << (bit & 7), transportLength - 1 - at);
            if (at != Bth.CONGESTION_OFFSET && Icrc.solveIdentification(0, change, transportLength) < 0) {
                byte value = packet.get(ValueLayout.JAVA_BYTE, at);
                packet.set(ValueLayout.JAVA_BYTE, at, (byte) (value ^ 1 << (bit & 7)));
                return change;
            }
            bit = (bit + 1) % (8 * length);
        }
    }
}
