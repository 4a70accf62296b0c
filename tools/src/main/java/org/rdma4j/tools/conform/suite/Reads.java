package org.rdma4j.tools.conform.suite;

import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;

/** What a requester's READs ask for. */
final class Reads {

    private Reads() {}

    /** The RETH of a READ request. */
    static Reth reth(Seen request) {
        return request.packet()
                .extension(Reth.class)
                .orElseThrow(() -> new Outcome.Failed("the READ request has no RETH"));
    }

    /**
     * The peer asks again for what is missing of its first READ, from packet {@code index} on to its end: PSN, address and
     * length fit each other.
     */
    static void expectRest(Requester peer, int index) {
        Seen request = peer.next(peer.patience());
        if (request == null) {
            throw new Outcome.Failed("the peer does not ask for what is missing of its READ");
        }
        peer.require(request.opcode() == Opcode.RC_RDMA_READ_REQUEST, "the peer sent " + peer.describe(request));
        peer.require(
                request.psn() == peer.psn(index),
                "the READ request starts at " + peer.describe(request) + ", missing is packet " + index);
        peer.require(
                reth(request).equals(peer.rethFrom(index)),
                "the READ request has " + reth(request) + ", missing is " + peer.rethFrom(index));
    }
}
