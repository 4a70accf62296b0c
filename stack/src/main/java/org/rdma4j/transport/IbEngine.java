package org.rdma4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.link.Link;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Port;
import org.rdma4j.link.Transmitter;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;

/**
 * The InfiniBand transport's engine: queue pairs by number on one link, and the checks that each packet passes before
 * its queue pair sees it.
 */
public final class IbEngine extends Engine {

    /** What a queue pair may send before it is another's turn: one full train at each path MTU, and no packet more. */
    private static final int TURN_BYTES = 60 << 10;

    /** More than this on the way to one peer buys nothing, even where its buffer is large. */
    private static final int MAX_WINDOW = 1 << 20;

    private final Link link;
    private final Transmitter transmitter;
    private final QpTable qps;
    private final Map<Gid, Flow> flows = new HashMap<>();
    private Flow[] flowList = new Flow[0];
    private final Crowd crowd = new Crowd();
    private PacketHandler handler = this::onPacket;
    private CongestionControl congestion; // null where it is off
    private final XrcSrqs xrcSrqs = new XrcSrqs();
    private final MulticastGroups groups = new MulticastGroups();
    private final GrhArea grhArea = new GrhArea();
    private int[] pKeys = {0xFFFF};
    private final MemorySegment scratch = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    /**
     * @param random where numbers and keys come from; a secure source outside of tests
     * @param listener hears of asynchronous events
     */
    public IbEngine(Link link, IntSupplier random, AsyncEventListener listener) {
        super(random, listener, TURN_BYTES);
        this.link = link;
        this.transmitter = link.transmitter();
        this.qps = new QpTable(random);
    }

    public Link link() {
        return link;
    }

    /** Switches congestion control on, before there is a queue pair. */
    public void controlCongestion(Dcqcn settings) {
        congestion = new CongestionControl(link, settings);
        handler = this::onMarkablePacket;
    }

    /** {@code null} where congestion control is off. */
    public CongestionCounters congestionCounters() {
        return congestion == null ? null : congestion.counters();
    }

    @Override
    public Port port() {
        return link;
    }

    @Override
    public Abilities abilities() {
        return Abilities.INFINIBAND;
    }

    @Override
    public Qp createQp(QpKind kind, QpParts parts, int domain) {
        if (kind == QpKind.GSI) {
            return qps.lookup(QpTable.GSI_QPN) != null ? null : add(new UdQp(this, QpTable.GSI_QPN, parts));
        }
        int qpn = qps.freshQpn();
        return add(
                switch (kind) {
                    case RC -> new RcQp(this, qpn, parts);
                    case UC -> new UcQp(this, qpn, parts);
                    case UD, GSI -> new UdQp(this, qpn, parts);
                    case XRC_INITIATOR -> new XrcInitiator(this, qpn, parts);
                    case XRC_TARGET -> new XrcTarget(this, qpn, parts, domain);
                });
    }

    private IbQp add(IbQp qp) {
        qps.add(qp);
        return qp;
    }

    void remove(IbQp qp) {
        qps.remove(qp);
    }

    /**
     * Makes a shared receive queue one that XRC messages can name.
     *
     * @param ring where its receives complete
     * @return its number
     */
    public int addXrcSrq(Srq srq, int domain, CompletionRing ring) {
        return xrcSrqs.add(srq, domain, ring);
    }

    public void removeXrcSrq(int number) {
        xrcSrqs.remove(number);
        qps.forEach(qp -> qp.sharedQueueGone(number));
    }

    /** No new queue pair gets this number until it is released. */
    public void holdQpn(int qpn) {
        qps.hold(qpn);
    }

    public void releaseQpn(int qpn) {
        qps.release(qpn);
    }

    /** The port's P_Key table: management datagrams may come in any of its partitions (10.9.5). */
    public void pKeys(int[] table) {
        pKeys = table.clone();
    }

    boolean isMemberOf(int pKey) {
        for (int own : pKeys) {
            if (pKeysMatch(pKey, own)) {
                return true;
            }
        }
        return false;
    }

    // Path migration.

    /** Loads another way to a connected queue pair's peer. */
    public void loadAlternatePath(Qp qp, AlternatePath path) {
        ((IbQp) qp).loadAlternate(path);
    }

    /** @return {@code null} where none is loaded; after a migration the path that was left */
    public AlternatePath alternatePath(Qp qp) {
        PathMigration migration = ((IbQp) qp).migration();
        return migration == null ? null : migration.alternate();
    }

    public MigrationState migrationState(Qp qp) {
        PathMigration migration = ((IbQp) qp).migration();
        return migration == null ? MigrationState.MIGRATED : migration.state();
    }

    /** From the next packet on the peer is told that this side is prepared; an alternate path is loaded. */
    public void rearm(Qp qp) {
        ((IbQp) qp).migration().rearm();
    }

    /** Goes to the alternate path; it is ARMED. */
    public void migrate(Qp qp) {
        ((IbQp) qp).migration().migrate();
        qp.rerouted();
    }

    /**
     * Attaches a queue pair to a multicast group that it is not attached to.
     *
     * @throws org.rdma4j.link.LinkException where the link cannot join the group; nothing has changed then
     */
    public void attach(Qp qp, Gid group) {
        if (groups.members(group.high(), group.low()).length == 0) {
            link.join(group);
        }
        groups.attach((IbQp) qp, group);
    }

    /** Detaches a queue pair from a multicast group that it is attached to. */
    public void detach(Qp qp, Gid group) {
        if (groups.detach((IbQp) qp, group)) {
            link.leave(group);
        }
    }

    /** Multicast groups that have members here. */
    public int groups() {
        return groups.size();
    }

    /** Queue pairs that are attached to a group. */
    public int attached(Gid group) {
        return groups.members(group.high(), group.low()).length;
    }

    @Override
    protected boolean carry(long time) {
        transmitter.flush(time);
        int received = link.poll(handler, time);
        if (congestion != null) {
            congestion.tell(transmitter, time);
        }
        wakeBlocked();
        return received > 0;
    }

    @Override
    protected long nextEvent() {
        return link.nextEvent();
    }

    // For queue pairs.

    /** {@code null} where it is off. */
    CongestionControl congestion() {
        return congestion;
    }

    Transmitter transmitter() {
        return transmitter;
    }

    XrcSrqs xrcSrqs() {
        return xrcSrqs;
    }

    GrhArea grhArea() {
        return grhArea;
    }

    /** Eight bytes for a value on its way to memory. */
    MemorySegment scratch() {
        return scratch;
    }

    Flow flow(Gid remote) {
        Flow flow = flows.get(remote);
        if (flow == null) {
            // The peer's buffer is unknown; ours is the best guess, and headers and others take their part of it.
            flow = new Flow(Math.min(MAX_WINDOW, (int) (link.receiveBuffer() * 6L / 10)), crowd);
            flows.put(remote, flow);
            flowList = flows.values().toArray(flowList);
        }
        return flow;
    }

    private void wakeBlocked() {
        if (crowd.size == 0) {
            return;
        }
        for (Flow flow : flowList) {
            long room = flow.room();
            for (IbQp qp = flow.takeBlocked(room); qp != null; qp = flow.takeBlocked(room)) {
                room -= qp.neededRoom;
                activate(qp);
            }
        }
    }

    private Rule onPacket(MemorySegment packet, long at, int length, PacketInfo info) {
        Rule decision = decide(packet, at, length, info);
        decided(decision);
        return decision;
    }

    /** The same where congestion control is on. */
    private Rule onMarkablePacket(MemorySegment packet, long at, int length, PacketInfo info) {
        Rule decision = onPacket(packet, at, length, info);
        if ((info.trafficClass & Ecn.MASK) == Ecn.CONGESTED && length >= Bth.LENGTH) {
            congestion.marked(qps.lookup(Bth.destQp(packet, at)), Bth.opcode(packet, at), decision, now());
        }
        return decision;
    }

    /** The checks that every packet passes before a queue pair sees it (9.6). */
    private Rule decide(MemorySegment packet, long at, int length, PacketInfo info) {
        if (length < Bth.LENGTH) {
            return Rule.TOO_SHORT;
        }
        if (Bth.transportVersion(packet, at) != 0) {
            return Rule.TRANSPORT_VERSION;
        }
        IbQp qp = qps.lookup(Bth.destQp(packet, at));
        if (qp == null) {
            return Bth.destQp(packet, at) == QpTable.MULTICAST_QPN
                    ? decideForGroup(packet, at, length, info)
                    : Rule.UNKNOWN_QP;
        }
        return decide(qp, packet, at, length, info);
    }

    private Rule decide(IbQp qp, MemorySegment packet, long at, int length, PacketInfo info) {
        int opcode = Bth.opcode(packet, at);
        if (opcode == Opcode.CNP) {
            return congestion == null ? Rule.CNP_IGNORED : onCnp(qp, packet, at, length, info);
        }
        if (Opcode.service(opcode) != qp.service()) {
            return Rule.OPCODE_CLASS;
        }
        if (!pKeysMatch(Bth.pKey(packet, at), qp.config.plainPKey)) {
            Rule refusal = qp.lookCloser(packet, at, info);
            if (refusal != null) {
                return refusal;
            }
        }
        return qp.onPacket(opcode, packet, at, length, info, now());
    }

    private Rule onCnp(IbQp qp, MemorySegment packet, long at, int length, PacketInfo info) {
        if (!pKeysMatch(Bth.pKey(packet, at), qp.config.pKey())) {
            return Rule.PKEY_MISMATCH;
        }
        return qp.congestion() == null || qp.isFromPeer(info)
                ? congestion.onCnp(qp, packet, at, length, now())
                : Rule.WRONG_PEER;
    }

    /** A packet to QPN 0xFFFFFF: for each queue pair that is attached to its group, but not for the one that sent it. */
    private Rule decideForGroup(MemorySegment packet, long at, int length, PacketInfo info) {
        if (!Gid.isMulticast(info.localHigh, info.localLow)) {
            return Rule.MULTICAST_ADDRESS;
        }
        if (length < Bth.LENGTH + Deth.LENGTH) {
            return Rule.TOO_SHORT;
        }
        int source = Deth.sourceQp(packet, at + Bth.LENGTH);
        Rule decision = Rule.MULTICAST_UNATTACHED;
        for (IbQp member : groups.members(info.localHigh, info.localLow)) {
            boolean own = member.qpn == source && link.gids().contains(info.remote());
            Rule here = own ? Rule.MULTICAST_OWN : decide(member, packet, at, length, info);
            if (decision != Rule.ACCEPTED) {
                decision = here;
            }
        }
        return decision;
    }

    /** Equal in the low 15 bits, not zero, and at least one of the two a full member (10.9.3). */
    public static boolean pKeysMatch(int theirs, int ours) {
        return ((theirs ^ ours) & 0x7FFF) == 0 && (theirs & 0x7FFF) != 0 && ((theirs | ours) & 0x8000) != 0;
    }
}
