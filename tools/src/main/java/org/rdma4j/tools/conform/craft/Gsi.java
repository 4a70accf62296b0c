package org.rdma4j.tools.conform.craft;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Packet;

/** The hand-played side's queue pair 1: gives each datagram of connection management to the line that it concerns. */
final class Gsi {

    private final Map<Integer, Line> byOurId = new ConcurrentHashMap<>();
    private final Map<Long, Line> byService = new ConcurrentHashMap<>();
    private final Map<Integer, Line> byPeersId = new ConcurrentHashMap<>(); // as the peer's messages have told

    /** Messages to this communication or request ID are this line's. */
    void answersTo(int id, Line line) {
        byOurId.put(id, line);
    }

    /** Requests for this service are this line's. */
    void serves(long serviceId, Line line) {
        byService.put(serviceId, line);
    }

    void forget(Line line) {
        byOurId.values().removeIf(line::equals);
        byService.values().removeIf(line::equals);
        byPeersId.values().removeIf(line::equals);
    }

    /** Whose packet this is; {@code null}: nobody's. */
    Line lineFor(Packet packet) {
        if (!(CmMad.parse(packet.payload(), 0, (int) packet.payload().byteSize()) instanceof CmMad mad)) {
            return null;
        }
        return switch (mad.message()) {
            case CmReq req -> known(byService.get(req.serviceId()), req.localCommId());
            case CmSidrReq req -> byService.get(req.serviceId());
            case CmSidrRep rep -> byOurId.get(rep.requestId());
            case CmMra mra -> line(mra.remoteCommId(), mra.localCommId());
            case CmRej rej -> line(rej.remoteCommId(), rej.localCommId());
            case CmRep rep -> line(rep.remoteCommId(), rep.localCommId());
            case CmRtu rtu -> line(rtu.remoteCommId(), rtu.localCommId());
            case CmDreq dreq -> line(dreq.remoteCommId(), dreq.localCommId());
            case CmDrep drep -> line(drep.remoteCommId(), drep.localCommId());
            case CmLap lap -> line(lap.remoteCommId(), lap.localCommId());
            case CmApr apr -> line(apr.remoteCommId(), apr.localCommId());
        };
    }

    /** Who gives up early does not know our ID, and who is wrong may not name it. */
    private Line line(int ourId, int peersId) {
        Line line = byOurId.get(ourId);
        return line == null ? byPeersId.get(peersId) : known(line, peersId);
    }

    private Line known(Line line, int peersId) {
        if (line != null && peersId != 0) {
            byPeersId.put(peersId, line);
        }
        return line;
    }
}
