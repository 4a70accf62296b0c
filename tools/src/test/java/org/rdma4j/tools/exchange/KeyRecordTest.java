package org.rdma4j.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Gid;

class KeyRecordTest {

    /** Sent by a real ib_send_bw on RoCE. */
    private static final String REAL = "0000:0001:000019:f6fc95:00000000:00005628f45d7000:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:09:00:02:00000000:\0";

    @Test
    void realRecordIsReadAndWrittenByteForByte() {
        KeyRecord record = KeyRecord.parse(bytes(REAL));
        assertEquals(new KeyRecord(0, 1, 0x19, 0xF6FC95, 0, 0x5628F45D7000L, Gid.ofIpv4(0x0A090002), 0), record);
        assertArrayEquals(bytes(REAL), record.emit());
    }

    @Test
    void recordWithoutGidIsShorter() {
        KeyRecord record = new KeyRecord(7, 16, 0xFFFFFF, 1, 0xDEADBEEF, 0xFFFF_8000_0000_0000L, null, 3);
        assertEquals(KeyRecord.LENGTH, record.emit().length);
        assertEquals(record, KeyRecord.parse(record.emit()));
    }

    @Test
    void noChangeOfOneByteIsAnError() {
        Random random = new Random(1);
        int read = 0;
        for (int trial = 0; trial < 20_000; trial++) {
            byte[] bytes = bytes(REAL);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            KeyRecord record = KeyRecord.parse(bytes);
            if (record != null) {
                read++;
                assertEquals(KeyRecord.LENGTH_WITH_GID, record.emit().length);
            }
        }
        assertTrue(read > 0 && read < 20_000, read + " of them");
        assertNull(KeyRecord.parse(new byte[KeyRecord.LENGTH_WITH_GID]));
    }

    @Test
    void figuresComeBackFromTheirFiveSteps() {
        BandwidthFigures figures = new BandwidthFigures(65536, 5000, 12.5, 11.25, 0.00018);
        byte[][] steps = new byte[BandwidthFigures.STEPS][];
        for (int step = 0; step < steps.length; step++) {
            steps[step] = figures.emit(step);
        }
        assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 1, 0, 0}, steps[0]);
        assertEquals(figures, BandwidthFigures.parse(steps));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
