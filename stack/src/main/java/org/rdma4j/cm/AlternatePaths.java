package org.rdma4j.cm;

import java.util.concurrent.CompletableFuture;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.PathMigrationState;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmReq;

/** Loads a connection's alternate path into its queue pair, and rearms that (17.2.8). */
final class AlternatePaths {

    /** What REP says of the alternate path in REQ (12.6.8): taken, not supported, refused. */
    private static final int ACCEPTED = 0;

    private static final int UNSUPPORTED = 1;
    private static final int REFUSED = 2;

    private final EndpointOwner owner;

    AlternatePaths(EndpointOwner owner) {
        this.owner = owner;
    }

    /** Of the side that was asked: the path in the REQ. @return what the REP says of it */
    int takeOffered(CmReq req) {
        if (req.alternatePath().equals(CmPath.NONE)) {
            return ACCEPTED;
        }
        return switch (take(req, req.alternatePath())) {
            case CmApr.LOADED -> ACCEPTED;
            case CmApr.UNSUPPORTED -> UNSUPPORTED;
            default -> REFUSED;
        };
    }

    /** Of the side that was asked. @return the status that APR has for it */
    int take(CmReq req, CmPath path) {
        DeviceContext device = owner.device();
        if (owner.qp() == null) {
            return CmApr.UNSUPPORTED; // the application's own, and nothing tells it
        }
        if (path.equals(req.primaryPath())) {
            return CmApr.IS_CURRENT;
        }
        boolean fits = CmPaths.gidIndex(device, path.remoteGid()) >= 0
                && path.localGid().isIpv4() == path.remoteGid().isIpv4();
        if (!fits) {
            return CmApr.INVALID_GID;
        }
        try {
            load(CmPaths.passive(path, device), path.ackTimeout());
            return CmApr.LOADED;
        } catch (VerbsException | LinkException _) {
            return CmApr.REJECTED;
        }
    }

    /** Of the side that asked: the path that its REQ has offered and the REP accepted. */
    void loadAccepted(CmReq req, int failover) {
        if (failover == ACCEPTED && !req.alternatePath().equals(CmPath.NONE)) {
            load(
                    CmPaths.active(req.alternatePath(), owner.device()),
                    req.alternatePath().ackTimeout());
        }
    }

    /** Of the side that asked. */
    CompletableFuture<Void> offer(Connection connection, CmPath path) {
        if (owner.qp() == null) {
            throw CmException.invalid("the identifier has no queue pair that could take another path");
        }
        if (CmPaths.gidIndex(owner.device(), path.localGid()) < 0) {
            throw new CmException(
                    CmException.Errno.EADDRNOTAVAIL,
                    path.localGid() + " is no address of " + owner.device().name());
        }
        return connection
                .offer(path, owner.device().now())
                .thenRun(() -> load(CmPaths.active(path, owner.device()), path.ackTimeout()));
    }

    private void load(AhAttributes way, int ackTimeout) {
        owner.qp()
                .modify(new QpAttributes()
                        .alternatePath(way, owner.settings().pkeyIndex(), ackTimeout)
                        .migrationState(PathMigrationState.REARM));
    }
}
