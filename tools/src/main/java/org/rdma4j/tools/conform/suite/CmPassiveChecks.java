package org.rdma4j.tools.conform.suite;

import java.util.List;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmPassive;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** CM: how a connection manager that is asked makes a connection, whatever is lost on the way, and ends it. */
final class CmPassiveChecks {

    private CmPassiveChecks() {}

    static List<Check> all() {
        return List.of(
                Check.passive("CM-01a", "REQ, REP and RTU make a connection")
                        .clause("12.9.7")
                        .stimulus("a REQ that offers 4 READs and wants 3; RTU; a SEND")
                        .answer("a REP in the same transaction to the same ID, with an ID and a queue pair of its own, "
                                + "and within what the REQ offers; the SEND is acknowledged")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req().resources(4, 3));
                            peer.require(
                                    rep.responderResources() <= 3,
                                    "it takes " + rep.responderResources() + " READs where 3 are wanted");
                            peer.require(
                                    rep.initiatorDepth() <= 4,
                                    "it wants " + rep.initiatorDepth() + " READs where 4 are offered");
                            peer.require(rep.localQKey() == 0, "a reliable connection has no Q_Key");
                            peer.stands();
                            peer.hears(CmEventType.ESTABLISHED, 0);
                            peer.disconnected();
                        }),
                Check.passive("CM-02a", "A REQ that comes again makes no second connection")
                        .clause("12.9.8")
                        .open("the same REP again", "nothing, until the REP is due again anyway")
                        .stimulus("a REQ; when its REP is there the same REQ in the same transaction")
                        .answer("the same REP or none, and one connection")
                        .asking(peer -> {
                            peer.ask(peer.req());
                            CmRep rep = peer.accepted();
                            peer.askAgain();
                            Seen seen = peer.next(peer.connection().timing().quiet());
                            if (seen == null) {
                                peer.records("nothing, until the REP is due again anyway");
                            } else {
                                peer.require(peer.is(seen, rep), "the answer is another: " + peer.describe(seen));
                                peer.records("the same REP again");
                            }
                            peer.ready();
                            peer.stands();
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 1);
                            peer.disconnected();
                        }),
                Check.passive("CM-02b", "A REQ that comes again while the application thinks gets an MRA")
                        .clause("12.9.8")
                        .application(Application.server(1, 1, 100))
                        .wearsOut()
                        .stimulus("the program is busy with another connection; a REQ, and the same again")
                        .answer("nothing at first; then an MRA for the REQ")
                        .asking(peer -> {
                            CmPassive other = peer.another();
                            other.connect(other.req());
                            other.next(); // its message: the program waits until that is acknowledged
                            peer.ask(peer.req());
                            peer.silence();
                            peer.askAgain();
                            CmMra mra = peer.due(CmMra.class);
                            peer.require(mra.answered() == CmAnswered.REQ, "the MRA is for " + mra.answered());
                        }),
                Check.passive("CM-02c", "A REQ behind its RTU is a late copy")
                        .clause("12.9.8")
                        .stimulus("a connection; its REQ once more")
                        .answer("nothing: the connection stands")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            peer.stands();
                            peer.askAgain();
                            peer.silence();
                            peer.stands();
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 1);
                            peer.disconnected();
                        }),
                Check.passive("CM-02d", "An ID that has a connection is not another queue pair's as well")
                        .clause("12.6.7")
                        .open("rejected with reason 30", "nothing: it is taken for a copy")
                        .stimulus("a connection; a REQ with its ID from another queue pair")
                        .answer("a REJ, reason 30, duplicate local communication ID, or none; no second connection")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            peer.stands();
                            peer.ask(peer.namesake(peer.ourId()));
                            Seen seen = peer.next(peer.connection().timing().quiet());
                            peer.require(
                                    seen == null || peer.isReject(seen, RejReason.DUPLICATE_LOCAL_COMM_ID),
                                    "the answer is " + (seen == null ? "" : peer.describe(seen)));
                            peer.records(seen == null ? "nothing: it is taken for a copy" : "rejected with reason 30");
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 1);
                        }),
                Check.passive("CM-03a", "A REP without an RTU is sent again")
                        .clause("12.9.6")
                        .stimulus("a REQ whose sender answers within 67 ms; no RTU for a while, then one")
                        .answer("the same REP again; with the RTU the connection stands")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(14, 15));
                            CmRep rep = peer.accepted();
                            peer.require(peer.due(CmRep.class).equals(rep), "the REP that came again is another");
                            peer.mayComeAgain(rep);
                            peer.ready();
                            peer.hears(CmEventType.ESTABLISHED, 0);
                            peer.disconnected();
                        }),
                Check.passive("CM-03b", "The first packet on the queue pair is as good as an RTU")
                        .clause("12.9.6")
                        .wearsOut()
                        .stimulus("a REQ whose sender answers within 268 ms; a SEND in place of the RTU")
                        .answer("the SEND is acknowledged, and no REP comes again")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(16, 15));
                            peer.accepted();
                            peer.stands();
                            peer.hears(CmEventType.ESTABLISHED, 0);
                            peer.silence(3 * CmPassive.nanos(16));
                            peer.disconnected();
                        }),
                Check.passive("CM-03c", "A second RTU is a late copy")
                        .clause("12.9.8")
                        .stimulus("a connection; its RTU once more")
                        .answer("nothing: the connection stands")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            peer.stands();
                            peer.ready();
                            peer.silence();
                            peer.stands();
                            peer.heard(CmEventType.ESTABLISHED, 0, 1);
                            peer.disconnected();
                        }),
                Check.passive("CM-12a", "An MRA moves the time at which a REP comes again")
                        .clause("12.6.6")
                        .once()
                        .stimulus("a REQ whose sender answers within 268 ms; its REP gets an MRA for 2.1 s")
                        .answer("the REP again, 2.1 s later or more")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(16, 15));
                            CmRep rep = peer.accepted();
                            peer.say(new CmMra(peer.ourId(), peer.peersId(), CmAnswered.REP, 19, PrivateData.EMPTY));
                            long start = peer.now();
                            CmRep again = peer.due(
                                    CmRep.class,
                                    3 * CmPassive.nanos(19)
                                            + peer.connection().timing().answer());
                            peer.require(again.equals(rep), "the REP that came again is another");
                            long waited = peer.now() - start;
                            peer.require(
                                    waited >= CmPassive.nanos(19) * 95 / 100,
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                            peer.mayComeAgain(rep);
                            peer.ready();
                            peer.disconnected();
                        }),
                Check.passive("CM-13a", "A DREQ is answered with a DREP, and again where it comes again")
                        .clause("12.9.8")
                        .stimulus("a connection; a DREQ; the same once more, as where the DREP was lost")
                        .answer("a DREP to each, in its transaction")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req());
                            peer.stands();
                            peer.disconnect(rep.localQpn());
                            peer.due(CmDrep.class);
                            peer.hears(CmEventType.DISCONNECTED, 0);
                            peer.disconnectAgain(rep.localQpn());
                            peer.due(CmDrep.class);
                            peer.silence();
                        }),
                Check.passive("CM-13b", "A DREQ without a DREP is sent again")
                        .clause("12.9.8")
                        .application(Application.server(1, 0, 100))
                        .wearsOut()
                        .stimulus(
                                "a connection that the program ends at once; the DREQ gets no answer for 67 ms and more, "
                                        + "then its DREP")
                        .answer("a DREQ that names our queue pair, the same again, and nothing behind the DREP")
                        .asking(peer -> {
                            peer.connect(peer.req().answersWithin(14, 15));
                            CmDreq dreq = peer.begun(
                                    CmDreq.class, peer.connection().timing().answer());
                            peer.require(
                                    dreq.remoteQpn() == peer.asked().localQpn(),
                                    "the DREQ names queue pair " + dreq.remoteQpn());
                            peer.require(peer.due(CmDreq.class).equals(dreq), "the DREQ that came again is another");
                            peer.mayComeAgain(dreq);
                            peer.say(new CmDrep(peer.ourId(), peer.peersId(), PrivateData.EMPTY));
                            peer.settle(3 * CmPassive.nanos(14));
                            peer.silence(4 * CmPassive.nanos(14));
                            peer.hears(CmEventType.DISCONNECTED, 0);
                        }),
                Check.passive("CM-13d", "Two DREQs that cross are both answered")
                        .clause("12.9.7")
                        .application(Application.server(1, 0, 100))
                        .wearsOut()
                        .stimulus("a connection that the program ends at once; our own DREQ in place of a DREP")
                        .answer("a DREQ; a DREP to ours")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req());
                            CmDreq dreq = peer.begun(
                                    CmDreq.class, peer.connection().timing().answer());
                            peer.mayComeAgain(dreq);
                            peer.disconnect(rep.localQpn());
                            peer.due(CmDrep.class);
                            peer.hears(CmEventType.DISCONNECTED, 0);
                        }),
                Check.passive("CM-15a", "Where no RTU comes the peer says so at last")
                        .clause("12.9.8")
                        .wearsOut()
                        .stimulus("a REQ whose sender answers within 67 ms and wants 2 retries; no RTU")
                        .answer("the REP three times; then a REJ, reason 4")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(14, 2));
                            CmRep rep = peer.accepted();
                            for (int again = 0; again < 2; again++) {
                                peer.require(peer.due(CmRep.class).equals(rep), "the REP that came again is another");
                            }
                            peer.rejected(RejReason.TIMEOUT, 16 * CmPassive.nanos(14));
                            peer.hears(CmEventType.UNREACHABLE, -110);
                        }));
    }
}
