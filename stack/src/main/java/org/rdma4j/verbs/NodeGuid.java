package org.rdma4j.verbs;

import org.rdma4j.wire.Gid;

/** The 64-bit name of a device (14.2.5.3): of a software device, one that follows from its first GID. */
final class NodeGuid {

    /** An EUI-64 with this bit set was given by no registry. */
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;

    private static final long GROUP = 0x0100_0000_0000_0000L;
    private static final long LINK_LOCAL = 0xFE80_0000_0000_0000L;

    private NodeGuid() {}

    /**
     * A link-local GID holds an EUI-64 already; any other is mixed into a locally administered one, the same on every
     * run.
     */
    static long of(Gid gid) {
        if (gid.high() == LINK_LOCAL) {
            return gid.low() ^ LOCALLY_ADMINISTERED; // the interface identifier has that bit turned (RFC 4291, A)
        }
        long mixed = gid.low() ^ Long.rotateLeft(gid.high(), 32);
        mixed = (mixed ^ mixed >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
        mixed = (mixed ^ mixed >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
        mixed ^= mixed >>> 33;
        return mixed & ~GROUP | LOCALLY_ADMINISTERED;
    }
}
