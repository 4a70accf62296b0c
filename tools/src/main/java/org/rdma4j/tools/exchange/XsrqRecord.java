package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.wire.Gid;

/**
 * What {@code ibv_xsrq_pingpong} tells its peer: 66 bytes, {@code LID:QPN:QPN:PSN:SRQN:GID} in lower-case hexadecimal
 * digits and a NUL.
 *
 * @param lid 16 bits; 0 on Ethernet
 * @param receiveQpn the queue pair that messages come to, 24 bits
 * @param sendQpn the one that they go from
 * @param psn 24 bits: the first PSN that the sender of this record will send
 * @param srqn the shared receive queue that messages are to name
 * @param gid all zeros where the sender uses none
 */
public record XsrqRecord(int lid, int receiveQpn, int sendQpn, int psn, int srqn, Gid gid) {

    /** Bytes, with the NUL. */
    public static final int LENGTH = 66;

    private static final String QPN = "([0-9a-f]{6}):";
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{4}):" + QPN.repeat(4) + "([0-9a-f]{32})\0", Pattern.CASE_INSENSITIVE);

    /** @return {@code null} where the bytes are not such a record */
    public static XsrqRecord parse(byte[] bytes) {
        Matcher matcher = FORM.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!matcher.matches()) {
            return null;
        }
        return new XsrqRecord(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Integer.parseInt(matcher.group(4), 16),
                Integer.parseInt(matcher.group(5), 16),
                Gid.of(HexFormat.of().parseHex(matcher.group(6))));
    }

    /** The 66 bytes. */
    public byte[] emit() {
        String text = String.format(
                "%04x:%06x:%06x:%06x:%06x:%s",
                lid, receiveQpn, sendQpn, psn, srqn, HexFormat.of().formatHex(gid.toBytes()));
        return ByteBuffer.allocate(LENGTH)
                .put(text.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }

    /** As the tool prints it. */
    @Override
    public String toString() {
        return String.format(
                "LID %04x, QPN RECV %06x SEND %06x, PSN %06x, SRQN %06x, GID %s",
                lid, receiveQpn, sendQpn, psn, srqn, gid);
    }
}
