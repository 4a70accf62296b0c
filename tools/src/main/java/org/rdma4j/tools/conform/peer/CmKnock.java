package org.rdma4j.tools.conform.peer;

import java.util.concurrent.ThreadLocalRandom;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.CraftedReq;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** Finds out whether a program listens yet: asks it as a client would, and ends the connection when there is one. */
final class CmKnock {

    private static final long ANSWER_NANOS = 1_000_000_000L;
    private static final long BETWEEN_NANOS = 100_000_000L;
    private static final int MTU = 1024;
    private static final int EVERYBODY = 0xFFFF;

    private final Line line;
    private final Gid peer;
    private final int port;
    private int datagrams;

    private CmKnock(Line line, Gid peer, int port) {
        this.line = line;
        this.peer = peer;
        this.port = port;
        line.connect(peer, 0);
    }

    /** @return false where nobody opens within so many nanoseconds, or the program has ended */
    static boolean at(Line line, Gid peer, int port, boolean datagrams, Program program, long patience) {
        CmKnock knock = new CmKnock(line, peer, port);
        long end = System.nanoTime() + patience;
        while (System.nanoTime() < end && program.isAlive()) {
            if (datagrams ? knock.resolves() : knock.connects()) {
                return true;
            }
            Pace.REAL.pass(BETWEEN_NANOS);
        }
        return false;
    }

    private boolean connects() {
        int id = freshId();
        long transaction = id;
        CraftedReq req = new CraftedReq(id, line.qpn() + datagrams % Wire.OWN_QPNS, 0, MTU, port, line.gid(), peer);
        if (!(ask(transaction, req.toReq()) instanceof CmRep rep)) {
            return false;
        }
        say(transaction, new CmRtu(id, rep.localCommId(), PrivateData.EMPTY));
        CmDreq dreq = new CmDreq(id, rep.localCommId(), rep.localQpn(), PrivateData.EMPTY);
        ask(transaction + 1, dreq);
        return true;
    }

    private boolean resolves() {
        int id = freshId();
        PrivateData header =
                IpCmHeader.of(line.gid().toAddress(), 1, peer.toAddress()).before(PrivateData.EMPTY);
        CmSidrReq req = new CmSidrReq(id, EVERYBODY, PortSpace.UDP.serviceId(port), header);
        return ask(id, req) instanceof CmSidrRep rep && rep.status() == SidrStatus.VALID.number();
    }

    private int freshId() {
        int id = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        line.answersTo(id);
        return id;
    }

    private void say(long transaction, CmMessage message) {
        line.send(Crafted.mad(datagrams++, new CmMad(transaction, 0, message).toBytes()));
    }

    /** @return the answer, {@code null} where there is none in time */
    private CmMessage ask(long transaction, CmMessage question) {
        say(transaction, question);
        return Pace.REAL.await(() -> answer(transaction), ANSWER_NANOS);
    }

    private CmMessage answer(long transaction) {
        for (Seen seen = line.poll(); seen != null; seen = line.poll()) {
            var payload = seen.packet().payload();
            if (CmMad.parse(payload, 0, (int) payload.byteSize()) instanceof CmMad mad
                    && mad.transactionId() == transaction) {
                return mad.message();
            }
        }
        return null;
    }
}
