package org.rdma4j.trace;

import java.util.Locale;
import java.util.Optional;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedMad;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** Messages of connection management in words. */
public final class CmText {

    private CmText() {}

    /** True where a packet is a datagram to one of the queue pairs of management. */
    public static boolean mayHold(int opcode, int destQp) {
        return destQp <= MadHeader.GSI_QPN && Opcode.hasDeth(opcode);
    }

    /** What a packet to the queue pairs of management holds; empty for any other packet. */
    public static Optional<ParsedMad> mad(Packet packet) {
        return mayHold(packet.bth().opcode(), packet.bth().destQp())
                ? Optional.of(
                        CmMad.parse(packet.payload(), 0, (int) packet.payload().byteSize()))
                : Optional.empty();
    }

    /** {@code REQ}, or empty where the packet is no message of connection management. */
    static Optional<String> name(Packet packet) {
        return mad(packet)
                .flatMap(parsed ->
                        parsed instanceof CmMad mad ? Optional.of(mad.message().name()) : Optional.empty());
    }

    /** In one line, without its name: {@code TCP port 7174 at 10.0.0.1 from 10.0.0.2 port 40000  …}. */
    public static String words(CmMessage message) {
        return switch (message) {
            case CmReq req ->
                service(req.serviceId(), req.privateData())
                        + String.format(
                                Locale.ROOT,
                                "  id 0x%08x  QP 0x%06x  PSN %d  MTU %d  READs %d in, %d out",
                                req.localCommId(),
                                req.localQpn(),
                                req.startingPsn(),
                                req.pathMtuBytes(),
                                req.responderResources(),
                                req.initiatorDepth())
                        + said(req.privateData(), IpCmHeader.LENGTH);
            case CmRep rep ->
                ids(rep.localCommId(), rep.remoteCommId())
                        + String.format(
                                Locale.ROOT,
                                "  QP 0x%06x  PSN %d  READs %d in, %d out",
                                rep.localQpn(),
                                rep.startingPsn(),
                                rep.responderResources(),
                                rep.initiatorDepth())
                        + said(rep.privateData(), 0);
            case CmRtu rtu -> ids(rtu.localCommId(), rtu.remoteCommId()) + said(rtu.privateData(), 0);
            case CmMra mra ->
                ids(mra.localCommId(), mra.remoteCommId()) + "  of " + mra.answered() + "  within 4.096 µs · 2^"
                        + mra.serviceTimeout();
            case CmRej rej ->
                ids(rej.localCommId(), rej.remoteCommId()) + "  of " + rej.answered() + "  reason "
                        + RejReason.words(rej.reason()) + said(rej.privateData(), 0);
            case CmDreq dreq ->
                ids(dreq.localCommId(), dreq.remoteCommId())
                        + String.format(Locale.ROOT, "  QP 0x%06x", dreq.remoteQpn())
                        + said(dreq.privateData(), 0);
            case CmDrep drep -> ids(drep.localCommId(), drep.remoteCommId()) + said(drep.privateData(), 0);
            case CmLap lap ->
                ids(lap.localCommId(), lap.remoteCommId()) + "  by way of "
                        + IpText.of(lap.alternatePath().remoteGid().toAddress());
            case CmApr apr -> ids(apr.localCommId(), apr.remoteCommId()) + "  status " + apr.status();
            case CmSidrReq req ->
                service(req.serviceId(), req.privateData())
                        + String.format(Locale.ROOT, "  id 0x%08x", req.requestId())
                        + said(req.privateData(), IpCmHeader.LENGTH);
            case CmSidrRep rep ->
                String.format(
                                Locale.ROOT,
                                "id 0x%08x  status %s  QP 0x%06x  Q_Key 0x%08x",
                                rep.requestId(),
                                SidrStatus.words(rep.status()),
                                rep.qpn(),
                                rep.qKey())
                        + said(rep.privateData(), 0);
        };
    }

    private static String ids(int local, int remote) {
        return String.format(Locale.ROOT, "id 0x%08x to 0x%08x", local, remote);
    }

    private static String service(long serviceId, PrivateData data) {
        String service = PortSpace.words(serviceId);
        IpCmHeader header = IpCmHeader.parse(data);
        if (PortSpace.ofServiceId(serviceId) == null || header == null || !header.isKnown()) {
            return service;
        }
        return service + " at " + IpText.of(header.destination().toAddress()) + " from "
                + IpText.of(header.source().toAddress()) + " port " + header.sourcePort();
    }

    /** What the application says, behind the bytes that are not its own. */
    private static String said(PrivateData data, int from) {
        PrivateData own = data.from(from).withoutFill();
        return own.length() == 0 ? "" : "  private data " + own;
    }
}
