package org.rdma4j.analysis;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;

/** The fields of a packet that the analysis works with, read once; the same object for one packet after the other. */
final class PacketView {

    RoceFrame roce;
    long frame;
    long time;
    int opcode;
    int psn;
    int destQp;
    int sourceQp;
    int payload;
    int padCount;
    boolean ackReq;
    boolean migReq;
    int syndrome;
    int msn;
    int rKey;
    long address;
    long length;

    /** @return false where the packet is too short for its headers */
    boolean set(RoceFrame roce, long frame, long time) {
        MemorySegment segment = roce.segment();
        long bth = roce.bthOffset();
        this.roce = roce;
        this.frame = frame;
        this.time = time;
        opcode = Bth.opcode(segment, bth);
        padCount = Bth.padCount(segment, bth);
        int headers = Opcode.isReserved(opcode) ? Bth.LENGTH : Opcode.headerLength(opcode);
        payload = roce.transportLength() - headers - padCount;
        if (payload < 0) {
            return false;
        }
        psn = Bth.psn(segment, bth);
        destQp = Bth.destQp(segment, bth);
        ackReq = Bth.ackReq(segment, bth);
        migReq = Bth.migReq(segment, bth);
        sourceQp = Opcode.hasDeth(opcode) ? Deth.sourceQp(segment, bth + Opcode.dethOffset(opcode)) : 0;
        if (Opcode.hasAeth(opcode)) {
            long aeth = bth + Opcode.aethOffset(opcode);
            syndrome = Aeth.syndrome(segment, aeth);
            msn = Aeth.msn(segment, aeth);
        }
        if (Opcode.hasReth(opcode)) {
            long reth = bth + Opcode.rethOffset(opcode);
            address = Reth.virtualAddress(segment, reth);
            rKey = Reth.rKey(segment, reth);
            length = Reth.dmaLength(segment, reth);
        }
        return true;
    }

    int service() {
        return Opcode.service(opcode);
    }

    boolean isRead() {
        return Opcode.operation(opcode) == Opcode.RC_RDMA_READ_REQUEST;
    }

    /** A request that is answered by more than an acknowledge. */
    boolean isAnswerable() {
        return isRead() || Opcode.isAtomic(opcode);
    }

    int identification() {
        return roce.identification();
    }
}
