package org.rdma4j.cm;

import java.net.InetAddress;

/**
 * Another way for a connection.
 *
 * @param local the own address
 * @param remote the other side's
 * @param flowLabel 20 bits: where both addresses are those of the first way, the network may take another path by it
 */
public record AlternateRoute(InetAddress local, InetAddress remote, int flowLabel) {

    private static final int LABEL_MAX = 0xF_FFFF;

    public AlternateRoute {
        CmException.requireRange("a flow label", flowLabel, LABEL_MAX);
        if (local.getClass() != remote.getClass()) {
            throw new CmException(
                    CmException.Errno.EAFNOSUPPORT,
                    local.getHostAddress() + " and " + remote.getHostAddress() + " are of two families");
        }
    }
}
