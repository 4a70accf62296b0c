package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a router does to an IPv4 header (RFC 1624): the updated checksum is the one that a sender would have made. */
class Ipv4ForwardTest {

    @Property(tries = 500)
    void checksumFollows(
            @ForAll @IntRange(min = 0, max = 255) int before,
            @ForAll @IntRange(min = 0, max = 255) int after,
            @ForAll @IntRange(min = 1, max = 255) int hops,
            @ForAll @IntRange(min = 20, max = 65_535) int length,
            @ForAll int source,
            @ForAll int destination) {
        MemorySegment forwarded = header(before, hops, length, source, destination);
        Ipv4Header.forward(forwarded, 0, after);
        MemorySegment expected = header(after, hops - 1, length, source, destination);
        assertEquals(Ipv4Header.parse(expected, 0), Ipv4Header.parse(forwarded, 0));
    }

    private static MemorySegment header(int trafficClass, int hops, int length, int source, int destination) {
        MemorySegment header = MemorySegment.ofArray(new byte[Ipv4Header.LENGTH]);
        Ipv4Header.write(header, 0, trafficClass, length, 0, 0x4000, hops, UdpHeader.PROTOCOL, source, destination);
        return header;
    }
}
