package org.rdma4j.cm;

import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.GidEntry;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.Gid;

/** Paths of RoCE as REQ describes them, and address vectors made of them (annexes A16 and A17). */
final class CmPaths {

    /**
     * The life of a packet in a RoCE network, 4.096 µs · 2^16 (Linux 6.12); with the delay until an acknowledgement it
     * makes the local ACK timeout, 2^17.
     */
    static final int ACK_TIMEOUT = 17;

    /** Both sides may take 4.096 µs · 2^20, 4.3 s, to answer, and are asked again so often: as Linux has it. */
    static final int RESPONSE_TIMEOUT = 20;

    static final int MAX_CM_RETRIES = 15;

    private static final int HOP_LIMIT = 64;
    private static final int LABEL_MASK = 0xF_FFFF;

    private CmPaths() {}

    /** A new path. */
    static CmPath primary(Gid local, Gid remote, int localPort, int remotePort, int trafficClass, int ackTimeout) {
        return new CmPath(
                CmPath.PERMISSIVE_LID,
                CmPath.PERMISSIVE_LID,
                local,
                remote,
                flowLabel(localPort, remotePort),
                0,
                trafficClass,
                HOP_LIMIT,
                0,
                false,
                ackTimeout);
    }

    /** Another one besides. */
    static CmPath alternate(AlternateRoute route, int trafficClass, int ackTimeout) {
        return new CmPath(
                CmPath.PERMISSIVE_LID,
                CmPath.PERMISSIVE_LID,
                Gid.of(route.local()),
                Gid.of(route.remote()),
                route.flowLabel(),
                0,
                trafficClass,
                HOP_LIMIT,
                0,
                false,
                ackTimeout);
    }

    /** So that connections of one pair of hosts spread over the network's paths; Linux computes the same. */
    private static int flowLabel(int localPort, int remotePort) {
        return localPort * 31 + remotePort & LABEL_MASK;
    }

    /** The address vector of the side that made the path. */
    static AhAttributes active(CmPath path, DeviceContext device) {
        return vector(path, path.remoteGid(), path.localGid(), device);
    }

    /** The address vector of the side that was asked. */
    static AhAttributes passive(CmPath path, DeviceContext device) {
        return vector(path, path.localGid(), path.remoteGid(), device);
    }

    private static AhAttributes vector(CmPath path, Gid to, Gid from, DeviceContext device) {
        return new AhAttributes(
                to, path.flowLabel(), path.trafficClass(), path.hopLimit(), Math.max(0, gidIndex(device, from)));
    }

    /** Where a GID stands in the device's table, -1: nowhere. */
    static int gidIndex(DeviceContext device, Gid gid) {
        return device.queryGidTable().stream()
                .filter(entry -> entry.gid().equals(gid))
                .mapToInt(GidEntry::index)
                .findFirst()
                .orElse(-1);
    }

    /** The first of the device's GIDs of a family, {@code null}: it has none. */
    static Gid gidOfFamily(DeviceContext device, boolean ipv4) {
        return device.queryGidTable().stream()
                .map(GidEntry::gid)
                .filter(gid -> gid.isIpv4() == ipv4)
                .findFirst()
                .orElse(null);
    }

    /** A path MTU in bytes as REQ says it: 256 is 1, 4096 is 5. */
    static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes) - 7;
    }

    static int mtuBytes(int code) {
        return 128 << code;
    }
}
