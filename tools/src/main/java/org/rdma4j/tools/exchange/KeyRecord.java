package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.wire.Gid;

/**
 * What perftest tells its peer of a queue pair: hexadecimal fields with colons between them and a NUL; 108 bytes with a
 * GID, as on every Ethernet port, 59 without.
 *
 * @param lid 16 bits; 0 on Ethernet
 * @param outReads READs and atomics that the sender lets be outstanding at itself
 * @param qpn 24 bits
 * @param psn 24 bits: the first PSN that the sender of this record will send
 * @param rKey of the memory that the peer may use
 * @param address where that memory begins for the peer
 * @param gid {@code null} where there is none
 * @param srqn an XRC shared receive queue's number, else 0
 */
public record KeyRecord(int lid, int outReads, int qpn, int psn, int rKey, long address, Gid gid, int srqn) {

    /** Bytes of a record without a GID. */
    public static final int LENGTH = 59;

    /** Bytes of a record with a GID. */
    public static final int LENGTH_WITH_GID = 108;

    private static final String HEAD =
            "([0-9a-f]{4}):([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{8}):" + "([0-9a-f]{16}):";
    private static final Pattern FORM = Pattern.compile(
            HEAD + "(?:((?:[0-9a-f]{2}:){16})([0-9a-f]{8}):|([0-9a-f]{8}))\0", Pattern.CASE_INSENSITIVE);
    private static final HexFormat GID_DIGITS = HexFormat.ofDelimiter(":");

    /** @return {@code null} where the bytes are not such a record */
    public static KeyRecord parse(byte[] bytes) {
        Matcher matcher = FORM.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!matcher.matches()) {
            return null;
        }
        String gid = matcher.group(7);
        return new KeyRecord(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Integer.parseInt(matcher.group(4), 16),
                Integer.parseUnsignedInt(matcher.group(5), 16),
                Long.parseUnsignedLong(matcher.group(6), 16),
                gid == null ? null : Gid.of(GID_DIGITS.parseHex(gid.substring(0, gid.length() - 1))),
                Integer.parseUnsignedInt(matcher.group(gid == null ? 9 : 8), 16));
    }

    /** The 59 or 108 bytes. */
    public byte[] emit() {
        String text = String.format("%04x:%04x:%06x:%06x:%08x:%016x:", lid, outReads, qpn, psn, rKey, address)
                + (gid == null ? "" : GID_DIGITS.formatHex(gid.toBytes()) + ":")
                + String.format(gid == null ? "%08x" : "%08x:", srqn);
        return ByteBuffer.allocate(gid == null ? LENGTH : LENGTH_WITH_GID)
                .put(text.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }
}
