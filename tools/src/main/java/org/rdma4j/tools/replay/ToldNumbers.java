package org.rdma4j.tools.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.tools.exchange.PingpongRecord;

/**
 * A queue pair's numbers, found in what perftest's or the pingpong tools say before they start.
 *
 * @param offset where they stand in what was said
 * @param length bytes that they take
 * @param isPingpong of which of the two forms they are
 * @param keys the numbers; what the pingpong tools do not tell is 0
 */
record ToldNumbers(int offset, int length, boolean isPingpong, KeyRecord keys) {

    /** All that stand in these bytes. Unused records, all zeros, are none. */
    static List<ToldNumbers> in(byte[] bytes) {
        List<ToldNumbers> found = new ArrayList<>();
        for (int offset = 0; offset < bytes.length; ) {
            ToldNumbers here = at(bytes, offset);
            if (here == null) {
                offset++;
            } else {
                offset += here.length;
                if (here.keys.qpn() != 0) {
                    found.add(here);
                }
            }
        }
        return found;
    }

    /** @return {@code null} where there are none */
    static ToldNumbers at(byte[] bytes, int offset) {
        for (int length : new int[] {KeyRecord.LENGTH_WITH_GID, KeyRecord.LENGTH}) {
            KeyRecord keys = offset + length > bytes.length
                    ? null
                    : KeyRecord.parse(Arrays.copyOfRange(bytes, offset, offset + length));
            if (keys != null) {
                return new ToldNumbers(offset, length, false, keys);
            }
        }
        if (offset + PingpongRecord.LENGTH > bytes.length) {
            return null;
        }
        PingpongRecord record = PingpongRecord.parse(Arrays.copyOfRange(bytes, offset, offset + PingpongRecord.LENGTH));
        return record == null
                ? null
                : new ToldNumbers(
                        offset,
                        PingpongRecord.LENGTH,
                        true,
                        new KeyRecord(record.lid(), 0, record.qpn(), record.psn(), 0, 0, record.gid(), 0));
    }

    /** Writes other numbers where these stood. */
    void replace(byte[] bytes, KeyRecord other) {
        byte[] written = isPingpong
                ? new PingpongRecord(other.lid(), other.qpn(), other.psn(), other.gid()).emit()
                : other.emit();
        System.arraycopy(written, 0, bytes, offset, length);
    }
}
