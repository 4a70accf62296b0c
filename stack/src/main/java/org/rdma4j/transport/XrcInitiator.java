package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Opcode;

/**
 * The sending end of an extended reliable connection (annex A14): a requester as RC has it, whose requests each name a
 * shared receive queue of the peer's.
 */
final class XrcInitiator extends RcQp {

    XrcInitiator(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
    }

    @Override
    int service() {
        return Opcode.XRC;
    }

    @Override
    Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
        return Opcode.isRequest(opcode)
                ? Rule.XRC_REQUEST_AT_INITIATOR
                : super.onPacket(opcode, packet, at, length, info, now);
    }
}
