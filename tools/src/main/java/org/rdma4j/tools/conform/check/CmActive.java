package org.rdma4j.tools.conform.check;

import org.rdma4j.tools.conform.craft.CraftedRep;
import org.rdma4j.tools.conform.craft.CraftedReq;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** A connection manager that asks, and the words for what it is answered. */
public final class CmActive extends CmScene {

    private CmReq req;
    private CmRep rep;

    CmActive(CmEnds ends, Variant variant) {
        super(ends, variant);
    }

    /** Our service's port. */
    public int port() {
        return ends().port();
    }

    /** The program's request comes. */
    public CmReq asked() {
        req = begun(CmReq.class, connection().timing().answer());
        asks(req.serviceId(), PortSpace.TCP);
        freshId();
        peersId(req.localCommId());
        return req;
    }

    /** The program's question for a queue pair of datagrams comes. */
    public CmSidrReq resolving() {
        CmSidrReq question = begun(CmSidrReq.class, connection().timing().answer());
        asks(question.serviceId(), PortSpace.UDP);
        return question;
    }

    /** The service is ours: its ID is the port space and the port. */
    private void asks(long serviceId, PortSpace space) {
        require(
                serviceId == space.serviceId(port()),
                "the peer asks for service " + PortSpace.words(serviceId) + " in place of "
                        + PortSpace.words(space.serviceId(port())));
    }

    public CmReq req() {
        return req;
    }

    /** A request of our own for the very service that the peer asks us for. */
    public CmReq counter(long guid) {
        freshTransaction();
        CmReq ours = new CraftedReq(
                        freshId(),
                        connection().line().qpn(),
                        peersFirstPsn(),
                        mtu(),
                        ends().port(),
                        connection().line().gid(),
                        ends().peer())
                .guid(guid)
                .toReq();
        say(ours);
        return ours;
    }

    /** Answers in the peer's transaction again. */
    public void back(long transaction) {
        transactionId(transaction);
        peersId(req.localCommId());
    }

    /** A right reply. */
    public CraftedRep reply() {
        return new CraftedRep(
                ourId(),
                peersId(),
                connection().line().qpn(),
                peersFirstPsn(),
                /* responderResources= */ req.initiatorDepth(),
                /* initiatorDepth= */ req.responderResources());
    }

    public void reply(CraftedRep answer) {
        rep = answer.toRep();
        say(rep);
    }

    /** The same reply, in the same transaction. */
    public void replyAgain() {
        say(rep);
    }

    /** Answers the peer's reply to our own request. */
    public void readyFor(CmRep answer) {
        say(new CmRtu(ourId(), answer.localCommId(), PrivateData.EMPTY));
    }

    public CmRtu ready() {
        return due(CmRtu.class);
    }

    /** All of it: REQ, REP, RTU. */
    public void connect() {
        asked();
        reply(reply());
        ready();
    }

    public void decline(RejReason reason, PrivateData data) {
        say(CmRej.of(ourId(), peersId(), CmAnswered.REQ, reason, PrivateData.EMPTY, data));
    }

    @Override
    Connection agreed() {
        return connection(req.pathMtuBytes(), req.startingPsn(), rep.startingPsn(), req.localQpn(), req.primaryPath());
    }
}
