package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import org.rdma4j.link.Pieces;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Icrc;

/**
 * Makes UDP payloads of packets: headers, payload, pad and ICRC, packed into trains. How a train gets to the network is
 * the subclass's business.
 */
public abstract class FramingTransmitter implements Transmitter {

    /** Up to this packet length all payload is copied: cheaper than an iovec. */
    private static final int COPY_PACKET = 1100;

    /** Up to this length a piece of a longer packet is copied. */
    private static final int COPY_PIECE = 256;

    protected final Train train = new Train();

    private final boolean gathers;
    private int maxPackets;

    private final RoceIcrc icrc;
    private final MemorySegment headers = Arena.ofAuto().allocate(HEADER_ROOM, 64);
    private final FrameShow show;
    private final CRC32 crc = new CRC32();

    private final Pieces pieces = new Pieces();
    private TrainCopy copy;
    private long now;
    private UdpRoute route;

    /**
     * @param gathers false where {@link #transmit} needs the train in one piece
     * @param maxPackets packets that one call can send
     */
    protected FramingTransmitter(boolean ipv4, boolean gathers, int maxPackets, FrameShow show) {
        this.show = show;
        this.icrc = new RoceIcrc(ipv4 ? Encapsulation.ROCE_V2_IPV4 : Encapsulation.ROCE_V2_IPV6);
        this.gathers = gathers;
        this.maxPackets = maxPackets;
    }

    /** Sends the train, which is not empty, and clears it. */
    protected abstract void transmit();

    /** The time for what is sent before the next flush; taps are told it. */
    public final void now(long time) {
        now = time;
    }

    /** The train in one piece; valid until it is cleared. */
    protected final TrainCopy copyOfTrain() {
        if (copy == null) {
            copy = new TrainCopy();
        }
        copy.take(train);
        return copy;
    }

    /** To be called for each packet that the network took, while a tap watches. */
    protected final void showSent(TrainCopy sent, int index, int identification) {
        show.sent(now, train.route(), identification, sent.bytes(), sent.offset(index), sent.length(index));
    }

    protected final boolean isWatched() {
        return show.isWatched();
    }

    protected final void setMaxPackets(int maxPackets) {
        this.maxPackets = maxPackets;
    }

    @Override
    public final long begin(Route to) {
        route = (UdpRoute) to;
        pieces.clear();
        return 0;
    }

    @Override
    public final MemorySegment headers() {
        return headers;
    }

    @Override
    public final void gather(MemoryBlock block, long offset, int length) {
        pieces.add(block, offset, length);
    }

    @Override
    public final void end(int headerLength, int icrcXor) {
        int unpadded = headerLength + pieces.bytes();
        int pad = -unpadded & 3;
        int transportLength = unpadded + pad;
        int length = transportLength + Icrc.LENGTH;
        if (!train.admits(route, length, pieces.count(), maxPackets)) {
            transmit();
        }
        int position = train.add(route, length);
        icrc.flow(
                route.local.high(),
                route.local.low(),
                route.remote.high(),
                route.remote.low(),
                route.sourcePort,
                route.destinationPort);
        int mark = train.mark();
        train.copyHeaders(headers, headerLength);
        crc.reset();
        if (gathers && length > COPY_PACKET) {
            train.updateCrc(crc, mark + Bth.LENGTH);
            gatherPieces(pad);
        } else {
            copyPieces(pad);
            train.updateCrc(crc, mark + Bth.LENGTH);
        }
        int behindBth = (int) crc.getValue();
        train.littleEndianInt(train.icrc(icrc, mark, transportLength, position, behindBth) ^ icrcXor);
    }

    /** The CRC runs over the copy, so that it is right even where the payload changes meanwhile. */
    private void copyPieces(int pad) {
        for (int i = 0; i < pieces.count(); i++) {
            train.copy(pieces.block(i), pieces.offset(i), pieces.length(i));
        }
        train.zeros(pad);
    }

    private void gatherPieces(int pad) {
        for (int i = 0; i < pieces.count(); i++) {
            MemoryBlock block = pieces.block(i);
            long offset = pieces.offset(i);
            int length = pieces.length(i);
            if (length > COPY_PIECE && block.isNative()) {
                train.reference(block.address(offset), length);
                block.updateCrc(crc, offset, length);
            } else {
                int mark = train.mark();
                train.copy(block, offset, length);
                train.updateCrc(crc, mark);
            }
        }
        int mark = train.mark();
        train.zeros(pad);
        train.updateCrc(crc, mark);
    }

    @Override
    public final void flush(long time) {
        now = time;
        if (!train.isEmpty()) {
            transmit();
        }
    }
}
