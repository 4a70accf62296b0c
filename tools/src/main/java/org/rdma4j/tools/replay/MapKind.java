package org.rdma4j.tools.replay;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a rule of {@code --map} is about. */
enum MapKind {
    /** MAC addresses, the sender's and the addressee's. */
    MAC(48, "MAC address, such as 02:00:00:00:00:01", false),
    /** The sender's. */
    SMAC(48, "MAC address, such as 02:00:00:00:00:01", false),
    /** The addressee's. */
    DMAC(48, "MAC address, such as 02:00:00:00:00:01", false),
    /** The id of the outer VLAN tag, or that there is none. */
    VLAN(12, "VLAN: 0 to 4094, or none", false),
    /** IP addresses or, in RoCE v1, GIDs; single ones or networks. */
    IP(128, "IP address", false),
    /** UDP ports. */
    PORT(16, "UDP port: 1 to 65535", false),
    SPORT(16, "UDP port: 1 to 65535", false),
    DPORT(16, "UDP port: 1 to 65535", false),
    /** Queue pair numbers, of the host that has the queue pair. */
    QPN(24, "queue pair number: 0 to 0xffffff", true),
    /** PSNs of the requests of a host and of their answers: all of them move by the same. */
    PSN(24, "PSN: 0 to 0xffffff", true),
    /** Keys, of the host whose memory it is. */
    RKEY(32, "R_Key: 32 bits", true),
    /** Virtual addresses, of the host whose memory it is: all of them move by the same. */
    VA(64, "virtual address: 64 bits", true);

    private final int bits;
    private final String form;
    private final boolean hosted;

    MapKind(int bits, String form, boolean hosted) {
        this.bits = bits;
        this.form = form;
        this.hosted = hosted;
    }

    /** Bits of its values. */
    int bits() {
        return bits;
    }

    /** For messages: what a value is. */
    String form() {
        return form;
    }

    /** Whether a value belongs to a host, so that two hosts may have the same one. */
    boolean isHosted() {
        return hosted;
    }

    /** Whether a rule moves all values by the difference of its two. */
    boolean isShift() {
        return this == PSN || this == VA;
    }

    boolean isMac() {
        return this == MAC || this == SMAC || this == DMAC;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @return {@code null} where there is no such kind */
    static MapKind named(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElse(null);
    }

    static String names() {
        return Arrays.stream(values()).map(MapKind::text).collect(Collectors.joining(", "));
    }
}
