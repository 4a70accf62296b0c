package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Opcode;

/**
 * RoCE v2 congestion management of a device (annex A17), where it is switched on: tells senders of marks that their packets
 * came with, and takes their like for its own queue pairs. Connected services only: a datagram says nothing of the way back.
 */
final class CongestionControl {

    /** Reserved bytes of a CNP behind its BTH. */
    private static final int CNP_PAYLOAD = 16;

    /** Decisions about packets that prove nothing: of no connection here, or not of its peer. */
    private static final Set<Rule> UNPROVEN = EnumSet.of(
            Rule.TOO_SHORT,
            Rule.TRANSPORT_VERSION,
            Rule.UNKNOWN_QP,
            Rule.OPCODE_CLASS,
            Rule.PKEY_MISMATCH,
            Rule.MIGRATION_PATH,
            Rule.WRONG_PEER,
            Rule.QP_NOT_READY);

    private final Link link;
    private final Dcqcn settings;
    private final CongestionCounters counters = new CongestionCounters();
    private QpCongestion firstOwing;
    private QpCongestion lastOwing;

    CongestionControl(Link link, Dcqcn settings) {
        this.link = link;
        this.settings = settings;
    }

    CongestionCounters counters() {
        return counters;
    }

    QpCongestion join(IbQp qp, long now) {
        return new QpCongestion(qp, settings, now);
    }

    // The notification point.

    /** A packet came marked. @param qp that it names, or {@code null} */
    void marked(IbQp qp, int opcode, Rule decision, long now) {
        counters.markSeen();
        QpCongestion state = qp == null ? null : qp.congestion();
        boolean data = opcode != Opcode.CNP && Opcode.hasPayload(opcode);
        if (state == null || !data || UNPROVEN.contains(decision) || !state.mayTell(now)) {
            return;
        }
        state.owes = true;
        state.nextOwing = null;
        if (firstOwing == null) {
            firstOwing = state;
        } else {
            lastOwing.nextOwing = state;
        }
        lastOwing = state;
    }

    /** Sends the CNPs that are owed. */
    void tell(Transmitter tx, long now) {
        if (firstOwing == null) {
            return;
        }
        for (QpCongestion state = firstOwing; state != null; state = state.nextOwing) {
            state.owes = false;
            if (state.qp().congestion() == state && state.qp().state().receives()) {
                state.tell(now);
                send(tx, state);
            }
        }
        firstOwing = null;
        lastOwing = null;
        tx.flush(now);
    }

    private void send(Transmitter tx, QpCongestion state) {
        QpConfig config = state.qp().config;
        Route route;
        try {
            route = state.cnpRoute(link);
        } catch (LinkException _) {
            return; // no way back at the moment: a CNP that is lost, as any may be
        }
        long at = tx.begin(route);
        MemorySegment headers = tx.headers();
        int path = Bth.path(false, config.pKey());
        Bth.writeOnPath(headers, at, Opcode.CNP, false, 0, path, config.destQpn, false, 0);
        Bth.setBecn(headers, at, true);
        headers.set(NetworkOrder.LONG, at + Bth.LENGTH, 0);
        headers.set(NetworkOrder.LONG, at + Bth.LENGTH + Long.BYTES, 0);
        tx.end(Bth.LENGTH + CNP_PAYLOAD, 0);
        counters.cnpSent();
    }

    // The reaction point.

    /** A CNP for a queue pair; what does not look like one changes nothing. */
    Rule onCnp(IbQp qp, MemorySegment packet, long at, int length, long now) {
        QpCongestion state = qp.congestion();
        if (state == null
                || length != Bth.LENGTH + CNP_PAYLOAD
                || !Bth.becn(packet, at)
                || packet.get(NetworkOrder.LONG, at + Bth.LENGTH) != 0
                || packet.get(NetworkOrder.LONG, at + Bth.LENGTH + Long.BYTES) != 0) {
            return Rule.CNP_IGNORED;
        }
        state.onCnp(now);
        counters.cnpHandled();
        return Rule.CNP_HANDLED;
    }
}
