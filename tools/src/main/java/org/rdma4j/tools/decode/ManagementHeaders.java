package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.trace.CmText;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherMad;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** A management datagram field by field: its header, its message, the private header of the RDMA IP CM service. */
final class ManagementHeaders {

    private ManagementHeaders() {}

    /** Empty for a packet that is none. */
    static List<Header> of(Packet packet) {
        List<Header> headers = new ArrayList<>();
        CmText.mad(packet).ifPresent(parsed -> {
            switch (parsed) {
                case CmMad mad -> {
                    headers.add(mad(MadHeader.parse(packet.payload(), 0)));
                    headers.add(message(mad.message()));
                    paths(mad.message(), headers);
                    ipService(mad.message(), headers);
                }
                case OtherMad other -> headers.add(mad(other.header()));
                case Malformed malformed -> headers.add(new Header("MAD").text("malformed", malformed.reason()));
            }
        });
        return headers;
    }

    private static Header mad(MadHeader mad) {
        return new Header("MAD")
                .number("BaseVersion", mad.baseVersion())
                .hex("MgmtClass", mad.managementClass(), 2)
                .number("ClassVersion", mad.classVersion())
                .hex("Method", mad.method(), 2)
                .hex("Status", mad.status(), 4)
                .hex("TransactionID", mad.transactionId(), 16)
                .hex("AttributeID", mad.attributeId(), 4)
                .hex("AttributeModifier", Integer.toUnsignedLong(mad.attributeModifier()), 8);
    }

    private static Header message(CmMessage message) {
        Header header = new Header(message.name());
        Header filled = switch (message) {
            case CmReq req -> req(header, req);
            case CmRep rep -> rep(header, rep);
            case CmRtu rtu -> ids(header, rtu.localCommId(), rtu.remoteCommId());
            case CmDrep drep -> ids(header, drep.localCommId(), drep.remoteCommId());
            case CmDreq dreq ->
                ids(header, dreq.localCommId(), dreq.remoteCommId()).hex("RemoteQPN", dreq.remoteQpn(), 6);
            case CmMra mra ->
                ids(header, mra.localCommId(), mra.remoteCommId())
                        .text("MessageMRAed", mra.answered().name())
                        .number("ServiceTimeout", mra.serviceTimeout());
            case CmRej rej ->
                ids(header, rej.localCommId(), rej.remoteCommId())
                        .text("MessageRejected", rej.answered().name())
                        .number("InfoLength", rej.infoLength())
                        .number("Reason", rej.reason(), RejReason.words(rej.reason()))
                        .text("Info", rej.info().toString());
            case CmLap lap ->
                ids(header, lap.localCommId(), lap.remoteCommId())
                        .hex("RemoteQPN", lap.remoteQpn(), 6)
                        .number("RemoteResponseTimeout", lap.remoteResponseTimeout());
            case CmApr apr ->
                ids(header, apr.localCommId(), apr.remoteCommId())
                        .number("InfoLength", apr.infoLength())
                        .number("APStatus", apr.status(), CmApr.meaning(apr.status()));
            case CmSidrReq req ->
                header.hex("RequestID", Integer.toUnsignedLong(req.requestId()), 8)
                        .hex("P_Key", req.pKey(), 4)
                        .hex("ServiceID", req.serviceId(), 16, PortSpace.words(req.serviceId()));
            case CmSidrRep rep ->
                header.hex("RequestID", Integer.toUnsignedLong(rep.requestId()), 8)
                        .number("Status", rep.status(), SidrStatus.words(rep.status()))
                        .hex("QPN", rep.qpn(), 6)
                        .hex("ServiceID", rep.serviceId(), 16, PortSpace.words(rep.serviceId()))
                        .hex("Q_Key", Integer.toUnsignedLong(rep.qKey()), 8);
        };
        return filled.text("PrivateData", message.privateData().toString());
    }

    private static Header ids(Header header, int local, int remote) {
        return header.hex("LocalCommID", Integer.toUnsignedLong(local), 8)
                .hex("RemoteCommID", Integer.toUnsignedLong(remote), 8);
    }

    private static Header req(Header header, CmReq req) {
        return header.hex("LocalCommID", Integer.toUnsignedLong(req.localCommId()), 8)
                .hex("ServiceID", req.serviceId(), 16, PortSpace.words(req.serviceId()))
                .hex("LocalCAGUID", req.localCaGuid(), 16)
                .hex("LocalQ_Key", Integer.toUnsignedLong(req.localQKey()), 8)
                .hex("LocalQPN", req.localQpn(), 6)
                .number("ResponderResources", req.responderResources())
                .number("InitiatorDepth", req.initiatorDepth())
                .number("RemoteResponseTimeout", req.remoteResponseTimeout())
                .number("TransportType", req.transportType())
                .bit("FlowControl", req.flowControl())
                .number("StartingPSN", req.startingPsn())
                .number("LocalResponseTimeout", req.localResponseTimeout())
                .number("RetryCount", req.retryCount())
                .hex("P_Key", req.pKey(), 4)
                .number("PathMTU", req.pathMtu(), req.pathMtuBytes() == 0 ? "reserved" : req.pathMtuBytes() + " bytes")
                .number("RNRRetry", req.rnrRetry())
                .number("MaxCMRetries", req.maxCmRetries())
                .bit("SRQ", req.srq());
    }

    private static Header rep(Header header, CmRep rep) {
        return ids(header, rep.localCommId(), rep.remoteCommId())
                .hex("LocalQ_Key", Integer.toUnsignedLong(rep.localQKey()), 8)
                .hex("LocalQPN", rep.localQpn(), 6)
                .number("StartingPSN", rep.startingPsn())
                .number("ResponderResources", rep.responderResources())
                .number("InitiatorDepth", rep.initiatorDepth())
                .number("TargetACKDelay", rep.targetAckDelay())
                .number("FailoverAccepted", rep.failoverAccepted())
                .bit("FlowControl", rep.flowControl())
                .number("RNRRetry", rep.rnrRetry())
                .bit("SRQ", rep.srq())
                .hex("LocalCAGUID", rep.localCaGuid(), 16);
    }

    private static void paths(CmMessage message, List<Header> headers) {
        switch (message) {
            case CmReq req -> {
                headers.add(path("primary path", req.primaryPath()));
                if (!req.alternatePath().equals(CmPath.NONE)) {
                    headers.add(path("alternate path", req.alternatePath()));
                }
            }
            case CmLap lap -> headers.add(path("alternate path", lap.alternatePath()));
            default -> {}
        }
    }

    private static Header path(String name, CmPath path) {
        return new Header(name)
                .hex("LocalLID", path.localLid(), 4)
                .hex("RemoteLID", path.remoteLid(), 4)
                .text("LocalGID", path.localGid().toString())
                .text("RemoteGID", path.remoteGid().toString())
                .hex("FlowLabel", path.flowLabel(), 5)
                .number("Rate", path.rate())
                .number("TrafficClass", path.trafficClass())
                .number("HopLimit", path.hopLimit())
                .number("SL", path.serviceLevel())
                .bit("SubnetLocal", path.subnetLocal())
                .number("AckTimeout", path.ackTimeout());
    }

    private static void ipService(CmMessage message, List<Header> headers) {
        long service = switch (message) {
            case CmReq req -> req.serviceId();
            case CmSidrReq req -> req.serviceId();
            default -> -1;
        };
        IpCmHeader ip = PortSpace.ofServiceId(service) == null ? null : IpCmHeader.parse(message.privateData());
        if (ip != null) {
            PrivateData rest = message.privateData().from(IpCmHeader.LENGTH);
            headers.add(new Header("IP CM")
                    .number("Version", ip.version())
                    .number("IPVersion", ip.ipVersion())
                    .number("SourcePort", ip.sourcePort())
                    .text("Source", IpText.of(ip.source().toAddress()))
                    .text("Destination", IpText.of(ip.destination().toAddress()))
                    .text("PrivateData", rest.toString()));
        }
    }
}
