package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Xrceth;

/**
 * The receiving end of an extended reliable connection (annex A14): a responder as RC has it, that takes the receive of
 * each message from the shared queue which the message names. That queue's protection domain is the one in which the
 * message's keys count, and its completion queue the one that tells of it.
 */
final class XrcTarget extends RcQp {

    private final int domain;
    private final CompletionRing nowhere; // nobody looks into it
    private boolean queueGone; // in the middle of a message

    /** @param domain the XRC domain's number */
    XrcTarget(IbEngine engine, int qpn, QpParts parts, int domain) {
        super(engine, qpn, parts);
        this.domain = domain;
        this.nowhere = parts.receiveRing();
    }

    @Override
    int service() {
        return Opcode.XRC;
    }

    @Override
    boolean drawsOnSharedQueues() {
        return true;
    }

    /** What is left of a message to it is refused, and nothing of the queue is held any more. */
    @Override
    void sharedQueueGone(int number) {
        if (receiveSource == number) {
            queueGone = responder().isInMessage();
            receiveFrom(null, nowhere);
            receiveSource = 0;
        }
    }

    @Override
    Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
        boolean starts = Opcode.hasXrceth(opcode)
                && Opcode.isFirstOrOnly(opcode)
                && length >= Opcode.headerLength(opcode)
                && state().receives()
                && isFromPeer(info)
                && responder().awaitsMessage(Bth.psn(packet, at));
        if (starts) {
            int srqn = Xrceth.srqn(packet, at + Opcode.xrcethOffset(opcode));
            XrcSrqs.Entry named = engine.xrcSrqs().lookup(srqn, domain);
            if (named == null) {
                return responder().refuseSrq();
            }
            receiveFor(named);
            queueGone = false; // RESET has ended the message that it was about
        }
        if (queueGone && responder().isInMessage() && state().receives() && isFromPeer(info)) {
            queueGone = false;
            return responder().refuseSrq();
        }
        return super.onPacket(opcode, packet, at, length, info, now);
    }
}
