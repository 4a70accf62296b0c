package org.rdma4j.tools.conform.suite;

import java.util.List;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.CmActive;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** CM: how a service tells its queue pair of datagrams, and who asks for it. */
final class SidrChecks {

    private static final int OTHER_PORT = 1;
    private static final int Q_KEY = 0x0123_4567;
    private static final int ANSWER_CODE = 20; // 4.3 s: Linux waits 4.1 s, rdma4j as long as a REQ says

    private static final String SAME = "the same queue pair";
    private static final String ANOTHER = "another queue pair, as to a new question";

    private SidrChecks() {}

    static List<Check> all() {
        return List.of(
                Check.passive("CM-17a", "A SIDR_REQ is answered with queue pair and Q_Key")
                        .clause("12.11")
                        .application(Application.DATAGRAM_SERVER)
                        .stimulus("a SIDR_REQ for the program's service")
                        .answer(
                                "a SIDR_REP in the same transaction, status 0, with a queue pair, the service and Q_Key "
                                        + "0x01234567, which IP's services have")
                        .asking(peer -> {
                            CmSidrReq req = peer.resolve(peer.datagrams());
                            CmSidrRep rep = peer.resolved(SidrStatus.VALID);
                            peer.require(rep.qpn() > 1, "queue pair " + rep.qpn());
                            peer.require(rep.qKey() == Q_KEY, String.format("Q_Key 0x%08x", rep.qKey()));
                            peer.require(rep.serviceId() == req.serviceId(), "another service ID");
                        }),
                Check.passive("CM-17b", "A SIDR_REQ for a port that nobody listens at: status 1")
                        .clause("12.11")
                        .application(Application.DATAGRAM_SERVER)
                        .stimulus("a SIDR_REQ for another port")
                        .answer("a SIDR_REP, status 1")
                        .asking(peer -> {
                            peer.resolve(PortSpace.UDP.serviceId(OTHER_PORT));
                            peer.resolved(SidrStatus.UNSUPPORTED);
                        }),
                Check.passive("CM-17c", "A SIDR_REQ that the application rejects: status 2")
                        .clause("12.11")
                        .application(Application.DATAGRAM_SERVER.refusing())
                        .wearsOut()
                        .stimulus("a SIDR_REQ to a program that rejects it")
                        .answer("a SIDR_REP, status 2")
                        .asking(peer -> {
                            peer.resolve(peer.datagrams());
                            peer.resolved(SidrStatus.REJECTED);
                        }),
                Check.passive("CM-17d", "A SIDR_REQ that comes again is answered again")
                        .clause("12.11")
                        .application(Application.DATAGRAM_SERVER)
                        .open(SAME, ANOTHER)
                        .stimulus("a SIDR_REQ; when its SIDR_REP is there the same SIDR_REQ in the same transaction")
                        .answer("a SIDR_REP to each, for the same queue pair or for another")
                        .asking(peer -> {
                            CmSidrReq req = peer.resolve(peer.datagrams());
                            CmSidrRep rep = peer.resolved(SidrStatus.VALID);
                            peer.say(req);
                            CmSidrRep again = peer.resolved(SidrStatus.VALID);
                            peer.records(again.qpn() == rep.qpn() ? SAME : ANOTHER);
                        }),
                Check.passive("CM-10c", "A REQ to a listener for datagrams: reason 9")
                        .clause("12.6.7")
                        .application(Application.DATAGRAM_SERVER)
                        .stimulus("a REQ for the program's service of datagrams")
                        .answer("a REJ for the REQ, reason 9")
                        .asking(peer -> {
                            peer.ask(peer.req().service(peer.datagrams()).transport(CmReq.RC));
                            peer.refused(RejReason.INVALID_TRANSPORT_TYPE);
                        }),
                Check.active("CM-17e", "Datagrams go to the queue pair that a SIDR_REP names, with its Q_Key")
                        .clause("12.11")
                        .application(Application.DATAGRAM_CLIENT)
                        .stimulus("a SIDR_REP with a queue pair of ours and Q_Key 0x01234567")
                        .answer(
                                "a SIDR_REQ for the service with the IP CM header; datagrams to that queue pair with that Q_Key")
                        .asked(peer -> {
                            CmSidrReq req = peer.resolving();
                            IpCmHeader header = IpCmHeader.parse(req.privateData());
                            peer.require(
                                    header.isKnown() && header.source().equals(peer.peersGid()),
                                    "its private data begin with " + header);
                            peer.say(CmSidrRep.found(
                                    req.requestId(), peer.ourQpn(), req.serviceId(), Q_KEY, PrivateData.EMPTY));
                            Seen seen = peer.next();
                            Deth deth = seen.packet().extension(Deth.class).orElse(null);
                            peer.require(
                                    (seen.opcode() == Opcode.UD_SEND_ONLY
                                                    || seen.opcode() == Opcode.UD_SEND_ONLY_WITH_IMMEDIATE)
                                            && deth != null,
                                    "it sent " + peer.describe(seen));
                            peer.require(
                                    seen.packet().bth().destQp() == peer.ourQpn(),
                                    "to queue pair " + seen.packet().bth().destQp());
                            peer.require(deth.qKey() == Q_KEY, String.format("Q_Key 0x%08x", deth.qKey()));
                        }),
                Check.active("CM-17f", "Who asks for a service that is not there hears so")
                        .clause("12.11")
                        .application(Application.DATAGRAM_CLIENT)
                        .stimulus("a SIDR_REP with status 1")
                        .answer("nothing; the program is told of the status")
                        .asked(peer -> {
                            CmSidrReq req = peer.resolving();
                            peer.say(CmSidrRep.refused(
                                    req.requestId(), SidrStatus.UNSUPPORTED, req.serviceId(), PrivateData.EMPTY));
                            peer.hears(CmEventType.UNREACHABLE, SidrStatus.UNSUPPORTED.number());
                            peer.silence();
                        }),
                Check.active("CM-17g", "A SIDR_REQ without an answer is sent again")
                        .clause("12.11")
                        .once()
                        .application(Application.DATAGRAM_CLIENT)
                        .stimulus("no answer to the first SIDR_REQ")
                        .answer("the same again in the same transaction")
                        .asked(peer -> {
                            CmSidrReq req = peer.resolving();
                            long start = peer.now();
                            peer.require(
                                    peer.due(CmSidrReq.class, 3 * CmActive.nanos(ANSWER_CODE))
                                            .equals(req),
                                    "the SIDR_REQ that came again is another");
                            long waited = peer.now() - start;
                            peer.require(
                                    waited >= CmActive.nanos(ANSWER_CODE) * 9 / 10,
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                        }));
    }
}
