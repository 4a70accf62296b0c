package org.rdma4j.rocev2.udp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;

/**
 * Where received datagrams become packets: checks length and ICRC, passes the good ones on, counts, and shows all of
 * them to a tap.
 *
 * <p>A UDP socket hides the IPv4 identification, which the ICRC covers. A packet's position in its train is tried first:
 * that is what a peer of this kind sends. Where it does not fit, the identification that fits is solved for, and there
 * is one for 1 in 65,536 damaged packets too.
 */
public final class PacketGate {

    private static final int SHORTEST = Bth.LENGTH + Icrc.LENGTH;

    /** Filled by the receiver with what it knows of the datagrams it passes in. */
    public final PacketInfo info = new PacketInfo();

    private final MemorySegment buffer;
    private final ByteBuffer view;
    private final boolean ipv4;
    private final int port;
    private final boolean strict;
    private final LinkCounters counters;
    private final RoceIcrc icrc;
    private final CRC32 crc = new CRC32();
    private final FrameShow show;

    /**
     * @param buffer native memory that all datagrams lie in
     * @param port the UDP port that they were sent to
     * @param strict refuse identifications other than 0 and the position in the train
     */
    public PacketGate(
            MemorySegment buffer, Gid local, int port, boolean strict, LinkCounters counters, FrameShow show) {
        this.buffer = buffer;
        this.view = buffer.asByteBuffer();
        this.ipv4 = local.isIpv4();
        this.port = port;
        this.strict = strict;
        this.counters = counters;
        this.icrc = new RoceIcrc(Encapsulation.roceV2(local));
        this.show = show;
        info.localHigh = local.high();
        info.localLow = local.low();
    }

    /**
     * One UDP payload.
     *
     * @param position its place in its train, 0 for the first or only one
     */
    public void receive(long at, int length, int position, PacketHandler handler, long now) {
        counters.receivedPackets++;
        counters.receivedBytes += length;
        info.identification = 0;
        Rule decision;
        if (length < SHORTEST) {
            counters.malformed++;
            decision = Rule.TOO_SHORT;
        } else if ((length & 3) != 0) {
            counters.malformed++;
            decision = Rule.LENGTH_NOT_WORDS;
        } else if (!icrcIsRight(at, length - Icrc.LENGTH, position)) {
            counters.icrcErrors++;
            decision = Rule.ICRC_MISMATCH;
        } else {
            decision = handler.onPacket(buffer, at, length - Icrc.LENGTH, info);
        }
        show.received(now, info, buffer, at, length, decision);
    }

    private boolean icrcIsRight(long at, int transportLength, int position) {
        icrc.flow(info.remoteHigh, info.remoteLow, info.localHigh, info.localLow, info.udpSourcePort, port);
        int end = (int) at + transportLength;
        crc.reset();
        crc.update(view.limit(end).position((int) at + Bth.LENGTH));
        int expected = icrc.of(buffer, at, transportLength, position, (int) crc.getValue());
        int received = Icrc.read(buffer, end);
        if (expected == received) {
            info.identification = position;
            return true;
        }
        return ipv4 && explainedByIdentification(expected, received, transportLength, position);
    }

    private boolean explainedByIdentification(int expected, int received, int transportLength, int position) {
        int change = Icrc.solveIdentification(expected, received, transportLength);
        if (change < 0) {
            return false;
        }
        info.identification = position ^ change;
        return !strict || info.identification == 0;
    }
}
