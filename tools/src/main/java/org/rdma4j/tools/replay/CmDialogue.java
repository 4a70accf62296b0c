package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/** The words of connection management that a capture has of one connection: REQ, REP, RTU, DREQ, DREP, each once. */
final class CmDialogue {

    private final CapturedConnection connection;
    private final List<Turn> turns = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private int clientId;
    private int serverId;

    CmDialogue(CapturedConnection connection) {
        this.connection = connection;
    }

    /** Takes a RoCE packet, whatever it is. */
    void packet(int frame, CapturedPacket captured, RoceFrame roce) {
        boolean isMad = roce.icrcIsRight()
                && roce.packet() instanceof Packet packet
                && packet.bth().destQp() == MadHeader.GSI_QPN
                && packet.payload().byteSize() == MadHeader.MAD_LENGTH;
        if (!isMad) {
            return;
        }
        MemorySegment payload = ((Packet) roce.packet()).payload();
        boolean byClient = roce.source().equals(connection.client().gid());
        if (CmMad.parse(payload, 0, MadHeader.MAD_LENGTH) instanceof CmMad mad && isOurs(mad, byClient)) {
            byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
            turns.add(new Turn(byClient, frame, frame, captured.timestamp(), bytes));
        }
    }

    /** Whether it is of this connection, and not said again. */
    private boolean isOurs(CmMad mad, boolean byClient) {
        boolean isOurs = switch (mad.message()) {
            case CmReq req -> {
                boolean isIt = byClient && req.localQpn() == connection.client().qpn();
                clientId = isIt ? req.localCommId() : clientId;
                yield isIt;
            }
            case CmRep rep -> {
                boolean isIt = !byClient
                        && rep.remoteCommId() == clientId
                        && rep.localQpn() == connection.server().qpn();
                serverId = isIt ? rep.localCommId() : serverId;
                yield isIt;
            }
            case CmRtu rtu -> isBetween(rtu.localCommId(), rtu.remoteCommId(), byClient);
            case CmDreq dreq -> isBetween(dreq.localCommId(), dreq.remoteCommId(), byClient);
            case CmDrep drep -> isBetween(drep.localCommId(), drep.remoteCommId(), byClient);
            default -> false;
        };
        String word = mad.message().name() + byClient;
        return isOurs && !said.contains(word) && said.add(word);
    }

    private boolean isBetween(int local, int remote, boolean byClient) {
        return byClient ? local == clientId && remote == serverId : local == serverId && remote == clientId;
    }

    /** All that was said; the client is the opener. */
    List<Turn> turns() {
        return turns;
    }
}
