package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;

/** What a Terminate of this side says: the code, and the headers of the segment that it is about (RFC 5040, 4.8). */
final class TerminateMessage {

    private final TerminateCode code;
    private final MemorySegment bytes = Arena.ofAuto().allocate(Terminate.MAX_LENGTH);
    private final int length;

    private TerminateMessage(TerminateCode code) {
        this.code = code;
        this.length = Terminate.write(bytes, 0, code);
    }

    private TerminateMessage(
            TerminateCode code, MemorySegment segment, long ulpdu, int ulpduLength, boolean readRequest) {
        this.code = code;
        this.length = Terminate.write(bytes, 0, code, segment, ulpdu, ulpduLength, readRequest);
    }

    /** About no segment, or one whose header is not whole. */
    static TerminateMessage of(TerminateCode code) {
        return new TerminateMessage(code);
    }

    /** @param readRequest the segment is a Read Request, and its header is whole */
    static TerminateMessage about(
            TerminateCode code, MemorySegment segment, long ulpdu, int ulpduLength, boolean readRequest) {
        return new TerminateMessage(code, segment, ulpdu, ulpduLength, readRequest);
    }

    TerminateCode code() {
        return code;
    }

    int length() {
        return length;
    }

    void emit(MemorySegment target, long at) {
        MemorySegment.copy(bytes, 0, target, at, length);
    }
}
