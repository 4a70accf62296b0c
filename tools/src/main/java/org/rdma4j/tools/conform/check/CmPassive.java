package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.craft.CraftedReq;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** A connection manager that is asked, and the words for what it is asked. */
public final class CmPassive extends CmScene implements AutoCloseable {

    private static final int EVERYBODY = 0xFFFF; // the default partition

    private final List<CmEnds> places = new ArrayList<>(); // beside its own
    private int connections;
    private CmMad asked;
    private CmReq req;
    private CmRep rep;

    CmPassive(CmEnds ends, Variant variant) {
        super(ends, variant);
    }

    /** The same program, asked from another place. */
    public CmPassive another() {
        CmEnds place = ends().another();
        places.add(place);
        return new CmPassive(place, variant());
    }

    /** The other places are left; its own is whose it was. */
    @Override
    public void close() {
        places.forEach(CmEnds::close);
    }

    // Requests.

    /** A right request for the program's service, of a new connection. */
    public CraftedReq req() {
        int qpn = connection().line().qpn() + connections++;
        return req(qpn);
    }

    /** The same with a queue pair that is said. */
    public CraftedReq req(int qpn) {
        return new CraftedReq(freshId(), qpn, peersFirstPsn(), mtu(), port(), ourGid(), peersGid());
    }

    /** A request that calls its connection what another one is called. */
    public CraftedReq namesake(int id) {
        peersId(0);
        return new CraftedReq(
                id, connection().line().qpn() + connections++, peersFirstPsn(), mtu(), port(), ourGid(), peersGid());
    }

    public int port() {
        return ends().port();
    }

    /** What stands before the application's words for datagrams. */
    private PrivateData header(PrivateData data) {
        return IpCmHeader.of(
                        connection().line().gid().toAddress(), 1, ends().peer().toAddress())
                .before(data);
    }

    /** Asks a service for its queue pair of datagrams. */
    public CmSidrReq resolve(long serviceId) {
        freshTransaction();
        CmSidrReq question = new CmSidrReq(freshId(), EVERYBODY, serviceId, header(PrivateData.EMPTY));
        say(question);
        return question;
    }

    /** The program's service of datagrams. */
    public long datagrams() {
        return PortSpace.UDP.serviceId(port());
    }

    /** The answer to a question for a queue pair. */
    public CmSidrRep resolved(SidrStatus status) {
        CmSidrRep rep = due(CmSidrRep.class);
        require(
                rep.status() == status.number(),
                "the status is " + SidrStatus.words(rep.status()) + " in place of "
                        + SidrStatus.words(status.number()));
        return rep;
    }

    public void ask(CraftedReq request) {
        freshTransaction();
        req = request.toReq();
        asked = say(req);
    }

    /** The same request, in the same transaction. */
    public void askAgain() {
        say(asked.toBytes());
    }

    /** A request as bytes that may be spoilt before they are sent. */
    public byte[] request(CraftedReq request) {
        freshTransaction();
        req = request.toReq();
        asked = new CmMad(transactionId(), 0, req);
        return asked.toBytes();
    }

    // Answers.

    /** The peer takes the request. */
    public CmRep accepted() {
        CmRep answer = due(CmRep.class);
        require(answer.localCommId() != 0, "the REP has no communication ID");
        require(answer.localQpn() > 1, "the REP's queue pair is " + answer.localQpn());
        rep = answer;
        peersId(answer.localCommId());
        return answer;
    }

    /** The RTU. Until the peer has it, its REP may come again. */
    public void ready() {
        mayComeAgain(rep);
        say(new CmRtu(ourId(), peersId(), PrivateData.EMPTY));
    }

    /** All of it: REQ, REP, RTU. */
    public CmRep connect(CraftedReq request) {
        ask(request);
        CmRep answer = accepted();
        ready();
        return answer;
    }

    /** The request is rejected. */
    public CmRej refused(RejReason reason) {
        CmRej rej = rejected(reason);
        require(rej.answered() == CmAnswered.REQ, "the REJ answers " + rej.answered() + ", not REQ");
        return rej;
    }

    /** The program does not want it. */
    public void decline(CmAnswered answered) {
        say(CmRej.of(ourId(), peersId(), answered, RejReason.CONSUMER_DEFINED, PrivateData.EMPTY, PrivateData.EMPTY));
    }

    // On the connection.

    public CmReq asked() {
        return req;
    }

    public CmRep rep() {
        return rep;
    }

    @Override
    Connection agreed() {
        return connection(req.pathMtuBytes(), rep.startingPsn(), req.startingPsn(), rep.localQpn(), req.primaryPath());
    }

    /** The connection ends in order. */
    public CmDrep disconnected() {
        disconnect(rep.localQpn());
        return due(CmDrep.class);
    }
}
