package org.rdma4j.tools.conform.check;

import java.util.List;

/**
 * One way to run a check.
 *
 * @param mtu path MTU, bytes
 * @param ipv6 IPv6 in place of IPv4
 * @param psn the first PSN of both sides' requests
 * @param mpa what iWARP has in place of MTU and PSN; {@code null} for the others
 */
public record Variant(int mtu, boolean ipv6, int psn, MpaVariant mpa) {

    /** Far from where PSNs wrap. */
    public static final int MIDDLE = 0x3C_5A10;

    /** The exchange before the story takes one PSN; the story's second packet wraps. */
    public static final int WRAP = 0xFF_FFFD;

    /** The one that a quick run takes. */
    public static final Variant USUAL = new Variant(1024, false, MIDDLE);

    /** Every MTU, both IP versions, both places on the circle of PSNs. */
    public static final List<Variant> ALL = List.of(
            USUAL,
            new Variant(256, false, WRAP),
            new Variant(512, true, WRAP),
            new Variant(2048, true, MIDDLE),
            new Variant(4096, false, WRAP));

    /** iWARP's. */
    public static final List<Variant> OF_IWARP =
            MpaVariant.ALL.stream().map(Variant::of).toList();

    public Variant(int mtu, boolean ipv6, int psn) {
        this(mtu, ipv6, psn, null);
    }

    /** One of iWARP's, over IPv4. */
    public static Variant of(MpaVariant mpa) {
        return new Variant(0, false, 0, mpa);
    }

    /** The same over IPv6, or over IPv4. */
    public Variant over(boolean otherIpv6) {
        return new Variant(mtu, otherIpv6, psn, mpa);
    }

    @Override
    public String toString() {
        if (mpa != null) {
            return mpa + (ipv6 ? ", IPv6" : "");
        }
        return "MTU " + mtu + (ipv6 ? ", IPv6" : ", IPv4") + String.format(", PSN 0x%06x", psn);
    }
}
