package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PfcFrameTest {

    /** Stops class 3 for as long as can be: 802.1Qbb's fields one by one. */
    private static final String STOP =
            "0180c20000010200000000018808" + "0101" + "0008" + "000000000000ffff0000000000000000" + "00".repeat(26);

    @Test
    void emitsAndParses() {
        PfcFrame frame = new PfcFrame(0x0200_0000_0001L, 1 << 3, List.of(0, 0, 0, 0xFFFF, 0, 0, 0, 0));
        byte[] bytes = new byte[PfcFrame.LENGTH];
        frame.emit(MemorySegment.ofArray(bytes), 0);
        assertEquals(STOP, HexFormat.of().formatHex(bytes));
        assertEquals(frame, PfcFrame.parse(MemorySegment.ofArray(bytes), 0));
        assertTrue(PfcFrame.isOne(MemorySegment.ofArray(bytes), 0));
        bytes[15] = 2;
        assertFalse(PfcFrame.isOne(MemorySegment.ofArray(bytes), 0));
    }
}
