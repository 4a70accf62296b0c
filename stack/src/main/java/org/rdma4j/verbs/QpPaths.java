package org.rdma4j.verbs;

import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.transport.AlternatePath;
import org.rdma4j.transport.IbEngine;
import org.rdma4j.transport.MigrationState;
import org.rdma4j.transport.Qp;
import org.rdma4j.wire.Ecn;

/**
 * The paths of one queue pair, the one it is on and the alternate one, as its application named them. Under the device's
 * control lock.
 */
final class QpPaths {

    private static final PathMigrationState[] STATES = PathMigrationState.values();

    /** One of them. */
    private record Path(AhAttributes av, Route route, int pkeyIndex) {}

    private final DeviceContext device;
    private final Qp qp;
    private int pkeyIndex; // of the path that the queue pair is on
    private Path current; // null before there is an address vector
    private Path alternate; // null before one is loaded

    QpPaths(DeviceContext device, Qp qp) {
        this.device = device;
        this.qp = qp;
    }

    void forget() {
        current = null;
        alternate = null;
    }

    /** @throws org.rdma4j.link.LinkException where the peer cannot be reached */
    Route route(AhAttributes av, int peer) {
        IbEngine engine = device.infiniband("paths");
        // Who reacts to marks says so; otherwise switches drop what they would mark.
        boolean capable = engine.congestionCounters() != null && !Ecn.isCapable(av.trafficClass());
        int trafficClass = capable ? av.trafficClass() | Ecn.CAPABLE : av.trafficClass();
        return engine.link()
                .route(new RouteAttributes(av.dgid(), av.udpSourcePort(qp.qpn(), peer), trafficClass, av.hopLimit()));
    }

    void pkeyIndex(int index) {
        follow();
        pkeyIndex = index;
        qp.config().pKey(device.queryPkey(index));
    }

    void take(AhAttributes av, Route route) {
        follow();
        current = new Path(av, route, pkeyIndex);
        qp.config().route = route;
    }

    void load(QpAttributes wanted, Route route) {
        follow();
        alternate = new Path(wanted.alternateAv(), route, wanted.alternatePkeyIndex());
        loadAlternate(wanted.alternateTimeout());
    }

    private void loadAlternate(int timeout) {
        AlternatePath path = new AlternatePath(alternate.route, device.queryPkey(alternate.pkeyIndex), timeout);
        device.infiniband("alternate paths").loadAlternatePath(qp, path);
    }

    /** @return {@code null} where the migration state can be asked for, else why not */
    String refusal(QpAttributes wanted) {
        if (!wanted.has(QpAttribute.PATH_MIG_STATE)) {
            return null;
        }
        return switch (wanted.migrationState()) {
            case ARMED -> "PATH_MIG_STATE is asked to be REARM: ARMED follows from the peer's packets";
            case REARM ->
                alternate == null && !wanted.has(QpAttribute.ALT_PATH) ? "REARM needs an alternate path" : null;
            case MIGRATED ->
                state() == PathMigrationState.REARM ? "the peer is not prepared for its alternate path yet" : null;
        };
    }

    void migrate(PathMigrationState wanted) {
        IbEngine engine = device.infiniband("path migration");
        switch (wanted) {
            case REARM -> engine.rearm(qp);
            case MIGRATED -> {
                if (state() == PathMigrationState.ARMED) {
                    engine.migrate(qp);
                }
            }
            case ARMED -> throw new AssertionError("was refused");
        }
    }

    private PathMigrationState state() {
        if (alternate == null) {
            return PathMigrationState.MIGRATED;
        }
        MigrationState state = device.infiniband("path migration").migrationState(qp);
        return STATES[state.ordinal()];
    }

    /** The table's entry was changed. */
    void pkeyChanged(int index) {
        follow();
        if (pkeyIndex == index) {
            qp.config().pKey(device.queryPkey(index));
        }
        if (alternate != null && alternate.pkeyIndex == index) {
            loadAlternate(device.infiniband("alternate paths").alternatePath(qp).timeout());
        }
    }

    /** The transport may have migrated since. */
    private void follow() {
        if (alternate != null && qp.config().route == alternate.route && alternate.route != current.route) {
            Path left = new Path(current.av, current.route, pkeyIndex);
            current = alternate;
            alternate = left;
            pkeyIndex = current.pkeyIndex;
        }
    }

    /** Tells the paths as they are now. */
    QpAttributes addTo(QpAttributes attributes) {
        follow();
        attributes.pkeyIndex(pkeyIndex).migrationState(state());
        if (current != null) {
            attributes.av(current.av);
        }
        if (alternate != null) {
            int timeout = device.infiniband("alternate paths").alternatePath(qp).timeout();
            attributes.alternatePath(alternate.av, alternate.pkeyIndex, timeout);
        }
        return attributes;
    }
}
