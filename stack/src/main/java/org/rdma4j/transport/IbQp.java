package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;

/** A queue pair of the InfiniBand transport: it speaks in packets, and shares the way to its peer with others. */
abstract class IbQp extends Qp {

    final IbEngine engine;
    int receiveSource; // what receive completions tell besides: the shared queue's number with XRC
    private Flow flow;
    private boolean established;
    private PathMigration migration; // null before an alternate path was loaded
    private QpCongestion congestion; // null where it is off, without a connection, or of a datagram service

    // The flow's own fields: membership in its list, without allocation.
    IbQp nextBlocked;
    IbQp previousBlocked;
    long neededRoom;
    boolean isBlocked;

    IbQp(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        this.engine = engine;
    }

    /** The next message is for this shared queue. */
    final void receiveFor(XrcSrqs.Entry named) {
        receiveFrom(named.srq(), named.ring());
        receiveSource = named.number();
    }

    /** The way to the peer that this QP shares with others; {@code null} before RTR. */
    final Flow flow() {
        return flow;
    }

    /** Becomes one of those that send to a peer; {@code null} for to none any more. */
    final void join(Flow peer) {
        if (flow != null) {
            flow.unblock(this);
        }
        flow = peer;
    }

    /** {@code null} where congestion control is off, or there is no connection. */
    final QpCongestion congestion() {
        return congestion;
    }

    /** A path begins: nothing is known of its congestion. */
    final void startPacing(long now) {
        congestion = engine.congestion() == null ? null : engine.congestion().join(this, now);
    }

    /** Loads another way to the peer. */
    final void loadAlternate(AlternatePath path) {
        if (migration == null) {
            migration = new PathMigration(this);
        }
        migration.load(path);
    }

    /** {@code null} where none was loaded. */
    final PathMigration migration() {
        return migration;
    }

    /** True where it is prepared for another path. */
    final boolean isArmed() {
        return migration != null && migration.state() == MigrationState.ARMED;
    }

    /** A packet whose P_Key does not let it pass at once. @return {@code null} where it passes all the same */
    final Rule lookCloser(MemorySegment packet, long at, PacketInfo info) {
        if (migration != null && migration.state() != MigrationState.MIGRATED) {
            return migration.look(packet, at, info);
        }
        boolean management = qpn == QpTable.GSI_QPN && engine.isMemberOf(Bth.pKey(packet, at));
        return management ? null : Rule.PKEY_MISMATCH;
    }

    /** True where a packet comes from the one peer that a connected queue pair has. */
    final boolean isFromPeer(PacketInfo info) {
        return config.route.remote().high() == info.remoteHigh
                && config.route.remote().low() == info.remoteLow;
    }

    /** The first request that finds the queue pair in RTR tells that the peer is there (11.6.3). */
    final void noteFirstRequest() {
        if (!established && (state() == State.RTR || config.tellFirstPacket)) {
            established = true;
            engine.event(this, AsyncEventListener.Event.COMM_EST);
        }
    }

    @Override
    protected final void onEnter(State previous, long now) {
        established &= state() != State.RESET;
        if (state() == State.RESET) {
            migration = null;
            congestion = null;
            config.announce(true);
        }
        entered(previous, now);
    }

    @Override
    protected final void removed() {
        join(null);
        engine.remove(this);
    }

    abstract void entered(State previous, long now);

    /** A shared queue that messages can name is there no more. */
    void sharedQueueGone(int number) {}

    /** The service class of opcodes that this queue pair speaks ({@code Opcode.service}). */
    abstract int service();

    /** A packet whose transport version, P_Key, length and opcode class were right. */
    abstract Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now);

    /** Some part's own deadline has changed: sets the earliest anew. */
    abstract void updateDeadline();
}
