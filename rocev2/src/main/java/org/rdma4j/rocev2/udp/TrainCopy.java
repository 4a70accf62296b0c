package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.Crc32Math;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.UdpHeader;

/** A train brought to one place, packet behind packet: for a tap, and for a kernel that cannot cut trains. */
public final class TrainCopy {

    /** Bytes between the lower half of the IPv4 identification and the BTH. */
    private static final int IDENTIFICATION_TO_BTH =
            Ipv4Header.LENGTH - Ipv4Header.IDENTIFICATION_OFFSET - Short.BYTES + UdpHeader.LENGTH;

    private final MemorySegment bytes = Arena.ofAuto().allocate(Train.MAX_BYTES, 8);
    private Train train;

    void take(Train from) {
        train = from;
        from.copyTo(bytes, 0);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** Where a packet's BTH lies in {@link #bytes()}. */
    long offset(int index) {
        return (long) index * train.segmentLength();
    }

    /** Bytes from BTH to ICRC, both included. */
    int length(int index) {
        return train.packetLength(index);
    }

    /** Makes the ICRCs right for packets that are sent one by one, each with the IPv4 identification 0. */
    void renumber() {
        for (int index = 1; index < train.packets(); index++) {
            int transportLength = length(index) - Icrc.LENGTH;
            long icrcAt = offset(index) + transportLength;
            int change = Crc32Math.changeByFlip(index, IDENTIFICATION_TO_BTH + transportLength);
            Icrc.write(bytes, icrcAt, Icrc.read(bytes, icrcAt) ^ change);
        }
    }
}
