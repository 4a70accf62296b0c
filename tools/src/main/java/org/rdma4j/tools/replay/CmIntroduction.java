package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.RejReason;

/**
 * Connection management by hand, its datagrams on queue pair 1 (IBTA volume 1, 12). Each end says with which PSN the other one
 * starts, so that here the acted side's PSNs are the peer's to choose, and the peer's are as in the capture.
 */
final class CmIntroduction implements Introduction {

    private final Part part;
    private final Line gsi;
    private final Gid ownGid;
    private final Map<Long, Long> transactions = new HashMap<>(); // of the peer's: the capture's, and now
    private Gid peer;
    private int peerCommId;
    private Met met;
    private int psn;

    /** @param peer {@code null} where it is to come */
    CmIntroduction(Wire wire, Part part, Gid peer) {
        this.part = part;
        this.ownGid = wire.gid();
        this.gsi = wire.open(MadHeader.GSI_QPN);
        if (peer != null) {
            found(peer);
        }
    }

    private void found(Gid gid) {
        peer = gid;
        gsi.connect(gid, MadHeader.GSI_QPN);
    }

    static CmMad mad(Turn turn) {
        return (CmMad) CmMad.parse(MemorySegment.ofArray(turn.bytes()), 0, MadHeader.MAD_LENGTH);
    }

    @Override
    public void say(Turn turn) {
        CmMad mad = mad(turn);
        long transaction = transactions.getOrDefault(mad.transactionId(), mad.transactionId());
        CmMad now = new CmMad(transaction, mad.attributeModifier(), message(mad.message()));
        gsi.send(new Crafted(Opcode.UD_SEND_ONLY, psn++, new Deth(MadHeader.GSI_Q_KEY, MadHeader.GSI_QPN))
                .payload(now.toBytes()));
    }

    private CmMessage message(CmMessage message) {
        return switch (message) {
            case CmReq req -> {
                NumberRule qpn = new NumberRule(
                        MapKind.QPN, false, req.localQpn(), part.line().qpn(), null, null);
                Mapping ends = new Mapping(
                        List.of(qpn),
                        List.of(
                                new AddressRule(part.own().gid(), ownGid, 2 * Long.SIZE),
                                new AddressRule(part.peer().gid(), peer, 2 * Long.SIZE)));
                yield new CarriedNumbers(ends, List.of())
                        .request(req, part.own().gid(), part.peer().gid());
            }
            case CmRep rep -> rep.withEnds(peerCommId, part.line().qpn(), rep.startingPsn());
            case CmRtu rtu -> new CmRtu(rtu.localCommId(), peerCommId, rtu.privateData());
            case CmDreq dreq -> new CmDreq(dreq.localCommId(), peerCommId, met.qpn(), dreq.privateData());
            case CmDrep drep -> new CmDrep(drep.localCommId(), peerCommId, drep.privateData());
            default -> throw new IllegalStateException(message.name() + " is no word of a connection");
        };
    }

    @Override
    public void hear(Turn turn, Duration limit, Meeting meeting) {
        CmMad then = mad(turn);
        String name = then.message().name();
        Heard heard = Pace.REAL.await(() -> next(name), limit.toNanos());
        if (heard == null) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    (peer == null ? "nobody sent" : "the peer " + IpText.of(peer.toAddress()) + " did not send")
                            + " a CM " + name + " within " + limit.toSeconds() + " s, as in frame " + turn.last());
        }
        transactions.put(then.transactionId(), heard.mad.transactionId());
        int peerPsn = part.peer().psn(); // it was told, or will be, what the capture has
        if (heard.mad.message() instanceof CmRep rep) {
            peerCommId = rep.localCommId();
            met = new Met(heard.from, rep.localQpn(), peerPsn, rep.startingPsn(), 0, 0);
            meeting.met(part, met);
        } else if (heard.mad.message() instanceof CmReq req) {
            found(heard.from);
            peerCommId = req.localCommId();
            met = new Met(heard.from, req.localQpn(), peerPsn, req.startingPsn(), 0, 0);
            meeting.met(part, met);
        }
    }

    private record Heard(CmMad mad, Gid from) {}

    /** The next datagram of that name. What was said again is passed over. */
    private Heard next(String name) {
        for (Seen seen = gsi.poll(); seen != null; seen = gsi.poll()) {
            if (CmMad.parse(seen.packet().payload(), 0, (int)
                            seen.packet().payload().byteSize())
                    instanceof CmMad mad) {
                if (mad.message() instanceof CmRej rej) {
                    throw new ToolException(
                            ExitStatus.FAILED,
                            "the peer " + IpText.of(seen.from().toAddress()) + " refused the connection: "
                                    + RejReason.words(rej.reason()));
                }
                if (mad.message().name().equals(name)) {
                    return new Heard(mad, seen.from());
                }
            }
        }
        return null;
    }

    @Override
    public void close() {
        gsi.close();
    }
}
