package org.rdma4j.tools.conform.suite;

import java.util.List;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmActive;
import org.rdma4j.tools.conform.check.CmPassive;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;

/** CM: what the messages say is what the queue pair does. */
final class CmUseChecks {

    private static final int TIMEOUT = 17; // 537 ms
    private static final int SHORTEST_RNR = 1; // 0.01 ms
    private static final int SIZE = 100;
    private static final int LONG = 4000;
    private static final Work MESSAGE = new Work(Work.Op.SEND, SIZE, 1);
    private static final String ONE = "1, as of a path that is migrated";
    private static final String ZERO = "0";

    private CmUseChecks() {}

    static List<Check> all() {
        return List.of(
                Check.passive("CM-18a", "A LAP is answered with an APR")
                        .clause("12.8")
                        .stimulus("a connection; a LAP with another port of ours, which is not there")
                        .answer("an APR in the same transaction, whatever its status; the connection stands")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req());
                            peer.stands();
                            peer.freshTransaction();
                            peer.say(lap(peer, rep.localQpn()));
                            peer.due(CmApr.class);
                            peer.stands();
                            peer.disconnected();
                        }),
                Check.passive("CM-18b", "A LAP that names another queue pair is refused: status 6")
                        .clause("12.8")
                        .stimulus("a connection; a LAP whose remote QPN is one too high")
                        .answer("an APR, status 6")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req());
                            peer.stands();
                            peer.freshTransaction();
                            peer.say(lap(peer, rep.localQpn() + 1));
                            CmApr apr = peer.due(CmApr.class);
                            peer.require(
                                    apr.status() == CmApr.INVALID_QPN, "the status is " + CmApr.words(apr.status()));
                            peer.disconnected();
                        }),
                Check.passive("CM-21b", "An application's words arrive whole, up to the field's length")
                        .clause("12.6")
                        .inside("what its program hears, which it says back")
                        .stimulus("a REQ with 56 bytes for the application")
                        .answer("a REP with the same bytes, and zeros behind them")
                        .asking(peer -> {
                            PrivateData words = PrivateData.of("0123456789".repeat(5) + "abcdef");
                            peer.ask(peer.req().says(words));
                            PrivateData said = peer.accepted().privateData();
                            peer.require(said.withoutFill().equals(words), "it says " + said);
                            peer.require(said.length() == CmRep.PRIVATE_DATA_LENGTH, said.length() + " bytes");
                            peer.ready();
                            peer.disconnected();
                        }),
                Check.passive("CM-23a", "The peer's first packet has the REQ's starting PSN")
                        .clause("12.7")
                        .application(Application.server(1, 1, SIZE))
                        .wearsOut()
                        .stimulus("a connection with a program that sends")
                        .answer("a SEND with the PSN that the REQ named, again where it is not acknowledged")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            Requester sends = peer.requester(MESSAGE);
                            peer.expect(sends.message(0));
                            peer.send(sends.ack(0));
                            peer.silence();
                        }),
                Check.passive("CM-23b", "Packets are as long as the REQ's path MTU")
                        .clause("12.7")
                        .application(Application.server(1, 1, LONG))
                        .wearsOut()
                        .stimulus("a connection with a program that sends 4000 bytes")
                        .answer("a message of as many packets as that makes at the path MTU")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            Requester sends = peer.requester(new Work(Work.Op.SEND, LONG, 1));
                            peer.expect(sends.message(0));
                            peer.send(sends.ack(sends.packetsPerMessage() - 1));
                        }),
                Check.passive("CM-23c", "The local ACK timeout is the REQ's")
                        .clause("12.7")
                        .once()
                        .application(Application.server(1, 1, SIZE))
                        .wearsOut()
                        .stimulus("a REQ with local ACK timeout 17, T = 537 ms; no ACK for the peer's SEND")
                        .answer("the SEND again, T to 4 T later")
                        .asking(peer -> {
                            peer.connect(peer.req().reliability(TIMEOUT, 7, 7));
                            Requester sends = peer.requester(MESSAGE);
                            Seen first = sends.expectOne(sends.message(0)[0]);
                            Seen again = sends.expectWithin(sends.patience(), sends.message(0)[0]);
                            long waited = again.time() - first.time();
                            long margin = peer.connection().timing().margin();
                            peer.require(
                                    waited >= sends.timeout() * 9 / 10,
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                            peer.require(
                                    waited <= 4 * sends.timeout() + margin,
                                    "it came after " + waited / 1_000_000 + " ms, too late");
                            peer.send(sends.ack(0));
                        }),
                Check.passive("CM-23d", "The retry count is the REQ's")
                        .clause("12.7")
                        .once()
                        .application(Application.server(1, 1, SIZE))
                        .wearsOut()
                        .stimulus("a REQ with retry count 2; the peer's SEND is never acknowledged")
                        .answer("the SEND three times; then the program has failed, and ends the connection")
                        .asking(peer -> {
                            peer.connect(peer.req().reliability(TIMEOUT, 2, 7));
                            Requester sends = peer.requester(MESSAGE);
                            Expected message = sends.message(0)[0];
                            sends.expectOne(message);
                            sends.expectWithin(sends.patience(), message);
                            sends.expectWithin(sends.patience(), message);
                            peer.begun(CmDreq.class, sends.patience());
                        }),
                Check.passive("CM-23e", "The RNR retry count is the REQ's")
                        .clause("12.7")
                        .application(Application.server(1, 1, SIZE))
                        .wearsOut()
                        .stimulus("a REQ with RNR retry count 2; each SEND of the peer's gets an RNR NAK")
                        .answer("the SEND three times; then the program has failed, and ends the connection")
                        .asking(peer -> {
                            peer.connect(peer.req().reliability(TIMEOUT, 7, 2));
                            Requester sends = peer.requester(MESSAGE);
                            for (int round = 0; round < 3; round++) {
                                peer.expect(sends.message(0));
                                peer.send(sends.rnrNak(0, SHORTEST_RNR));
                            }
                            peer.begun(CmDreq.class, peer.connection().timing().answer());
                        }),
                Check.active("CM-23f", "Who has asked starts with the REP's starting PSN")
                        .clause("12.7")
                        .application(Application.client(1, SIZE, 0))
                        .stimulus("a REP with a starting PSN; a SEND, which the program answers with one")
                        .answer("an ACK; a SEND with the PSN that the REP named")
                        .asked(peer -> {
                            peer.connect();
                            Requester sends = peer.requester(MESSAGE);
                            prompted(peer, sends);
                            peer.send(sends.ack(0));
                            peer.silence();
                        }),
                Check.active("CM-23g", "The RNR retry count of who has asked is the REP's")
                        .clause("12.7")
                        .application(Application.client(1, SIZE, 0))
                        .stimulus("a REP with RNR retry count 1; each SEND of the peer's gets an RNR NAK")
                        .answer("the SEND twice, and no more")
                        .asked(peer -> {
                            peer.asked();
                            peer.reply(peer.reply().rnrRetries(1));
                            peer.ready();
                            Requester sends = peer.requester(MESSAGE);
                            prompted(peer, sends);
                            peer.send(sends.rnrNak(0, SHORTEST_RNR));
                            peer.expect(sends.message(0));
                            peer.send(sends.rnrNak(0, SHORTEST_RNR));
                            peer.silence();
                        }),
                Check.active("CM-23h", "The local ACK timeout that a REQ names is that of its own queue pair as well")
                        .clause("12.7")
                        .once()
                        .application(Application.client(1, SIZE, TIMEOUT))
                        .stimulus("a program that wants local ACK timeout 17, T = 537 ms; no ACK for its SEND")
                        .answer("a REQ that says so; the SEND again, T to 4 T later")
                        .asked(peer -> {
                            CmReq req = peer.asked();
                            peer.require(
                                    req.primaryPath().ackTimeout() == TIMEOUT,
                                    "the REQ's local ACK timeout is "
                                            + req.primaryPath().ackTimeout());
                            peer.reply(peer.reply());
                            peer.ready();
                            Requester sends = peer.requester(MESSAGE);
                            Seen first = prompted(peer, sends);
                            Seen again = sends.expectWithin(sends.patience(), sends.message(0)[0]);
                            long waited = again.time() - first.time();
                            peer.require(
                                    waited >= sends.timeout() * 9 / 10,
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                            peer.send(sends.ack(0));
                        }),
                Check.passive(
                                "CM-24",
                                "LIDs, service level, rate, hop limit and traffic class of a RoCE path are taken as they are")
                        .clause("A16")
                        .stimulus("a REQ with LIDs 7 and 9, rate 63, traffic class 0xfc, hop limit 0, service level 15")
                        .answer("a REP; the connection stands")
                        .asking(peer -> {
                            peer.connect(peer.req()
                                    .path(path -> new CmPath(
                                            7, 9, path.localGid(), path.remoteGid(), 0, 63, 0xFC, 0, 15, true, 0)));
                            peer.stands();
                            peer.disconnected();
                        }),
                Check.passive("CM-25a", "Packets of a new connection are taken with MigReq 0 and with 1")
                        .clause("17.2.8")
                        .stimulus("a connection; a SEND with MigReq 0, one with MigReq 1")
                        .answer("an ACK to each")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            Responder takes = peer.responder();
                            peer.send(takes.good(0).migReq(false));
                            peer.expect(takes.goodAnswer(0));
                            peer.send(takes.good(1).migReq(true));
                            peer.expect(takes.goodAnswer(1));
                            peer.disconnected();
                        }),
                Check.passive("CM-25b", "The MigReq of the peer's first packet")
                        .clause("17.2.8")
                        .application(Application.server(1, 1, SIZE))
                        .wearsOut()
                        .open(ONE, ZERO)
                        .stimulus("a connection with a program that sends")
                        .answer("MigReq 1: a queue pair starts as one whose path is migrated")
                        .asking(peer -> {
                            peer.connect(peer.req());
                            Requester sends = peer.requester(MESSAGE);
                            Seen first = sends.expectOne(sends.message(0)[0]);
                            peer.send(sends.ack(0));
                            peer.records(first.packet().bth().migReq() ? ONE : ZERO);
                        }));
    }

    /** The program that has asked is sent a message, and answers with one of its own. */
    private static Seen prompted(CmActive peer, Requester sends) {
        Responder takes = peer.responder();
        peer.send(takes.sendOnly(0, SIZE).ackReq());
        return peer.expectBoth(takes.ack(0), sends.message(0)[0]);
    }

    private static CmLap lap(CmPassive peer, int qpn) {
        CmPath path = peer.asked().primaryPath();
        Gid other = new Gid(path.localGid().high(), path.localGid().low() ^ 0x40);
        return new CmLap(
                peer.ourId(), peer.peersId(), qpn, 20, path.withGids(other, path.remoteGid()), PrivateData.EMPTY);
    }
}
