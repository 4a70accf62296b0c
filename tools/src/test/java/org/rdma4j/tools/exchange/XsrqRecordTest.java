package org.rdma4j.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.wire.Gid;

class XsrqRecordTest {

    private static final String TEXT = "0000:000011:000012:448f08:000003:00000000000000000000ffff0a090002\0";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void isReadAndWrittenAsTheToolDoesIt() {
        XsrqRecord record = new XsrqRecord(0, 0x11, 0x12, 0x448F08, 3, Gid.ofIpv4(0x0A090002));
        assertEquals(XsrqRecord.LENGTH, TEXT.length());
        assertEquals(record, XsrqRecord.parse(bytes(TEXT)));
        assertEquals(TEXT, new String(record.emit(), StandardCharsets.ISO_8859_1));
        assertEquals(
                "LID 0000, QPN RECV 000011 SEND 000012, PSN 448f08, SRQN 000003, GID ::ffff:10.9.0.2",
                record.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0000:000011", "0000:00001g:000012:448f08:000003:00000000000000000000ffff0a090002\0"})
    void anythingElseIsNone(String text) {
        assertNull(XsrqRecord.parse(bytes(text)));
    }
}
