package org.rdma4j.iwarp.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.rdma4j.iwarp.mpa.FpduReader;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;

/** One direction of a captured connection: its MPA frame, then FPDUs to the end. */
final class CapturedDirection {

    private enum Stage {
        /** Its first bytes are to show a key. */
        KEY,
        /** The rest of the frame is to come. */
        FRAME,
        FPDUS,
        /** It is something else, or cannot be followed. */
        OVER
    }

    private final TcpReassembly tcp = new TcpReassembly();
    private Stage stage = Stage.KEY;
    private byte[] bytes = {};
    private int count;
    private MpaFrame frame;
    private FpduReader reader;
    private long fpdus;

    /** A segment of the connection. What becomes whole by it is added to {@code units}. */
    void segment(
            int sequence,
            boolean syn,
            MemorySegment payload,
            long length,
            CapturedDirection peer,
            List<CapturedUnit> units) {
        if (tcp.startsAnew(sequence, syn)) {
            restart();
        } else if (stage == Stage.OVER) {
            return;
        }
        tcp.segment(sequence, syn, payload, length, (segment, offset, fresh) -> append(segment, offset, (int) fresh));
        read(peer, units);
        if (tcp.loss() != null && stage != Stage.OVER) {
            lose(tcp.loss(), units);
        }
    }

    private void restart() {
        stage = Stage.KEY;
        count = 0;
        frame = null;
        reader = null;
        fpdus = 0;
    }

    private void append(MemorySegment segment, long offset, int length) {
        if (bytes.length < count + length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, count + length));
        }
        MemorySegment.copy(segment, offset, MemorySegment.ofArray(bytes), count, length);
        count += length;
    }

    private void read(CapturedDirection peer, List<CapturedUnit> units) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        if (stage == Stage.KEY && count > 0) {
            lookForKey(segment);
        }
        if (stage == Stage.FRAME && count >= MpaFrame.LENGTH) {
            frame(segment, units);
        }
        if (stage == Stage.FPDUS && count > 0) {
            fpdus(segment, peer, units);
        }
    }

    private void lookForKey(MemorySegment segment) {
        boolean mayBe =
                MpaFrame.startsWithKey(segment, 0, count, true) || MpaFrame.startsWithKey(segment, 0, count, false);
        if (mayBe && count >= MpaFrame.KEY_LENGTH) {
            stage = Stage.FRAME;
        } else if (!mayBe && tcp.sawStart()) {
            stage = Stage.OVER; // another protocol
            bytes = new byte[0];
        } else if (!mayBe) {
            count = 0; // the capture began later than the connection: the key may still come, at a segment's start
        }
    }

    private void frame(MemorySegment segment, List<CapturedUnit> units) {
        MpaFrame found = MpaFrame.parse(segment, 0);
        if (found.privateDataLength() > MpaFrame.MAX_PRIVATE_DATA) {
            frame = found;
            lose("an MPA frame that promises " + found.privateDataLength() + " bytes of private data", units);
            return;
        }
        int end = MpaFrame.LENGTH + found.privateDataLength();
        if (count < end) {
            return;
        }
        frame = found;
        boolean hasData = found.enhanced() && found.revision() > 1 && found.privateDataLength() >= EnhancedData.LENGTH;
        EnhancedData data = hasData ? EnhancedData.parse(segment, MpaFrame.LENGTH) : null;
        int start = MpaFrame.LENGTH + (hasData ? EnhancedData.LENGTH : 0);
        MemorySegment privateData = copy(segment, start, end - start);
        units.add(new CapturedUnit.Setup(found.request(), found, data, privateData));
        drop(segment, end);
        stage = Stage.FPDUS;
    }

    private void fpdus(MemorySegment segment, CapturedDirection peer, List<CapturedUnit> units) {
        if (reader == null) {
            boolean crc = frame.crc() || peer.frame != null && peer.frame.crc();
            boolean markers = peer.frame != null && peer.frame.markers();
            reader = FpduReader.onlooker(markers, crc);
        }
        boolean crc = frame.crc() || peer.frame != null && peer.frame.crc();
        int at = 0;
        FpduReader.Outcome outcome = reader.next(segment, at, count - at);
        while (outcome == FpduReader.Outcome.ULPDU) {
            units.add(fpdu(segment, crc));
            at += reader.consumed();
            outcome = reader.next(segment, at, count - at);
        }
        drop(segment, at);
        if (outcome == FpduReader.Outcome.REFUSED) {
            lose(reader.refusal().text(), units);
        }
    }

    private CapturedUnit.Fpdu fpdu(MemorySegment segment, boolean crc) {
        long ulpdu = reader.ulpduOffset();
        long padEnd = ulpdu + reader.ulpduLength() + Fpdu.pad(reader.ulpduLength());
        CrcVerdict verdict = !crc ? CrcVerdict.UNUSED : reader.crcRight() ? CrcVerdict.RIGHT : CrcVerdict.WRONG;
        return new CapturedUnit.Fpdu(
                frame.request(),
                copy(segment, ulpdu, reader.ulpduLength()),
                copy(segment, ulpdu + reader.ulpduLength(), Fpdu.pad(reader.ulpduLength())),
                Fpdu.crc(segment, padEnd),
                verdict,
                fpdus++);
    }

    private static MemorySegment copy(MemorySegment segment, long offset, long length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    private void drop(MemorySegment segment, int length) {
        MemorySegment.copy(segment, length, segment, 0, count - length);
        count -= length;
    }

    private void lose(String reason, List<CapturedUnit> units) {
        stage = Stage.OVER;
        bytes = new byte[0];
        count = 0;
        if (frame != null) {
            units.add(new CapturedUnit.Lost(frame.request(), reason));
        }
    }

    /** True once it is known to be no iWARP, or can be followed no more. */
    boolean isOver() {
        return stage == Stage.OVER;
    }

    /** Bytes at hand that are no whole frame or FPDU. */
    int left() {
        return count + tcp.waitingBytes();
    }
}
