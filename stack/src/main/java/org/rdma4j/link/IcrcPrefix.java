package org.rdma4j.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Icrc;

/**
 * For links that carry RoCE v2: a place where a packet's headers stand right behind what the ICRC covers in front of them, so that one run takes in
 * both. What does not change from packet to packet is written once a flow.
 */
public final class IcrcPrefix {

    /** Where headers are to be written; the prefix ends here. */
    public static final int HEADERS_AT = 64;

    private final MemorySegment memory = Arena.ofAuto().allocate(HEADERS_AT + Transmitter.HEADER_ROOM, 64);
    private final ByteBuffer view = memory.asByteBuffer();
    private final boolean ipv4;
    private final int start;

    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int ports;

    /** @param ipv4 whether the packets go over IPv4, or else over IPv6 */
    public IcrcPrefix(boolean ipv4) {
        this.ipv4 = ipv4;
        this.start = HEADERS_AT - (ipv4 ? Icrc.IPV4_PREFIX : Icrc.IPV6_PREFIX);
    }

    /** Where to write headers to, from {@link #HEADERS_AT} on. */
    public MemorySegment memory() {
        return memory;
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
        if (ipv4) {
            Icrc.writeIpv4Prefix(memory, start, 0, 0, (int) fromLow, (int) toLow, sourcePort, destinationPort);
        } else {
            Icrc.writeIpv6Prefix(memory, start, 0, fromHigh, fromLow, toHigh, toLow, sourcePort, destinationPort);
        }
    }

    /**
     * Feeds prefix and headers to a CRC. The headers' congestion byte is overwritten.
     *
     * @param headerLength bytes of headers, from BTH on
     * @param transportLength bytes from BTH to pad
     * @param identification the IPv4 header's
     */
    public void update(CRC32 crc, int headerLength, int transportLength, int identification) {
        if (ipv4) {
            Icrc.setIpv4Prefix(memory, start, transportLength, identification);
        } else {
            Icrc.setIpv6Prefix(memory, start, transportLength);
        }
        memory.set(ValueLayout.JAVA_BYTE, HEADERS_AT + Bth.CONGESTION_OFFSET, (byte) 0xFF);
        crc.update(view.limit(HEADERS_AT + headerLength).position(start));
    }
}
