package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import org.rdma4j.wire.Gid;

/** How perftest writes a {@link KeyRecord}. */
public enum KeyForm {
    /** Over TCP: hexadecimal digits. */
    TEXT {
        @Override
        byte[] emit(KeyRecord keys) {
            return keys.emit();
        }

        @Override
        KeyRecord parse(byte[] bytes) {
            return KeyRecord.parse(bytes);
        }
    },
    /**
     * Over a connection of rdma_cm: its struct, big-endian, 56 bytes. LID, outstanding READs, QPN, PSN, R_Key, 4 bytes of
     * nothing, address (8), GID (16), SRQ's number, GID index.
     */
    BINARY {
        @Override
        byte[] emit(KeyRecord keys) {
            return ByteBuffer.allocate(BINARY_LENGTH)
                    .putInt(keys.lid())
                    .putInt(keys.outReads())
                    .putInt(keys.qpn())
                    .putInt(keys.psn())
                    .putInt(keys.rKey())
                    .putInt(0)
                    .putLong(keys.address())
                    .putLong(keys.gid().high())
                    .putLong(keys.gid().low())
                    .putInt(keys.srqn())
                    .array();
        }

        @Override
        KeyRecord parse(byte[] bytes) {
            ByteBuffer fields = ByteBuffer.wrap(bytes);
            int lid = fields.getInt();
            int outReads = fields.getInt();
            int qpn = fields.getInt();
            int psn = fields.getInt();
            int rKey = fields.getInt();
            fields.getInt();
            long address = fields.getLong();
            Gid gid = new Gid(fields.getLong(), fields.getLong());
            boolean sane = qpn >>> 24 == 0 && psn >>> 24 == 0 && outReads >= 0;
            return sane ? new KeyRecord(lid, outReads, qpn, psn, rKey, address, gid, fields.getInt()) : null;
        }
    };

    private static final int BINARY_LENGTH = 56;

    /** What says nothing yet: while the test's own connections are made. */
    static final KeyRecord NOTHING = new KeyRecord(0, 0, 0, 0, 0, 0, Gid.ZERO, 0);

    abstract byte[] emit(KeyRecord keys);

    /** @return {@code null} where the bytes are no such record */
    abstract KeyRecord parse(byte[] bytes);
}
