package org.rdma4j.transport;

import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Opcode;

/** A queue pair of the unreliable connected service: one peer, and no word of whether it got anything. */
final class UcQp extends UnackedQp {

    private final UcRequester requester;
    private final UcResponder responder;

    UcQp(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        this.requester = new UcRequester(this);
        this.responder = new UcResponder(this);
    }

    @Override
    UnackedRequester requester() {
        return requester;
    }

    @Override
    UnackedResponder responder() {
        return responder;
    }

    @Override
    int service() {
        return Opcode.UC;
    }

    @Override
    Rule refusal(PacketInfo info) {
        if (!isFromPeer(info)) {
            return Rule.WRONG_PEER;
        }
        noteFirstRequest();
        return null;
    }

    @Override
    Rule unknownOpcode() {
        return Rule.UC_OPCODE;
    }
}
