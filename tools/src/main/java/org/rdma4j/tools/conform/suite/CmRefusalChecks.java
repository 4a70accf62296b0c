package org.rdma4j.tools.conform.suite;

import java.util.Arrays;
import java.util.List;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmPassive;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.CraftedReq;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** CM: what a connection manager refuses, and what it does not heed. */
final class CmRefusalChecks {

    private static final int OTHER_PORT = 1;
    private static final int NOBODYS = 0x123456;
    private static final int OTHER_Q_KEY = 0x1111_1111;
    private static final PrivateData NO_WORDS = PrivateData.of(new byte[CmDrep.PRIVATE_DATA_LENGTH]);

    private CmRefusalChecks() {}

    static List<Check> all() {
        return List.of(
                Check.passive("CM-04a", "A port that nobody listens at is rejected: reason 8")
                        .clause("12.6.7")
                        .stimulus("a REQ for another port")
                        .answer("a REJ for the REQ, reason 8")
                        .asking(peer -> {
                            peer.ask(peer.req().service(PortSpace.TCP.serviceId(OTHER_PORT)));
                            CmRej rej = peer.refused(RejReason.INVALID_SERVICE_ID);
                            peer.require(rej.localCommId() == 0, "the REJ names a connection, and there is none");
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 0);
                        }),
                Check.passive("CM-04b", "A service that is no port is rejected: reason 8")
                        .clause("12.6.7")
                        .stimulus("a REQ for service 0x0000000000001234")
                        .answer("a REJ for the REQ, reason 8")
                        .asking(peer -> {
                            peer.ask(peer.req().service(0x1234));
                            peer.refused(RejReason.INVALID_SERVICE_ID);
                        }),
                Check.passive("CM-05", "A listener without room rejects: reason 3")
                        .clause("12.6.7")
                        .application(Application.SERVER.idle(2))
                        .wearsOut()
                        .stimulus("three REQs to a program that looks at none of them and has room for two")
                        .answer("nothing to two of them; a REJ to the third, reason 3")
                        .asking(peer -> {
                            peer.ask(peer.req());
                            peer.ask(peer.req());
                            peer.silence();
                            peer.ask(peer.req());
                            peer.refused(RejReason.NO_RESOURCES);
                        }),
                Check.passive("CM-06a", "An application's refusal is reason 28")
                        .clause("12.6.7")
                        .application(Application.server(1, 1, 100))
                        .wearsOut()
                        .stimulus("a REQ too many for the program")
                        .answer("a REJ for the REQ, reason 28")
                        .asking(peer -> {
                            CmPassive other = peer.another();
                            other.ask(other.req());
                            other.accepted();
                            peer.ask(peer.req());
                            peer.refused(RejReason.CONSUMER_DEFINED);
                        }),
                Check.passive("CM-06c", "Who has asked may refuse the answer")
                        .clause("12.6.7")
                        .wearsOut()
                        .stimulus("a REQ whose sender answers within 67 ms; a REJ to its REP, reason 28")
                        .answer("nothing, and no REP again; the program is told of the reason")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(14, 15));
                            peer.mayComeAgain(peer.accepted());
                            peer.decline(CmAnswered.REP);
                            peer.settle(3 * CmPassive.nanos(14));
                            peer.silence(4 * CmPassive.nanos(14));
                            peer.hears(CmEventType.REJECTED, RejReason.CONSUMER_DEFINED.number());
                        }),
                Check.passive("CM-07", "A path to another port is rejected: reason 12")
                        .clause("12.6.7")
                        .stimulus("a REQ whose primary remote port GID is another host's")
                        .answer("a REJ for the REQ, reason 12")
                        .asking(peer -> {
                            peer.ask(peer.req().path(path -> path.withGids(path.localGid(), elsewhere(path))));
                            peer.refused(RejReason.INVALID_GID);
                        }),
                mtu("CM-08a", 6),
                mtu("CM-08b", 0),
                Check.passive("CM-10a", "A REQ for an unreliable connection to a listener for reliable ones: reason 9")
                        .clause("12.6.7")
                        .wearsOut()
                        .stimulus("a REQ with transport service type 1")
                        .answer("a REJ for the REQ, reason 9")
                        .asking(peer -> {
                            peer.ask(peer.req().transport(CmReq.UC));
                            peer.refused(RejReason.INVALID_TRANSPORT_TYPE);
                        }),
                Check.passive("CM-10b", "A REQ for reliable datagrams: reason 9")
                        .clause("12.6.7")
                        .wearsOut()
                        .stimulus("a REQ with transport service type 2")
                        .answer("a REJ for the REQ, reason 9")
                        .asking(peer -> {
                            peer.ask(peer.req().transport(CmReq.RD));
                            peer.refused(RejReason.INVALID_TRANSPORT_TYPE);
                        }),
                Check.passive(
                                "CM-11",
                                "A queue pair whose connection has not ended is stale: reason 10, and that one ends")
                        .clause("12.9.8")
                        .stimulus("a connection; a REQ with another ID from the same queue pair")
                        .answer("a REJ for the REQ, reason 10; a DREQ for the connection")
                        .asking(peer -> {
                            CraftedReq first = peer.req();
                            peer.connect(first);
                            peer.stands();
                            int peersId = peer.peersId();
                            int qpn = peer.asked().localQpn();
                            peer.ask(peer.req(qpn));
                            peer.refused(RejReason.STALE_CONNECTION);
                            CmMessage said = peer.hear().message();
                            peer.require(
                                    said instanceof CmDreq dreq
                                            && dreq.localCommId() == peersId
                                            && dreq.remoteCommId() == first.commId(),
                                    "due was a DREQ for the connection; the peer said " + said.name());
                            peer.hears(CmEventType.DISCONNECTED, 0);
                        }),
                Check.passive("CM-14a", "A DREQ that names another queue pair changes nothing")
                        .clause("12.9.8")
                        .stimulus("a connection; a DREQ whose remote QPN is one too high")
                        .answer("nothing: the connection stands")
                        .asking(peer -> {
                            CmRep rep = peer.connect(peer.req());
                            peer.stands();
                            peer.disconnect(rep.localQpn() + 1);
                            peer.silence();
                            peer.stands();
                            peer.heard(CmEventType.DISCONNECTED, 0, 0);
                            peer.disconnected();
                        }),
                Check.passive("CM-14b", "An RTU that names no connection changes nothing")
                        .clause("12.9.8")
                        .stimulus("a REQ whose sender answers within 67 ms; an RTU with a wrong ID, then the right one")
                        .answer("the REP again behind the wrong one; the connection stands behind the right one")
                        .asking(peer -> {
                            peer.ask(peer.req().answersWithin(14, 15));
                            CmRep rep = peer.accepted();
                            peer.say(new CmRtu(peer.ourId(), peer.peersId() ^ 0x10, PrivateData.EMPTY));
                            peer.require(peer.due(CmRep.class).equals(rep), "the REP that came again is another");
                            peer.require(peer.due(CmRep.class).equals(rep), "the REP that came again is another");
                            peer.heard(CmEventType.ESTABLISHED, 0, 0);
                            peer.mayComeAgain(rep);
                            peer.ready();
                            peer.hears(CmEventType.ESTABLISHED, 0);
                            peer.disconnected();
                        }),
                Check.passive("CM-14d", "A DREQ for a connection that does not stand")
                        .clause("12.9.8")
                        .open("a DREP", "nothing")
                        .stimulus("a DREQ with an ID that the peer does not have")
                        .answer("a DREP, for its sender may have missed the first one, or none")
                        .asking(peer -> {
                            int ours = peer.anotherId();
                            peer.say(new CmDreq(ours, NOBODYS, NOBODYS, PrivateData.EMPTY));
                            Seen seen = peer.next(peer.connection().timing().quiet());
                            peer.require(
                                    seen == null || peer.is(seen, new CmDrep(NOBODYS, ours, NO_WORDS)),
                                    "the answer is " + (seen == null ? "" : peer.describe(seen)));
                            peer.records(seen == null ? "nothing" : "a DREP");
                        }),
                Check.passive("CM-22g", "A datagram with another Q_Key is not heeded")
                        .clause("10.2.5")
                        .stimulus("a REQ with Q_Key 0x11111111")
                        .answer("nothing")
                        .asking(peer -> {
                            byte[] mad = peer.request(peer.req());
                            peer.send(new Crafted(Opcode.UD_SEND_ONLY, 0, new Deth(OTHER_Q_KEY, MadHeader.GSI_QPN))
                                    .destQp(MadHeader.GSI_QPN)
                                    .payload(mad));
                            peer.silence();
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 0);
                        }),
                spoilt(
                        "CM-22a",
                        "Another base version is not heeded",
                        "base version 9",
                        MadHeader.BASE_VERSION_OFFSET,
                        9),
                spoilt("CM-22b", "Another method is not heeded", "method 1, Get", MadHeader.METHOD_OFFSET, 1),
                spoilt(
                        "CM-22c",
                        "An attribute that connection management has not is not heeded",
                        "attribute 0x0030",
                        MadHeader.ATTRIBUTE_ID_OFFSET + 1,
                        0x30),
                spoilt(
                        "CM-22d",
                        "Another management class is not heeded",
                        "management class 0x0a, which nobody has",
                        MadHeader.MANAGEMENT_CLASS_OFFSET,
                        0x0A),
                Check.passive("CM-22e", "A REQ of another class version is rejected: reason 31")
                        .clause("12.6.7")
                        .stimulus("a REQ with class version 1")
                        .answer("a REJ for the REQ, reason 31")
                        .asking(peer -> {
                            byte[] mad = peer.request(peer.req());
                            mad[MadHeader.CLASS_VERSION_OFFSET] = 1;
                            peer.say(mad);
                            peer.refused(RejReason.INVALID_CLASS_VERSION);
                        }),
                Check.passive("CM-22f", "A datagram of another length is not heeded")
                        .clause("13.4")
                        .wearsOut()
                        .stimulus("a REQ whose last four bytes are missing")
                        .answer("nothing")
                        .asking(peer -> {
                            byte[] mad = peer.request(peer.req());
                            peer.say(Arrays.copyOf(mad, mad.length - 4));
                            peer.silence();
                            peer.heard(CmEventType.CONNECT_REQUEST, 0, 0);
                        }),
                Check.passive("CM-19a", "An IP CM header of another version is rejected")
                        .clause("A11")
                        .open("rejected with reason 5", "rejected with reason 8", "rejected with reason 28")
                        .stimulus("a REQ whose private data begin with version 1")
                        .answer("a REJ for the REQ")
                        .asking(peer -> {
                            peer.ask(peer.req()
                                    .header(it -> new IpCmHeader(
                                            1, it.ipVersion(), it.sourcePort(), it.source(), it.destination())));
                            CmRej rej = peer.rejected();
                            peer.require(rej.answered() == CmAnswered.REQ, "the REJ answers " + rej.answered());
                            peer.records("rejected with reason " + rej.reason());
                        }));
    }

    private static Check mtu(String id, int code) {
        return Check.passive(id, "A path MTU that does not exist is rejected: reason 26")
                .clause("12.6.7")
                .wearsOut()
                .stimulus("a REQ with path MTU code " + code)
                .answer("a REJ for the REQ, reason 26")
                .asking(peer -> {
                    peer.ask(peer.req().mtuCode(code));
                    peer.refused(RejReason.INVALID_MTU);
                });
    }

    private static Check spoilt(String id, String title, String how, int offset, int value) {
        return Check.passive(id, title)
                .clause("13.4")
                .stimulus("a REQ with " + how)
                .answer("nothing")
                .asking(peer -> {
                    byte[] mad = peer.request(peer.req());
                    mad[offset] = (byte) value;
                    peer.say(mad);
                    peer.silence();
                    peer.heard(CmEventType.CONNECT_REQUEST, 0, 0);
                });
    }

    /** A GID of the same family that is not the peer's. */
    private static Gid elsewhere(CmPath path) {
        Gid gid = path.remoteGid();
        return new Gid(gid.high(), gid.low() ^ 0x40);
    }
}
