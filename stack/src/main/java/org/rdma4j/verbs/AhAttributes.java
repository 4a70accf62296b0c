package org.rdma4j.verbs;

import org.rdma4j.wire.Gid;

/**
 * An address vector ({@code struct ibv_ah_attr} with its GRH): where a packet goes.
 *
 * @param dgid the peer's GID
 * @param flowLabel 20 bits, or 0; decides the UDP source port of RoCE v2
 * @param trafficClass DSCP and ECN, 0 to 255
 * @param hopLimit 0 to 255; 0 leaves it to the link
 * @param sgidIndex the local GID's index
 */
public record AhAttributes(Gid dgid, int flowLabel, int trafficClass, int hopLimit, int sgidIndex) {

    private static final int FIRST_PORT = 0xC000;
    private static final int PORT_BITS = 0x3FFF;

    /** A path with the defaults. */
    public static AhAttributes to(Gid dgid) {
        return new AhAttributes(dgid, 0, 0, 0, 0);
    }

    /** The UDP source port, as rdma-core derives it ({@code ibv_flow_label_to_udp_sport} and the kernel's fallback). */
    int udpSourcePort(int localQpn, int remoteQpn) {
        int label = flowLabel;
        if (label == 0) {
            long product = (long) localQpn * remoteQpn;
            product ^= product >>> 20;
            product ^= product >>> 40;
            label = (int) product & 0xF_FFFF;
        }
        return FIRST_PORT | ((label & PORT_BITS) ^ (label >>> 14 & PORT_BITS));
    }
}
