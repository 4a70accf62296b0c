package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;

/**
 * Automatic path migration of one connected queue pair (17.2.8). MigReq in each packet tells the peer how far this side is:
 * 0 while it is in REARM or ARMED, 1 once it is MIGRATED.
 *
 * <pre>
 *              rearm                    MigReq 0 came
 *   MIGRATED ----------> REARM -----------------------------> ARMED
 *      ^                                                        |
 *      |  MigReq 1 came on the alternate path, or retries       |
 *      +--------------- are used up, or it was asked for -------+
 * </pre>
 *
 * The path that was left becomes the alternate one, so that it can be rearmed when it works again.
 */
final class PathMigration {

    private final IbQp qp;
    private MigrationState state = MigrationState.MIGRATED;
    private AlternatePath alternate;

    PathMigration(IbQp qp) {
        this.qp = qp;
    }

    MigrationState state() {
        return state;
    }

    AlternatePath alternate() {
        return alternate;
    }

    void load(AlternatePath path) {
        alternate = path;
    }

    void rearm() {
        go(MigrationState.REARM);
    }

    private void go(MigrationState next) {
        state = next;
        // Every packet is looked at while it may say something of the path.
        qp.config.announce(next == MigrationState.MIGRATED);
    }

    /** Goes to the alternate path. */
    void migrate() {
        QpConfig config = qp.config;
        AlternatePath left = new AlternatePath(config.route, config.pKey(), config.timeout);
        config.route = alternate.route();
        config.pKey(alternate.pKey());
        config.timeout = alternate.timeout();
        alternate = left;
        go(MigrationState.MIGRATED);
        qp.engine.event(qp, AsyncEventListener.Event.PATH_MIG);
    }

    /**
     * Looks at a packet that came in REARM or ARMED.
     *
     * @return {@code null} where it goes on to the queue pair, which may be on the other path then
     */
    Rule look(MemorySegment packet, long at, PacketInfo info) {
        if (!qp.state().receives()) {
            return null; // which drops it
        }
        boolean migrated = Bth.migReq(packet, at);
        int pKey = Bth.pKey(packet, at);
        if (!migrated || state == MigrationState.REARM) {
            if (!IbEngine.pKeysMatch(pKey, qp.config.pKey())) {
                return Rule.PKEY_MISMATCH;
            }
            if (!migrated && state == MigrationState.REARM && qp.isFromPeer(info)) {
                go(MigrationState.ARMED);
            }
            return null;
        }
        boolean fits = IbEngine.pKeysMatch(pKey, alternate.pKey())
                && alternate.route().remote().high() == info.remoteHigh
                && alternate.route().remote().low() == info.remoteLow;
        if (!fits) {
            qp.engine.event(qp, AsyncEventListener.Event.PATH_MIG_ERR);
            return Rule.MIGRATION_PATH;
        }
        migrate();
        qp.rerouted();
        return null;
    }
}
