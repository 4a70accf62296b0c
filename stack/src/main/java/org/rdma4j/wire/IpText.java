package org.rdma4j.wire;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.StringJoiner;

/** IP addresses as people and the field's tools write them (RFC 5952): {@code fd77::1}, not {@code fd77:0:0:0:0:0:0:1}. */
public final class IpText {

    private static final int GROUPS = 8;

    private IpText() {}

    /** The address in its shortest form; a link-local one, which means nothing without it, with its {@code %interface}. */
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        String written = address.getHostAddress();
        int scope = address.isLinkLocalAddress() ? written.indexOf('%') : -1;
        return ofIpv6(address.getAddress()) + (scope < 0 ? "" : written.substring(scope));
    }

    /** Sixteen bytes. The longest run of zero groups, the first of equals, becomes {@code ::} where it has at least two. */
    static String ofIpv6(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int index = 0; index < GROUPS; index++) {
            groups[index] = (bytes[2 * index] & 0xFF) << 8 | bytes[2 * index + 1] & 0xFF;
        }
        int start = 0;
        int length = 0;
        for (int from = 0; from < GROUPS; from++) {
            int to = from;
            while (to < GROUPS && groups[to] == 0) {
                to++;
            }
            if (to - from > length) {
                start = from;
                length = to - from;
            }
        }
        if (length < 2) {
            return join(groups, 0, GROUPS);
        }
        return join(groups, 0, start) + "::" + join(groups, start + length, GROUPS);
    }

    private static String join(int[] groups, int from, int to) {
        StringJoiner joiner = new StringJoiner(":");
        for (int index = from; index < to; index++) {
            joiner.add(Integer.toHexString(groups[index]));
        }
        return joiner.toString();
    }
}
