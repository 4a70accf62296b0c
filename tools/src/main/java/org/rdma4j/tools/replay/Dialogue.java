package org.rdma4j.tools.replay;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.iwarp.capture.TcpReassembly;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/** What two ends said to each other over one TCP connection of a capture, in turns. */
final class Dialogue {

    /** More is no exchange of a tool. */
    private static final int LONGEST = 1 << 20;

    private final TcpReassembly fromOpener = new TcpReassembly();
    private final TcpReassembly fromOther = new TcpReassembly();
    private final List<Turn> turns = new ArrayList<>();
    private final ByteArrayOutputStream turn = new ByteArrayOutputStream();
    private int turnFirst;
    private int turnLast;
    private long turnTime;
    private boolean byOpener;
    private int bytes;

    /** @param isOpeners whether the segment comes from the end that opened the connection, or was heard first */
    void segment(int frame, long time, TcpFrame tcp, boolean isOpeners) {
        if (bytes > LONGEST) {
            return;
        }
        boolean syn = (tcp.flags() & TcpHeader.SYN) != 0;
        TcpReassembly stream = isOpeners ? fromOpener : fromOther;
        stream.segment(
                tcp.sequence(),
                syn,
                tcp.payload(),
                tcp.payloadLength(),
                (segment, offset, length) -> take(frame, time, isOpeners, segment.asSlice(offset, length)));
    }

    private void take(int frame, long time, boolean isOpeners, MemorySegment fresh) {
        if (turn.size() > 0 && byOpener != isOpeners) {
            endTurn();
        }
        if (turn.size() == 0) {
            turnFirst = frame;
            turnTime = time;
            byOpener = isOpeners;
        }
        turnLast = frame;
        byte[] heard = fresh.toArray(ValueLayout.JAVA_BYTE);
        turn.write(heard, 0, heard.length);
        bytes += heard.length;
    }

    private void endTurn() {
        turns.add(new Turn(byOpener, turnFirst, turnLast, turnTime, turn.toByteArray()));
        turn.reset();
    }

    /** All that was said. */
    List<Turn> turns() {
        if (turn.size() > 0) {
            endTurn();
        }
        return turns;
    }

    /** Whether one of the ends told these numbers of a queue pair of its own. */
    boolean tells(boolean opener, CapturedConnection.End end) {
        return turns().stream()
                .filter(each -> each.byOpener() == opener)
                .flatMap(each -> ToldNumbers.in(each.bytes()).stream())
                .anyMatch(told -> told.keys().qpn() == end.qpn()
                        && (end.psn() == CapturedConnection.UNKNOWN
                                || told.keys().psn() == end.psn()));
    }

    /** Why it cannot be told to its end; {@code null} where it can. */
    String loss() {
        return fromOpener.loss() != null ? fromOpener.loss() : fromOther.loss();
    }
}
