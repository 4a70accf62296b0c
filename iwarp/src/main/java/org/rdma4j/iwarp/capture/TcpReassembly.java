package org.rdma4j.iwarp.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Puts one direction of a TCP connection together again from the segments of a capture: sent again, out of order,
 * overlapping, over the end of the sequence numbers (RFC 9293, 3.4 and 3.10). What comes behind a hole waits until the
 * hole is filled, or too much waits.
 */
public final class TcpReassembly {

    /** Takes the bytes of the stream in their order. */
    public interface Sink {
        void bytes(MemorySegment segment, long offset, long length);
    }

    /** So many bytes wait behind a hole before it is given up: twice a receive window without end. */
    private static final int MOST_WAITING = 4 << 20;

    private final SortedMap<Long, byte[]> waiting = new TreeMap<>();
    private int waitingBytes;
    private boolean started;
    private boolean sawStart;
    private int origin; // the sequence number of the first byte
    private int next; // that of the next one
    private long position; // and that one's place in the stream
    private String loss;

    public TcpReassembly() {}

    /**
     * A segment.
     *
     * @param sequence of its first byte, or of its SYN
     * @param payload what the capture kept of its bytes
     * @param length how many it had
     */
    public void segment(int sequence, boolean syn, MemorySegment payload, long length, Sink sink) {
        int first = syn ? sequence + 1 : sequence;
        if (startsAnew(sequence, syn) || !started) {
            start(first);
        }
        sawStart |= syn;
        long offset = position + (first - next);
        if (loss != null || length == 0 || offset + length <= position) {
            return; // nothing new in it
        }
        if (payload.byteSize() < length) {
            loss = "the capture kept only " + payload.byteSize() + " of " + length + " bytes";
            return;
        }
        if (offset <= position) {
            take(payload, offset, sink);
            takeWaiting(sink);
        } else if (waitingBytes + length > MOST_WAITING) {
            loss = (firstWaiting(offset) - position) + " bytes are missing from the capture";
        } else {
            hold(offset, payload);
        }
    }

    /** Whether a segment is the first of another connection between the same ends, and not a SYN once more. */
    public boolean startsAnew(int sequence, boolean syn) {
        return syn && !(started && sequence + 1 == origin);
    }

    private void start(int first) {
        started = true;
        sawStart = false;
        origin = first;
        next = first;
        position = 0;
        waiting.clear();
        waitingBytes = 0;
        loss = null;
    }

    private void hold(long offset, MemorySegment payload) {
        byte[] known = waiting.get(offset);
        if (known == null || known.length < payload.byteSize()) {
            waiting.put(offset, payload.toArray(ValueLayout.JAVA_BYTE));
            waitingBytes += (int) payload.byteSize() - (known == null ? 0 : known.length);
        }
    }

    private long firstWaiting(long otherwise) {
        return waiting.isEmpty() ? otherwise : waiting.firstKey();
    }

    /** Takes what is new in bytes that start at or before the next one. */
    private void take(MemorySegment bytes, long offset, Sink sink) {
        long known = position - offset;
        long fresh = bytes.byteSize() - known;
        if (fresh > 0) {
            position += fresh;
            next += (int) fresh;
            sink.bytes(bytes, known, fresh);
        }
    }

    private void takeWaiting(Sink sink) {
        while (!waiting.isEmpty()) {
            Map.Entry<Long, byte[]> first = waiting.entrySet().iterator().next();
            if (first.getKey() > position) {
                return;
            }
            waiting.remove(first.getKey());
            waitingBytes -= first.getValue().length;
            take(MemorySegment.ofArray(first.getValue()), first.getKey(), sink);
        }
    }

    /** True where the capture holds the SYN: the stream is known from its first byte. */
    boolean sawStart() {
        return sawStart;
    }

    /** Why the stream cannot be followed any more; {@code null} where it can. */
    public String loss() {
        return loss;
    }

    /** Bytes that wait behind a hole. */
    int waitingBytes() {
        return waitingBytes;
    }
}
