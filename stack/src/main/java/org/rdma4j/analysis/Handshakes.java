package org.rdma4j.analysis;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;

/** Follows connection management: REQ and REP name the queue pairs and the PSNs that both ends start with (12.6). */
final class Handshakes {

    private static final int MOST = 4096;

    /** The unit of an acknowledge timeout: 4.096 µs. */
    private static final long TIMEOUT_UNIT = 4_096;

    private record Caller(Gid gid, int communicationId) {}

    private final Analyzer analyzer;
    private final Map<Caller, CmReq> requests = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Caller, CmReq> eldest) {
            return size() > MOST;
        }
    };

    Handshakes(Analyzer analyzer) {
        this.analyzer = analyzer;
    }

    void datagram(PacketView packet) {
        long payload = packet.roce.bthOffset() + packet.roce.transportLength() - packet.padCount - packet.payload;
        if (packet.payload != MadHeader.MAD_LENGTH
                || payload + MadHeader.MAD_LENGTH > packet.roce.segment().byteSize()) {
            return;
        }
        if (!(CmMad.parse(packet.roce.segment(), payload, packet.payload) instanceof CmMad mad)) {
            return;
        }
        if (mad.message() instanceof CmReq req) {
            requests.put(new Caller(packet.source(), req.localCommId()), req);
        } else if (mad.message() instanceof CmRep rep) {
            CmReq req = requests.get(new Caller(packet.destination(), rep.remoteCommId()));
            if (req != null) {
                accepted(req, rep, packet);
            }
        }
    }

    /** Each end says which PSN the other one is to start with. */
    private void accepted(CmReq req, CmRep rep, PacketView packet) {
        Gid active = packet.destination();
        Gid passive = packet.source();
        int timeout = req.primaryPath().ackTimeout();
        long nanos = timeout == 0 ? 0 : TIMEOUT_UNIT << timeout;
        analyzer.announce(
                new Announcement(
                        active,
                        passive,
                        rep.localQpn(),
                        req.localQpn(),
                        rep.startingPsn(),
                        req.pathMtuBytes(),
                        nanos,
                        rep.responderResources(),
                        0,
                        0,
                        true,
                        "CM",
                        packet.frame),
                packet.time);
        analyzer.announce(
                new Announcement(
                        passive,
                        active,
                        req.localQpn(),
                        rep.localQpn(),
                        req.startingPsn(),
                        req.pathMtuBytes(),
                        0,
                        req.responderResources(),
                        0,
                        0,
                        false,
                        "CM",
                        packet.frame),
                packet.time);
    }
}
