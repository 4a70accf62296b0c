package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.rdma4j.analysis.Flow;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.wire.Bth;
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
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;

/** Addresses and numbers that frames carry as data, in connection management and in the tools' exchanges over TCP. */
final class CarriedNumbers {

    private final Mapping mapping;
    private final List<CapturedConnection> connections;

    CarriedNumbers(Mapping mapping, List<CapturedConnection> connections) {
        this.mapping = mapping;
        this.connections = connections;
    }

    /** In a packet of UD to the queue pair of management. */
    void rewrite(RoceFrame frame, Gid from, Gid to) {
        MemorySegment bytes = frame.segment();
        long bth = frame.bthOffset();
        boolean isMad = Bth.opcode(bytes, bth) == Opcode.UD_SEND_ONLY
                && Bth.destQp(bytes, bth) == MadHeader.GSI_QPN
                && frame.transportLength() == Opcode.headerLength(Opcode.UD_SEND_ONLY) + MadHeader.MAD_LENGTH;
        long payload = bth + Opcode.headerLength(Opcode.UD_SEND_ONLY);
        if (isMad && CmMad.parse(bytes, payload, MadHeader.MAD_LENGTH) instanceof CmMad mad) {
            CmMessage mapped = message(mad.message(), from, to);
            if (!mapped.equals(mad.message())) {
                mapped.emit(bytes, payload + MadHeader.LENGTH);
            }
        }
    }

    private CmMessage message(CmMessage message, Gid from, Gid to) {
        return switch (message) {
            case CmReq req -> request(req, from, to);
            case CmRep rep ->
                rep.withEnds(
                        rep.remoteCommId(),
                        mapping.qpn(rep.localQpn(), from),
                        mapping.psn(rep.startingPsn(), to, flowTo(from, rep.localQpn(), to)));
            case CmDreq dreq ->
                new CmDreq(
                        dreq.localCommId(), dreq.remoteCommId(), mapping.qpn(dreq.remoteQpn(), to), dreq.privateData());
            case CmSidrRep rep ->
                new CmSidrRep(
                        rep.requestId(),
                        rep.status(),
                        rep.infoLength(),
                        rep.eceVendorId(),
                        mapping.qpn(rep.qpn(), from),
                        rep.serviceId(),
                        rep.qKey(),
                        rep.info(),
                        rep.privateData());
            case CmSidrReq req ->
                new CmSidrReq(req.requestId(), req.pKey(), req.serviceId(), addresses(req.privateData()));
            case CmLap lap ->
                new CmLap(
                        lap.localCommId(),
                        lap.remoteCommId(),
                        mapping.qpn(lap.remoteQpn(), to),
                        lap.remoteResponseTimeout(),
                        path(lap.alternatePath()),
                        lap.privateData());
            case CmApr _, CmMra _, CmRej _, CmRtu _, CmDrep _ -> message;
        };
    }

    /** Each end says which PSN the other one is to start with (12.6.5). */
    CmReq request(CmReq req, Gid from, Gid to) {
        return req.withEnds(
                mapping.qpn(req.localQpn(), from),
                mapping.psn(req.startingPsn(), to, flowTo(from, req.localQpn(), to)),
                path(req.primaryPath()),
                path(req.alternatePath()),
                addresses(req.privateData()));
    }

    private CmPath path(CmPath path) {
        return path.withGids(mapping.address(path.localGid()), mapping.address(path.remoteGid()));
    }

    /** Where rdma_cm's header with the IP addresses is in front of the application's words. */
    private PrivateData addresses(PrivateData data) {
        IpCmHeader header = IpCmHeader.parse(data);
        if (header == null || !header.isKnown()) {
            return data;
        }
        return new IpCmHeader(
                        header.version(),
                        header.ipVersion(),
                        header.sourcePort(),
                        mapping.address(header.source()),
                        mapping.address(header.destination()))
                .before(data.from(IpCmHeader.LENGTH));
    }

    /** In a whole TCP segment; its checksum is left as it is. */
    void rewrite(TcpFrame frame) {
        if (frame.capturedLength() < frame.payloadLength()) {
            return;
        }
        byte[] said = frame.payload().toArray(ValueLayout.JAVA_BYTE);
        for (ToldNumbers told : ToldNumbers.in(said)) {
            told.replace(said, keys(told.keys(), frame.source()));
        }
        MemorySegment.copy(MemorySegment.ofArray(said), 0, frame.segment(), frame.payloadOffset(), said.length);
    }

    private KeyRecord keys(KeyRecord keys, Gid tcpFrom) {
        boolean hasGid = keys.gid() != null && !keys.gid().equals(Gid.ZERO);
        Gid owner = hasGid ? keys.gid() : tcpFrom;
        return new KeyRecord(
                keys.lid(),
                keys.outReads(),
                mapping.qpn(keys.qpn(), owner),
                mapping.psn(keys.psn(), owner, flowFrom(owner, keys.qpn())),
                mapping.rKey(keys.rKey(), owner),
                mapping.virtualAddress(keys.address(), owner),
                hasGid ? mapping.address(keys.gid()) : keys.gid(),
                keys.srqn());
    }

    /** The requests that a queue pair sends. */
    private Flow flowFrom(Gid owner, int qpn) {
        for (CapturedConnection connection : connections) {
            if (isEnd(connection.client(), owner, qpn)) {
                return connection.clientFlow();
            }
            if (isEnd(connection.server(), owner, qpn)) {
                return connection.serverFlow();
            }
        }
        return null;
    }

    /** The requests that it gets. */
    private Flow flowTo(Gid owner, int qpn, Gid peer) {
        for (CapturedConnection connection : connections) {
            if (isEnd(connection.client(), owner, qpn)
                    && connection.server().gid().equals(peer)) {
                return connection.serverFlow();
            }
            if (isEnd(connection.server(), owner, qpn)
                    && connection.client().gid().equals(peer)) {
                return connection.clientFlow();
            }
        }
        return null;
    }

    private static boolean isEnd(CapturedConnection.End end, Gid owner, int qpn) {
        return end.qpn() == qpn && end.gid().equals(owner);
    }
}
