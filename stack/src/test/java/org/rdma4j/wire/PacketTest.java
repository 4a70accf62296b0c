package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;

class PacketTest {

    @Property(tries = 5000)
    void everyOpcodeWithAnyBitsIsEmittedAsItWasParsed(
            @ForAll @IntRange(max = 255) int opcode, @ForAll @Size(64) byte[] bytes) {
        bytes[0] = (byte) opcode;
        Packet packet = assertInstanceOf(Packet.class, parse(bytes));
        assertArrayEquals(bytes, packet.toBytes());
        assertEquals(bytes.length, packet.length());
    }

    @Test
    void givesItsHeadersByKind() {
        Packet packet = (Packet)
                parse(Hex.bytes("0a30ffff0000001f80e74373 00005598be40600000000f7e00000005" + "0000000001 000000"));
        assertEquals(List.of(new Reth(0x5598be406000L, 0xF7E, 5)), packet.extensions());
        assertEquals(Optional.of(new Reth(0x5598be406000L, 0xF7E, 5)), packet.extension(Reth.class));
        assertEquals(Optional.empty(), packet.extension(Aeth.class));
        assertEquals(28, packet.headerLength());
        assertEquals(5, packet.payload().byteSize());
        assertEquals(3, packet.pad().byteSize());
    }

    @Test
    void aPacketMadeFromPartsIsPaddedWithZeros() {
        Bth bth = new Bth(
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, false, true, 3, 0, 0xFFFF, false, false, 0, 0x11, true, 0, 0x12);
        Packet packet = Packet.of(bth, List.of(new ImmDt(0xCAFE)), Hex.segment("ab"));
        assertEquals("0570ffff0000001180000012" + "0000cafe" + "ab000000", Hex.of(packet.toBytes()));
    }

    @Test
    void breaksARuleWhereItCannotBeCut() {
        assertEquals(new Malformed(Rule.TOO_SHORT, "8 bytes are shorter than a BTH"), parse(new byte[8]));
        assertEquals(new Malformed(Rule.LENGTH_NOT_WORDS, "13 bytes are no multiple of 4"), parse(new byte[13]));
        assertEquals(
                new Malformed(
                        Rule.TOO_SHORT,
                        "12 bytes are shorter than the 16 bytes of headers and 0 of pad of RC ACKNOWLEDGE"),
                parse(Hex.bytes("1140ffff0000001100000000")));
        assertEquals(
                new Malformed(
                        Rule.TOO_SHORT,
                        "12 bytes are shorter than the 12 bytes of headers and 2 of pad of RC SEND_ONLY"),
                parse(Hex.bytes("0460ffff0000001100000000")));
    }

    @Test
    void ofAReservedOpcodeAllBehindTheBthIsPayload() {
        Packet packet = (Packet) parse(Hex.bytes("1540ffff0000001100000000 0102030405060708"));
        assertEquals(List.of(), packet.extensions());
        assertEquals(8, packet.payload().byteSize());
    }

    private static ParsedPacket parse(byte[] bytes) {
        return Packet.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }
}
