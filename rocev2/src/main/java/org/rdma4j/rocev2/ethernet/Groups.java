package org.rdma4j.rocev2.ethernet;

import org.rdma4j.wire.Gid;
import org.rdma4j.wire.NeighborMessage;

/**
 * The multicast groups that a port takes packets of. Joined and left by any thread, looked up by the driving one: few
 * enough that a row does.
 */
final class Groups {

    private static final long IPV4_GROUP_MAC = 0x0100_5E00_0000L;

    /** Two halves a group. */
    private volatile long[] joined = {};

    /** The Ethernet address of a group: RFC 1112, 6.4 for IPv4; RFC 2464, 7 for IPv6 and for RoCE v1's MGIDs. */
    static long mac(long high, long low) {
        return high == 0 ? IPV4_GROUP_MAC | low & 0x7F_FFFF : NeighborMessage.groupMac(low);
    }

    boolean contains(long high, long low) {
        long[] all = joined;
        for (int at = 0; at < all.length; at += 2) {
            if (all[at + 1] == low && all[at] == high) {
                return true;
            }
        }
        return false;
    }

    /** @return false where it is joined already */
    synchronized boolean add(Gid group) {
        if (contains(group.high(), group.low())) {
            return false;
        }
        long[] more = new long[joined.length + 2];
        System.arraycopy(joined, 0, more, 2, joined.length);
        more[0] = group.high();
        more[1] = group.low();
        joined = more;
        return true;
    }

    /** @return false where it is not joined */
    synchronized boolean remove(Gid group) {
        if (!contains(group.high(), group.low())) {
            return false;
        }
        long[] fewer = new long[joined.length - 2];
        int to = 0;
        for (int at = 0; at < joined.length; at += 2) {
            if (joined[at] != group.high() || joined[at + 1] != group.low()) {
                fewer[to++] = joined[at];
                fewer[to++] = joined[at + 1];
            }
        }
        joined = fewer;
        return true;
    }
}
