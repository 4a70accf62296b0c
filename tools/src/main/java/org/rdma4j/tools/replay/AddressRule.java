package org.rdma4j.tools.replay;

import org.rdma4j.wire.Gid;

/**
 * An address, or all of a network, in place of another; what stands behind the network's bits stays.
 *
 * @param bits of the 128 that are the network's
 */
record AddressRule(Gid old, Gid replacement, int bits) {

    /** How many bits of an IPv4 address' GID stand in front of the address. */
    static final int IPV4_BITS = 96;

    private static long highMask(int bits) {
        return bits >= Long.SIZE ? -1L : bits == 0 ? 0 : -1L << Long.SIZE - bits;
    }

    private static long lowMask(int bits) {
        return highMask(Math.max(0, bits - Long.SIZE));
    }

    boolean covers(Gid gid) {
        return ((gid.high() ^ old.high()) & highMask(bits)) == 0 && ((gid.low() ^ old.low()) & lowMask(bits)) == 0;
    }

    Gid apply(Gid gid) {
        long high = highMask(bits);
        long low = lowMask(bits);
        return new Gid(replacement.high() & high | gid.high() & ~high, replacement.low() & low | gid.low() & ~low);
    }
}
