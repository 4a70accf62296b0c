package org.rdma4j.iwarp.tap;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rdma4j.link.FrameTap;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.TcpHeader;

/**
 * Shows one TCP connection to a {@link FrameTap} as frames that could have made it: its three-way handshake, each MPA
 * frame and each FPDU in a TCP segment of its own, its end. A socket does not tell how the kernel cut the stream, so the
 * cuts are made here, where a reader of the capture wants them; sequence numbers, acknowledgments and checksums are
 * consistent, also between the captures of both ends.
 *
 * <p>Whoever drives the connection makes one once the connection is there, and tells it every byte in the stream's order,
 * when the socket has taken it or given it. What comes in parts is shown once its FPDU is whole. Not for several threads.
 */
public final class ConnectionTap {

    private static final int DATA = TcpHeader.PSH | TcpHeader.ACK;

    private final FrameTap tap;
    private final Direction outgoing;
    private final Direction incoming;

    /**
     * Shows the handshake.
     *
     * @param tap hears of frames sent and received
     * @param local this end's address and port
     * @param remote the peer's
     * @param connects this end has asked for the connection
     * @param now the time on the device's clock
     */
    public ConnectionTap(FrameTap tap, InetSocketAddress local, InetSocketAddress remote, boolean connects, long now) {
        this.tap = tap;
        outgoing = new Direction(new FrameMaker(local, remote), true);
        incoming = new Direction(new FrameMaker(remote, local), false);
        Direction asks = connects ? outgoing : incoming;
        Direction answers = connects ? incoming : outgoing;
        asks.show(now, TcpHeader.SYN, 0);
        asks.next++;
        answers.show(now, TcpHeader.SYN | TcpHeader.ACK, asks.next);
        answers.next++;
        asks.show(now, TcpHeader.ACK, answers.next);
    }

    /** The socket has taken bytes of this side's stream. */
    public void sent(long now, MemorySegment segment, long offset, int length) {
        outgoing.bytes(now, segment, offset, length, incoming);
    }

    /** As above, from position to limit, which stay. */
    public void sent(long now, ByteBuffer bytes) {
        sent(now, MemorySegment.ofBuffer(bytes), 0, bytes.remaining());
    }

    /** The socket has given bytes of the peer's stream. */
    public void received(long now, MemorySegment segment, long offset, int length) {
        incoming.bytes(now, segment, offset, length, outgoing);
    }

    /** As above, from position to limit, which stay. */
    public void received(long now, ByteBuffer bytes) {
        received(now, MemorySegment.ofBuffer(bytes), 0, bytes.remaining());
    }

    /** This side's stream has ended. */
    public void finished(long now) {
        outgoing.end(now, TcpHeader.FIN | TcpHeader.ACK, incoming);
    }

    /** The peer's stream has ended. */
    public void ended(long now) {
        incoming.end(now, TcpHeader.FIN | TcpHeader.ACK, outgoing);
    }

    /** The connection was broken: by the peer, or by this side. */
    public void reset(long now, boolean byPeer) {
        Direction breaks = byPeer ? incoming : outgoing;
        Direction other = byPeer ? outgoing : incoming;
        breaks.end(now, TcpHeader.RST | TcpHeader.ACK, other);
        other.over = true;
    }

    /** One way of the stream. */
    private final class Direction {

        private final FrameMaker maker;
        private final boolean isOutgoing;
        private final UnitCutter cutter = new UnitCutter();
        private int next;
        private byte[] pending = {};
        private int count;
        private boolean over;

        Direction(FrameMaker maker, boolean isOutgoing) {
            this.maker = maker;
            this.isOutgoing = isOutgoing;
            this.next = maker.initialSequence();
        }

        void bytes(long now, MemorySegment segment, long offset, int length, Direction back) {
            if (count + length > pending.length) {
                pending = Arrays.copyOf(pending, Math.max(2 * pending.length, count + length));
            }
            MemorySegment bytes = MemorySegment.ofArray(pending);
            MemorySegment.copy(segment, offset, bytes, count, length);
            count += length;
            int at = 0;
            while (at < count) {
                MemorySegment rest = bytes.asSlice(at);
                cutter.useMarkers(back.cutter.asksForMarkers());
                int unit = cutter.unit(rest, count - at);
                if (unit == UnitCutter.UNKNOWN || unit > count - at) {
                    break;
                }
                cutter.passed(rest, unit);
                show(now, rest, unit, back);
                at += unit;
            }
            MemorySegment.copy(bytes, at, bytes, 0, count - at);
            count -= at;
        }

        /** What was not a whole unit leaves as it is. */
        void end(long now, int flags, Direction back) {
            if (over) {
                return;
            }
            over = true;
            show(now, MemorySegment.ofArray(pending), count, back);
            count = 0;
            show(now, flags, back.next);
            next++;
        }

        private void show(long now, MemorySegment bytes, int length, Direction back) {
            for (int at = 0; at < length; ) {
                int part = Math.min(length - at, FrameMaker.MOST_PAYLOAD);
                int frame = maker.make(next, back.next, DATA, bytes, at, part);
                next += part;
                at += part;
                show(now, frame);
            }
        }

        void show(long now, int flags, int acknowledgment) {
            show(now, maker.make(next, acknowledgment, flags, MemorySegment.NULL, 0, 0));
        }

        private void show(long now, int length) {
            if (isOutgoing) {
                tap.sent(now, maker.frame(), 0, length);
            } else {
                tap.received(now, maker.frame(), 0, length, Rule.ACCEPTED);
            }
        }
    }
}
