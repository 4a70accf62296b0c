package org.rdma4j.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PcapngReadTest {

    private static final ByteOrder BIG = ByteOrder.BIG_ENDIAN;
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final byte[] FRAME = {1, 2, 3, 4, 5};

    @Test
    void readsBothByteOrders() {
        for (ByteOrder order : List.of(BIG, LITTLE)) {
            byte[] file = PcapBytes.concat(
                    PcapBytes.sectionHeader(order),
                    PcapBytes.interfaceDescription(order, LinkType.LINUX_SLL2, 0),
                    PcapBytes.enhancedPacket(order, 0, 0x1_0000_0001L, FRAME));
            CapturedPacket packet = only(file);
            assertArrayEquals(FRAME, packet.bytes().toArray(ValueLayout.JAVA_BYTE));
            assertEquals(LinkType.LINUX_SLL2, packet.linkType());
            assertEquals(0x1_0000_0001L * 1000, packet.timestamp(), "microseconds where nothing else is said");
        }
    }

    @Test
    void sectionsOfOneFileMayDifferInByteOrderAndHaveTheirOwnInterfaces() {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.interfaceDescription(BIG, LinkType.ETHERNET, 0),
                PcapBytes.enhancedPacket(BIG, 0, 1, FRAME),
                PcapBytes.sectionHeader(LITTLE),
                PcapBytes.interfaceDescription(LITTLE, LinkType.RAW, 0),
                PcapBytes.enhancedPacket(LITTLE, 0, 2, FRAME));
        PcapBytes.Outcome outcome = PcapBytes.read(file);
        assertNull(outcome.complaint());
        assertEquals(
                List.of(1, 101),
                outcome.packets().stream().map(CapturedPacket::linkType).toList());
        assertEquals(
                List.of(0, 1),
                outcome.packets().stream().map(CapturedPacket::interfaceIndex).toList());
    }

    @Test
    void eachInterfaceHasItsOwnUnitOfTime() {
        assertEquals(5, timestamp(5, "0009 0001 09000000"));
        assertEquals(5_000, timestamp(5, "0009 0001 06000000 0000 0000"));
        assertEquals(5_000_000_000L, timestamp(5, "0009 0001 00000000"));
        assertEquals(5, timestamp(5_999, "0009 0001 0c000000"), "picoseconds");
        assertEquals(500_000_000, timestamp(1, "0009 0001 81000000"), "halves of a second");
        assertEquals(1_250_000_000, timestamp(5L << 30, "0009 0001 a0000000"), "2^-32 seconds");
        assertEquals(999_999_999, timestamp(-1L >>> 1, "0009 0001 bf000000"), "2^-63 seconds");
        assertEquals(0, timestamp(-1, "0009 0001 7f000000"), "10^-127 seconds");
        assertEquals(0, timestamp(-1, "0009 0001 ff000000"), "2^-127 seconds");
        assertEquals(3_000_000_005L, timestamp(5, "0009 0001 09000000 000e 0008 0000000000000003"), "if_tsoffset");
    }

    private static long timestamp(long ticks, String options) {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.interfaceDescription(BIG, 1, 0, hex(options)),
                PcapBytes.enhancedPacket(BIG, 0, ticks, FRAME));
        return only(file).timestamp();
    }

    @Test
    void readsEveryCommentOfAPacketAndPassesOverOtherOptions() {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.interfaceDescription(BIG, 1, 0),
                PcapBytes.enhancedPacket(
                        BIG,
                        0,
                        1,
                        FRAME,
                        hex("0001 0003 6f6e6500  0002 0004 00000001  0001 0004 e2809373  0000 0000")));
        assertEquals(List.of("one", "–s"), only(file).comments());
    }

    @Test
    void aSimplePacketHasNoTimeAndIsCutAtTheSnapLength() {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(LITTLE),
                PcapBytes.interfaceDescription(LITTLE, 1, 5),
                PcapBytes.simplePacket(LITTLE, 900, FRAME));
        CapturedPacket packet = only(file);
        assertEquals(0, packet.timestamp());
        assertEquals(5, packet.length());
        assertEquals(900, packet.originalLength());
    }

    @Test
    void readsTheOldPacketBlock() {
        ByteBuffer body = ByteBuffer.wrap(hex("0000 ffff 00000000 00000007 00000002 00000009 abcd0000"));
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.interfaceDescription(BIG, 1, 0),
                PcapBytes.block(BIG, PcapngBlock.PACKET, body));
        assertEquals(7_000, only(file).timestamp());
        assertArrayEquals(hex("abcd"), only(file).bytes().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void passesOverBlocksThatItDoesNotKnow() {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.block(BIG, 0x0BAD, ByteBuffer.wrap(new byte[1000])),
                PcapBytes.interfaceDescription(BIG, 1, 0),
                PcapBytes.block(BIG, 5, ByteBuffer.allocate(0)),
                PcapBytes.enhancedPacket(BIG, 0, 1, FRAME));
        assertEquals(5, only(file).length());
    }

    @Test
    void aFileThatBreaksOffGivesThePacketsBeforeAndNamesTheByte() {
        byte[] header = PcapBytes.concat(PcapBytes.sectionHeader(LITTLE), PcapBytes.interfaceDescription(LITTLE, 1, 0));
        byte[] packet = PcapBytes.enhancedPacket(LITTLE, 0, 1, FRAME, hex("0100 0300 6f6e6500 00000000"));
        byte[] whole = PcapBytes.concat(header, packet, packet);
        List<Integer> wholeBlocks = List.of(28, header.length, header.length + packet.length);
        for (int length = 1; length < whole.length; length++) {
            PcapBytes.Outcome outcome = PcapBytes.read(Arrays.copyOf(whole, length));
            assertEquals(
                    length < header.length + packet.length ? 0 : 1,
                    outcome.packets().size(),
                    "length " + length);
            if (wholeBlocks.contains(length)) {
                assertNull(outcome.complaint(), "length " + length);
            } else {
                assertNotNull(outcome.complaint(), "length " + length);
                assertEquals(
                        length,
                        outcome.complaint().offset(),
                        outcome.complaint().getMessage());
            }
        }
    }

    @Test
    void namesTheBlockThatIsDamaged() {
        byte[] header = PcapBytes.concat(PcapBytes.sectionHeader(BIG), PcapBytes.interfaceDescription(BIG, 1, 0));
        byte[] good = PcapBytes.enhancedPacket(BIG, 0, 1, FRAME);
        int at = header.length + good.length;
        assertEquals(
                "a packet names interface 3 of 1",
                damage(at, PcapBytes.concat(header, good, PcapBytes.enhancedPacket(BIG, 3, 1, FRAME))));
        byte[] secondLength = good.clone();
        secondLength[good.length - 1] ^= 4;
        assertEquals(
                "a block says 40 bytes in front and 44 behind",
                damage(at, PcapBytes.concat(header, good, secondLength)));
        byte[] odd = good.clone();
        odd[7] = 41;
        assertEquals("a block says that it has 41 bytes", damage(at, PcapBytes.concat(header, good, odd)));
        byte[] tooLarge = good.clone();
        tooLarge[23] = 77;
        assertEquals(
                "a packet of 77 bytes in a block that has 8 for it",
                damage(at, PcapBytes.concat(header, good, tooLarge)));
        byte[] option = PcapBytes.enhancedPacket(BIG, 0, 1, FRAME, hex("0001 0064 00000000"));
        assertEquals(
                "an option of 100 bytes in a block that has 4 for it",
                damage(at, PcapBytes.concat(header, good, option)));
        byte[] empty = PcapBytes.block(BIG, PcapngBlock.ENHANCED_PACKET, ByteBuffer.allocate(8));
        assertEquals(
                "a block of type 6 is too short for what it holds", damage(at, PcapBytes.concat(header, good, empty)));
        byte[] magic = PcapBytes.sectionHeader(BIG);
        magic[8] = 0;
        assertEquals(
                "the byte order magic of a section is 0x4d3c2b00", damage(at, PcapBytes.concat(header, good, magic)));
        byte[] version = PcapBytes.sectionHeader(BIG);
        version[13] = 2;
        assertEquals("a section is of version 2, not 1", damage(at, PcapBytes.concat(header, good, version)));
    }

    @Test
    void goesOnBehindABlockThatMakesNoSense() {
        byte[] file = PcapBytes.concat(
                PcapBytes.sectionHeader(BIG),
                PcapBytes.interfaceDescription(BIG, 1, 0),
                PcapBytes.enhancedPacket(BIG, 3, 1, FRAME),
                PcapBytes.enhancedPacket(BIG, 0, 2, FRAME));
        try (CaptureReader reader = CaptureReader.open("t.pcap", new ByteArrayInputStream(file))) {
            CaptureException damage = assertThrows(CaptureException.class, reader::hasNext);
            assertTrue(damage.passable(), damage.getMessage());
            assertEquals(2000, reader.next().timestamp());
            assertFalse(reader.hasNext());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The complaint about the block at an offset, behind one good packet. */
    private static String damage(int offset, byte[] file) {
        PcapBytes.Outcome outcome = PcapBytes.read(file);
        assertEquals(1, outcome.packets().size());
        assertEquals(offset, outcome.complaint().offset());
        return outcome.complaint().getMessage().replace("t.pcap: at byte " + offset + ": ", "");
    }

    private static CapturedPacket only(byte[] file) {
        PcapBytes.Outcome outcome = PcapBytes.read(file);
        assertNull(outcome.complaint());
        assertEquals(1, outcome.packets().size());
        return outcome.packets().getFirst();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }
}
