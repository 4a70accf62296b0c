package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.vectors.HardwareVectors;

class ErfTest {

    private static final int ETHERNET = 2;
    private static final int INFINIBAND = 21;

    /** A record: its header, extension headers of 8 bytes each, and the rest. */
    private static byte[] record(int type, int extensions, int pad, byte[] frame) {
        byte[] record = new byte[16 + 8 * extensions + pad + frame.length];
        record[8] = (byte) (type | (extensions > 0 ? 0x80 : 0));
        for (int extension = 0; extension < extensions; extension++) {
            record[16 + 8 * extension] = (byte) (extension + 1 < extensions ? 0x80 : 0);
        }
        System.arraycopy(frame, 0, record, record.length - frame.length, frame.length);
        return record;
    }

    private static ParsedFrame parse(byte[] record) {
        return FrameParser.parse(MemorySegment.ofArray(record), 0, record.length, LinkType.ERF);
    }

    @Test
    void findsAnEthernetFrameBehindItsHeaders() {
        byte[] frame = HardwareVectors.named("fpga-write").bytes();
        for (int extensions = 0; extensions < 3; extensions++) {
            RoceFrame found = assertInstanceOf(RoceFrame.class, parse(record(ETHERNET, extensions, 2, frame)));
            assertTrue(found.icrcIsRight());
            assertEquals(16 + 8 * extensions + 2, found.start());
            assertEquals(frame.length, found.length());
        }
    }

    @Test
    void findsAnInfiniBandPacket() {
        byte[] packet = HardwareVectors.named("ib-local-write").bytes();
        RoceFrame found = assertInstanceOf(RoceFrame.class, parse(record(INFINIBAND, 0, 0, packet)));
        assertEquals(Encapsulation.INFINIBAND_LOCAL, found.encapsulation());
        assertTrue(found.icrcIsRight());
    }

    @Test
    void whatBreaksOffOrIsOfAnotherTypeIsNoRoce() {
        byte[] whole = record(ETHERNET, 2, 2, new byte[0]);
        for (int length = 0; length < whole.length; length++) {
            assertInstanceOf(OtherFrame.class, parse(Arrays.copyOf(whole, length)), "length " + length);
        }
        assertEquals(new OtherFrame("ERF type 27"), parse(record(27, 0, 0, new byte[40])));
    }
}
