package org.rdma4j.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.iwarp.wire.TerminateCode;

/**
 * What a reader makes of a stream that comes in chunks. The bytes that are not consumed lie in an array of exactly their
 * number, so that reading past them throws.
 */
final class Reading {

    final FpduReader reader;
    final List<byte[]> ulpdus = new ArrayList<>();
    private byte[] pending = {};

    Reading(boolean markers, boolean crc) {
        reader = new FpduReader(markers, crc);
    }

    Reading chunk(byte[] stream, int from, int to) {
        byte[] bytes = new byte[pending.length + to - from];
        System.arraycopy(pending, 0, bytes, 0, pending.length);
        System.arraycopy(stream, from, bytes, pending.length, to - from);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int at = 0;
        while (reader.next(segment, at, bytes.length - at) == FpduReader.Outcome.ULPDU) {
            ulpdus.add(
                    segment.asSlice(reader.ulpduOffset(), reader.ulpduLength()).toArray(ValueLayout.JAVA_BYTE));
            at += reader.consumed();
        }
        pending = segment.asSlice(at).toArray(ValueLayout.JAVA_BYTE);
        return this;
    }

    Reading all(byte[] stream) {
        return chunk(stream, 0, stream.length);
    }

    int left() {
        return pending.length;
    }

    TerminateCode refusal() {
        return reader.refusal();
    }
}
