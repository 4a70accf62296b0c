package org.rdma4j.analysis;

import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.FrameBytes;
import org.rdma4j.wire.Gid;
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
    long sourceHigh;
    long sourceLow;
    long destinationHigh;
    long destinationLow;
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
        FrameBytes bytes = roce.bytes();
        long bth = roce.bthOffset();
        this.roce = roce;
        this.frame = frame;
        this.time = time;
        opcode = roce.opcode();
        padCount = roce.padCount();
        payload = roce.payloadLength();
        if (payload < 0) {
            return false;
        }
        sourceHigh = roce.sourceHigh();
        sourceLow = roce.sourceLow();
        destinationHigh = roce.destinationHigh();
        destinationLow = roce.destinationLow();
        psn = roce.psn();
        destQp = roce.destQp();
        ackReq = roce.ackReq();
        migReq = roce.migReq();
        sourceQp = Opcode.hasDeth(opcode) ? bytes.uint24(bth + Opcode.dethOffset(opcode) + Deth.SOURCE_QP_OFFSET) : 0;
        if (Opcode.hasAeth(opcode)) {
            long aeth = bth + Opcode.aethOffset(opcode);
            syndrome = bytes.uint8(aeth + Aeth.SYNDROME_OFFSET);
            msn = bytes.uint24(aeth + Aeth.MSN_OFFSET);
        }
        if (Opcode.hasReth(opcode)) {
            long reth = bth + Opcode.rethOffset(opcode);
            address = bytes.int64(reth + Reth.VIRTUAL_ADDRESS_OFFSET);
            rKey = bytes.int32(reth + Reth.R_KEY_OFFSET);
            length = bytes.uint32(reth + Reth.DMA_LENGTH_OFFSET);
        }
        return true;
    }

    Gid source() {
        return new Gid(sourceHigh, sourceLow);
    }

    Gid destination() {
        return new Gid(destinationHigh, destinationLow);
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
