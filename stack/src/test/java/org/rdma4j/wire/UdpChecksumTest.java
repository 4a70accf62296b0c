package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.vectors.HardwareVectors;

class UdpChecksumTest {

    @ParameterizedTest
    @ValueSource(strings = {"connectx-uc-send", "fpga-write"})
    void isThatOfSendersThatMakeOne(String vector) {
        HardwareVectors.Frame sent = HardwareVectors.named(vector);
        RoceFrame frame = CaptureFrames.frame(sent.bytes(), sent.linkType());
        long udp = frame.bthOffset() - UdpHeader.LENGTH;
        int checksum = UdpHeader.checksum(frame.segment(), udp);
        assertNotEquals(0, checksum);
        assertEquals(
                checksum,
                UdpHeader.expectedChecksum(frame.segment(), udp, frame.networkOffset() + Ipv4Header.SOURCE_OFFSET, 8));
    }

    /** Ones' complement arithmetic has one right answer: all words together, the checksum's too, sum up to 0xFFFF. */
    @Test
    void makesTheSumOfAllWordsOnes() {
        MemorySegment packet = MemorySegment.ofArray(HexFormat.of()
                .parseHex("20010db800000000000000000000000120010db80000000000000000000000021234567800090000ab"));
        int checksum = UdpHeader.expectedChecksum(packet, 32, 0, 32);
        long sum = checksum + UdpHeader.PROTOCOL + 9 + 0xAB00L;
        for (int at = 0; at < 40; at += 2) {
            sum += packet.get(NetworkOrder.SHORT, at) & 0xFFFF;
        }
        assertEquals(0xFFFF, (sum & 0xFFFF) + (sum >>> 16));
    }

    @Test
    void isNeverZero() {
        // Addresses whose words make the sum 0xFFFF, so that its complement is 0.
        MemorySegment packet = MemorySegment.ofArray(HexFormat.of().parseHex("0000000000000000ffde0000000800000000"));
        packet.set(NetworkOrder.SHORT, 8, (short) (0xFFFF - UdpHeader.PROTOCOL - 8 - 8));
        assertEquals(0xFFFF, UdpHeader.expectedChecksum(packet, 8, 0, 8));
    }
}
