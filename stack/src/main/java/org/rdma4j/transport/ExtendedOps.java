package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/**
 * The responder's side of FLUSH and ATOMIC_WRITE (annex A19). Both are answered as a READ of no bytes is: by a READ
 * response ONLY that carries nothing.
 */
final class ExtendedOps {

    private static final int PLACEMENTS = Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE;

    private ExtendedOps() {}

    static boolean isExtended(int opcode) {
        return (Opcode.operation(opcode) & ~1) == Opcode.RC_FLUSH; // ATOMIC_WRITE is the next one
    }

    /** What the requester is told of a rule that {@link #execute} named. */
    static int syndrome(Rule refusal) {
        return switch (refusal) {
            case REMOTE_ACCESS -> Syndrome.NAK_REMOTE_ACCESS;
            case FLUSH_FAILED -> Syndrome.NAK_REMOTE_OPERATIONAL;
            default -> Syndrome.NAK_INVALID_REQUEST;
        };
    }

    /**
     * Executes a request, the next one expected.
     *
     * @param payload bytes behind the headers
     * @return {@code null} where it was executed, else the rule that forbids it
     */
    static Rule execute(IbQp qp, int opcode, MemorySegment packet, long at, int header, int payload) {
        return Opcode.operation(opcode) == Opcode.RC_FLUSH
                ? flush(qp, opcode, packet, at, payload)
                : atomicWrite(qp, opcode, packet, at, header, payload);
    }

    private static Rule flush(IbQp qp, int opcode, MemorySegment packet, long at, int payload) {
        long feth = at + Opcode.fethOffset(opcode);
        int placement = Feth.placement(packet, feth);
        int selectivity = Feth.selectivity(packet, feth);
        if (payload != 0) {
            return Rule.PAYLOAD_LENGTH;
        }
        if (placement == 0 || (placement & ~PLACEMENTS) != 0 || selectivity > Feth.MEMORY_REGION) {
            return Rule.FLUSH_TYPE;
        }
        int access = access(placement);
        if ((qp.config.access & access) != access) {
            return Rule.QP_ACCESS;
        }
        long reth = at + Opcode.rethOffset(opcode);
        Region region = qp.engine.keys().lookup(Reth.rKey(packet, reth));
        if (region == null) {
            return Rule.REMOTE_ACCESS;
        }
        boolean whole = selectivity == Feth.MEMORY_REGION; // the RETH's range says nothing then
        long address = whole ? region.iova() : Reth.virtualAddress(packet, reth);
        long length = whole ? region.length() : Reth.dmaLength(packet, reth);
        if (!region.permitsRemote(address, length, access, qp.pd, qp)) {
            return Rule.REMOTE_ACCESS;
        }
        // Everything before it was written by this thread: visible to all behind this fence, and in the file behind
        // that.
        if ((placement & Feth.PERSISTENCE) != 0 && !region.block().persist(region.offsetOf(address), length)) {
            return Rule.FLUSH_FAILED;
        }
        VarHandle.fullFence();
        return null;
    }

    private static int access(int placement) {
        return ((placement & Feth.GLOBAL_VISIBILITY) != 0 ? AccessFlags.FLUSH_GLOBAL : 0)
                | ((placement & Feth.PERSISTENCE) != 0 ? AccessFlags.FLUSH_PERSISTENT : 0);
    }

    private static Rule atomicWrite(IbQp qp, int opcode, MemorySegment packet, long at, int header, int payload) {
        if ((qp.config.access & AccessFlags.REMOTE_WRITE) == 0) {
            return Rule.QP_ACCESS;
        }
        long reth = at + Opcode.rethOffset(opcode);
        if (payload != Long.BYTES || Reth.dmaLength(packet, reth) != Long.BYTES) {
            return Rule.PAYLOAD_LENGTH;
        }
        long address = Reth.virtualAddress(packet, reth);
        if ((address & 7) != 0) {
            return Rule.ATOMIC_ALIGNMENT;
        }
        Region region = qp.engine.keys().lookup(Reth.rKey(packet, reth));
        if (region == null || !region.permitsRemote(address, Long.BYTES, AccessFlags.REMOTE_WRITE, qp.pd, qp)) {
            return Rule.REMOTE_ACCESS;
        }
        long value = packet.get(ValueLayout.JAVA_LONG_UNALIGNED, at + header);
        region.block().setLongAtomically(region.offsetOf(address), value);
        if (Tracing.isOn()) {
            qp.engine.keys().touched(Tracer.Touch.WRITE, region.key(), address, Long.BYTES);
        }
        return null;
    }
}
