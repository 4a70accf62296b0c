package org.rdma4j.tools.conform.suite;

import java.util.List;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmActive;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** CM: how a connection manager asks for a connection, and what it does with the answers. */
final class CmActiveChecks {

    private static final int APPLICATION_REJECTS = 28;
    private static final int TWICE_BUSY = 21; // 8.6 s

    /** No check waits longer for a REQ that comes again, however long its sender does. */
    private static final int SECONDS = 60;

    private CmActiveChecks() {}

    static List<Check> all() {
        return List.of(
                Check.active("CM-01b", "A REQ says all that its connection needs, and its REP gets an RTU")
                        .clause("12.9.7")
                        .application(Application.CLIENT)
                        .stimulus("a REP to the REQ; a SEND")
                        .answer(
                                "a REQ for a reliable connection with an ID, a queue pair, a path MTU and the two ports' "
                                        + "GIDs; an RTU in the same transaction to the same IDs; the SEND is acknowledged")
                        .asked(peer -> {
                            CmReq req = peer.asked();
                            CmPath path = req.primaryPath();
                            peer.require(req.localCommId() != 0, "the REQ has no communication ID");
                            peer.require(req.localQpn() > 1, "the REQ's queue pair is " + req.localQpn());
                            peer.require(req.transportType() == CmReq.RC, "transport type " + req.transportType());
                            peer.require(req.pathMtuBytes() != 0, "path MTU code " + req.pathMtu());
                            peer.require(req.localCaGuid() != 0, "the REQ has no CA GUID");
                            peer.require(
                                    path.localGid().equals(peer.peersGid()), "the local GID is " + path.localGid());
                            peer.require(
                                    path.remoteGid().equals(peer.ourGid()), "the remote GID is " + path.remoteGid());
                            peer.require(
                                    req.alternatePath().equals(CmPath.NONE),
                                    "an alternate path that was not asked for: " + req.alternatePath());
                            peer.reply(peer.reply());
                            peer.ready();
                            peer.stands();
                        }),
                Check.active("CM-03d", "A REP that comes again gets the RTU again")
                        .clause("12.9.6")
                        .application(Application.CLIENT)
                        .stimulus("the same REP once more, as where the RTU was lost")
                        .answer("the same RTU")
                        .asked(peer -> {
                            peer.connect();
                            peer.replyAgain();
                            peer.ready();
                            peer.stands();
                        }),
                Check.active("CM-03e", "A REQ without an answer is sent again")
                        .clause("12.9.6")
                        .once()
                        .application(Application.CLIENT)
                        .stimulus("no answer to the first REQ, for " + SECONDS + " s at most; a REP to the second")
                        .answer("the same REQ again, not before the time that it says an answer may take; the RTU")
                        .asked(peer -> {
                            CmReq req = peer.asked();
                            long wait = bounded(2 * patience(req));
                            long start = peer.now();
                            peer.require(peer.due(CmReq.class, wait).equals(req), "the REQ that came again is another");
                            long waited = peer.now() - start;
                            peer.require(
                                    waited >= CmActive.nanos(req.remoteResponseTimeout()) * 95 / 100,
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                            peer.reply(peer.reply());
                            peer.ready();
                        }),
                Check.active("CM-06b", "A rejected application hears the reason")
                        .clause("12.6.7")
                        .application(Application.CLIENT)
                        .stimulus("a REJ to the REQ, reason 28")
                        .answer("nothing; the program is told of the reason")
                        .asked(peer -> {
                            peer.asked();
                            peer.decline(RejReason.CONSUMER_DEFINED, PrivateData.of("no"));
                            peer.hears(CmEventType.REJECTED, APPLICATION_REJECTS);
                            peer.silence();
                        }),
                Check.active("CM-09", "A REP that wants more READs than were offered is rejected: reason 27")
                        .clause("12.6.8")
                        .application(Application.CLIENT)
                        .stimulus("a REP whose initiator depth is one more than the REQ's responder resources")
                        .answer("a REJ for the REP, reason 27")
                        .asked(peer -> {
                            CmReq req = peer.asked();
                            peer.reply(peer.reply().resources(req.initiatorDepth(), req.responderResources() + 1));
                            CmRej rej = peer.rejected(RejReason.INSUFFICIENT_RESP_RESOURCES);
                            peer.require(rej.answered() == CmAnswered.REP, "the REJ answers " + rej.answered());
                        }),
                Check.active("CM-12b", "An MRA moves the time at which a REQ comes again")
                        .clause("12.6.6")
                        .once()
                        .application(Application.CLIENT)
                        .stimulus(
                                "an MRA to the REQ, for 8.6 s or as much longer as makes it more than the REQ waits by "
                                        + "itself, which may be " + SECONDS
                                        + " s; a REP when the REQ would have come again without it")
                        .answer("nothing until the REP; the RTU")
                        .asked(peer -> {
                            long wait = bounded(patience(peer.asked()));
                            int busy = TWICE_BUSY;
                            while (CmActive.nanos(busy) < wait) {
                                busy++;
                            }
                            peer.say(new CmMra(peer.ourId(), peer.peersId(), CmAnswered.REQ, busy, PrivateData.EMPTY));
                            peer.silence(wait);
                            peer.reply(peer.reply());
                            peer.ready();
                        }),
                Check.active("CM-13c", "Who has asked for a connection answers a DREQ too")
                        .clause("12.9.8")
                        .application(Application.client(0, 1, 0))
                        .stimulus("a connection; a DREQ; the same once more")
                        .answer("a DREP to each")
                        .asked(peer -> {
                            peer.connect();
                            int qpn = peer.req().localQpn();
                            peer.disconnect(qpn);
                            peer.due(CmDrep.class);
                            peer.hears(CmEventType.DISCONNECTED, 0);
                            peer.disconnectAgain(qpn);
                            peer.due(CmDrep.class);
                        }),
                Check.active("CM-14c", "A REP to another ID changes nothing")
                        .clause("12.9.8")
                        .application(Application.CLIENT)
                        .open("rejected with reason 6", "nothing")
                        .stimulus("a REP to an ID that the peer does not have, then the right one")
                        .answer("none, or a REJ with reason 6, invalid communication ID; then the RTU to the right one")
                        .asked(peer -> {
                            CmReq req = peer.asked();
                            peer.reply(peer.reply().to(req.localCommId() ^ 0x10));
                            Seen seen = peer.next(peer.connection().timing().quiet());
                            peer.require(
                                    seen == null || peer.isReject(seen, RejReason.INVALID_COMM_ID),
                                    "the answer is " + (seen == null ? "" : peer.describe(seen)));
                            peer.records(seen == null ? "nothing" : "rejected with reason 6");
                            peer.reply(peer.reply());
                            peer.ready();
                            peer.stands();
                        }),
                Check.active("CM-16a", "Of two that ask each other the one with the smaller CA GUID answers")
                        .clause("12.10.4")
                        .application(Application.CLIENT.asPeer())
                        .stimulus("our REQ for the same service crosses the peer's; our CA GUID is the larger one")
                        .answer("a REP to our REQ; the connection stands with our RTU")
                        .asked(peer -> {
                            peer.asked();
                            CmReq ours = peer.counter(-1L);
                            CmRep rep = peer.due(CmRep.class);
                            peer.require(rep.localQpn() == peer.req().localQpn(), "the REP names another queue pair");
                            peer.require(
                                    rep.initiatorDepth() <= ours.responderResources(),
                                    "it wants " + rep.initiatorDepth() + " READs");
                            peer.readyFor(rep);
                            peer.hears(CmEventType.ESTABLISHED, 0);
                        }),
                Check.active("CM-16b", "Of two that ask each other the one with the larger CA GUID goes on asking")
                        .clause("12.10.4")
                        .application(Application.CLIENT.asPeer())
                        .stimulus(
                                "our REQ for the same service crosses the peer's; our CA GUID is the smaller one; then a REP")
                        .answer("nothing to our REQ; an RTU to our REP")
                        .asked(peer -> {
                            peer.asked();
                            long transaction = peer.transactionId();
                            peer.counter(0);
                            peer.silence();
                            peer.back(transaction);
                            peer.reply(peer.reply());
                            peer.ready();
                            peer.hears(CmEventType.ESTABLISHED, 0);
                        }),
                Check.active("CM-19b", "The IP CM header before the private data names both addresses")
                        .clause("A11")
                        .application(Application.CLIENT)
                        .stimulus("none")
                        .answer("version 0, the IP version, the two addresses and a source port")
                        .asked(peer -> {
                            IpCmHeader header = IpCmHeader.parse(peer.asked().privateData());
                            peer.require(
                                    header.isKnown(), "version " + header.version() + ", IP " + header.ipVersion());
                            peer.require(header.source().equals(peer.peersGid()), "source " + header.source());
                            peer.require(
                                    header.destination().equals(peer.ourGid()), "destination " + header.destination());
                            peer.require(header.sourcePort() != 0, "source port 0");
                        }),
                Check.active("CM-20", "The service ID is the port space and the port")
                        .clause("A11")
                        .application(Application.CLIENT)
                        .stimulus("none")
                        .answer("0x0000000001060000 and the port")
                        .asked(CmActive::asked),
                Check.active("CM-21a", "An application's words stand behind the IP CM header")
                        .clause("12.6")
                        .inside("the words that its program says")
                        .application(Application.CLIENT)
                        .stimulus("none")
                        .answer("what the program has said, and zeros behind it")
                        .asked(peer -> {
                            PrivateData said = peer.asked().privateData().from(IpCmHeader.LENGTH);
                            peer.require(said.withoutFill().equals(PrivateData.of("hello")), "it says " + said);
                            peer.require(said.length() == IpCmHeader.REQ_ROOM, said.length() + " bytes");
                        }));
    }

    /** How long the sender of a REQ waits for its answer: as long as that may take, and the way there and back. */
    private static long patience(CmReq req) {
        long way = CmActive.nanos(req.primaryPath().ackTimeout());
        return (CmActive.nanos(req.remoteResponseTimeout()) + 2 * way) * 11 / 10;
    }

    private static long bounded(long nanos) {
        if (nanos > SECONDS * 1_000_000_000L) {
            throw new Outcome.Inconclusive("by what its REQ says " + nanos / 1_000_000_000
                    + " s would have to be waited; no more than " + SECONDS + " s are");
        }
        return nanos;
    }
}
