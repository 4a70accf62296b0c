package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TcpHeaderTest {

    /** The MPA request of rping, from its IPv4 header on. */
    private static final MemorySegment PACKET = Hex.segment("45000040 00014000 40060000 0a000001 0a000002"
            + "a8ca1c06 000003e8 00001388 5018ffff 00000000"
            + "4d504120494420526571204672616d65 10020004 00010001");

    @Test
    void readsItsFields() {
        assertEquals(
                new TcpHeader(0xA8CA, 7174, 1000, 5000, 5, TcpHeader.PSH | TcpHeader.ACK, 0xFFFF, 0, 0),
                TcpHeader.parse(PACKET, Ipv4Header.LENGTH));
    }

    @Test
    void theSumOverAllWithItsChecksumIsAllOnes() {
        int length = (int) PACKET.byteSize() - Ipv4Header.LENGTH;
        int checksum = TcpHeader.expectedChecksum(
                PACKET, Ipv4Header.LENGTH, length, Ipv4Header.SOURCE_OFFSET, 2 * Integer.BYTES);
        long sum = InternetChecksum.sum(PACKET, Ipv4Header.SOURCE_OFFSET, PACKET.byteSize() - Ipv4Header.SOURCE_OFFSET);
        assertEquals(0, InternetChecksum.of(sum + TcpHeader.PROTOCOL + length + checksum));
    }

    @Property
    void whatIsEmittedIsParsedAgain(@ForAll @Size(TcpHeader.LENGTH) byte[] noise) {
        noise[TcpHeader.HEADER_WORDS_OFFSET] &= (byte) 0xF0; // the reserved bits are sent as zeros
        MemorySegment again = MemorySegment.ofArray(new byte[TcpHeader.LENGTH]);
        TcpHeader.parse(MemorySegment.ofArray(noise), 0).emit(again, 0);
        assertEquals(-1, MemorySegment.ofArray(noise).mismatch(again));
    }
}
