package org.rdma4j.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.wire.Gid;

class PingpongRecordTest {

    /** Sent by a real ibv_rc_pingpong. */
    private static final String REAL = "0000:000011:448f08:00000000000000000000ffff0a090002\0";

    @Test
    void realRecordIsReadAndWrittenByteForByte() {
        PingpongRecord record = PingpongRecord.parse(bytes(REAL));
        assertEquals(new PingpongRecord(0, 0x11, 0x448F08, Gid.ofIpv4(0x0A090002)), record);
        assertArrayEquals(bytes(REAL), record.emit());
        assertEquals("LID 0x0000, QPN 0x000011, PSN 0x448f08, GID ::ffff:10.9.0.2", record.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "0000:000011:448f08:00000000000000000000ffff0a09000",
                "0000:000011:448f08:00000000000000000000ffff0a0900022",
                "0000-000011:448f08:00000000000000000000ffff0a090002\0",
                "0000:00001g:448f08:00000000000000000000ffff0a090002\0"
            })
    void otherBytesAreNoRecord(String text) {
        assertNull(PingpongRecord.parse(bytes(text)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
