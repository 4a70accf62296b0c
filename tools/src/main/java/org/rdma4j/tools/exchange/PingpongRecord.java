package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.wire.Gid;

/**
 * What rdma-core's {@code ibv_*_pingpong} tell each other: 52 bytes, {@code LID:QPN:PSN:GID} in lower-case hexadecimal
 * digits and a NUL.
 *
 * @param lid 16 bits; 0 on Ethernet
 * @param qpn 24 bits
 * @param psn 24 bits: the first PSN that the sender of this record will send
 * @param gid all zeros where the sender uses none
 */
public record PingpongRecord(int lid, int qpn, int psn, Gid gid) {

    /** Bytes, with the NUL. */
    public static final int LENGTH = 52;

    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{32})\0", Pattern.CASE_INSENSITIVE);

    /** @return {@code null} where the bytes are not such a record */
    public static PingpongRecord parse(byte[] bytes) {
        Matcher matcher = FORM.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!matcher.matches()) {
            return null;
        }
        return new PingpongRecord(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Gid.of(HexFormat.of().parseHex(matcher.group(4))));
    }

    /** The 52 bytes. */
    public byte[] emit() {
        String text =
                String.format("%04x:%06x:%06x:%s", lid, qpn, psn, HexFormat.of().formatHex(gid.toBytes()));
        return ByteBuffer.allocate(LENGTH)
                .put(text.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }

    /** As the pingpong tools print it. */
    @Override
    public String toString() {
        return String.format("LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, qpn, psn, gid);
    }
}
