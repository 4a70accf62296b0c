package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Whatever bits a header has, reserved ones included: its record gives the same bytes again, and touches no others. */
class HeaderRoundTripTest {

    private static final byte GUARD = 0x5A;

    @Property
    void everyHeaderGivesItsBytesBack(@ForAll @Size(44) byte[] bytes) {
        check(Bth.LENGTH, Bth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Reth.LENGTH, Reth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Aeth.LENGTH, Aeth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(AtomicEth.LENGTH, AtomicEth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(AtomicAckEth.LENGTH, AtomicAckEth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(ImmDt.LENGTH, ImmDt::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Ieth.LENGTH, Ieth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Deth.LENGTH, Deth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Xrceth.LENGTH, Xrceth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Feth.LENGTH, Feth::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Grh.LENGTH, Grh::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Lrh.LENGTH, Lrh::parse, (header, target) -> header.emit(target, 1), bytes);
        check(EthernetHeader.LENGTH, EthernetHeader::parse, (header, target) -> header.emit(target, 1), bytes);
        check(VlanTag.LENGTH, VlanTag::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Ipv4Header.LENGTH, Ipv4Header::parse, (header, target) -> header.emit(target, 1), bytes);
        check(Ipv6Header.LENGTH, Ipv6Header::parse, (header, target) -> header.emit(target, 1), bytes);
        check(UdpHeader.LENGTH, UdpHeader::parse, (header, target) -> header.emit(target, 1), bytes);
    }

    @Property
    void flowPacketsGiveTheirFieldsBackAndShowEachFlippedBit(
            @ForAll @IntRange(max = 1) int operand,
            @ForAll @IntRange(max = 0xFFF) int sent,
            @ForAll @IntRange(max = 15) int lane,
            @ForAll @IntRange(max = 0xFFF) int limit,
            @ForAll @IntRange(max = 8 * FlowPacket.LENGTH - 1) int bit) {
        FlowPacket packet = new FlowPacket(operand, sent, lane, limit);
        MemorySegment segment = MemorySegment.ofArray(new byte[FlowPacket.LENGTH + 2]);
        packet.emit(segment, 1);
        assertEquals(packet, FlowPacket.parse(segment, 1));
        int at = 1 + bit / 8;
        segment.set(NetworkOrder.BYTE, at, (byte) (segment.get(NetworkOrder.BYTE, at) ^ 1 << bit % 8));
        assertNull(FlowPacket.parse(segment, 1));
    }

    /** These two have fields that say which protocols they are for, so not any bytes are one. */
    @Property
    void arpAndNeighborMessagesGiveTheirFieldsBack(
            @ForAll @IntRange(max = 0xFFFF) int operation,
            @ForAll long macs,
            @ForAll int address,
            @ForAll boolean solicitation,
            @ForAll long half) {
        long mac = macs >>> 16;
        ArpPacket arp = new ArpPacket(operation, mac, address, ~mac & 0xFFFF_FFFF_FFFFL, ~address);
        byte[] bytes = new byte[ArpPacket.LENGTH + 2];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        arp.emit(segment, 1);
        assertEquals(arp, ArpPacket.parse(segment, 1));
        assertTrue(ArpPacket.isIpv4OverEthernet(segment, 1));
        assertEquals(0, bytes[0] | bytes[bytes.length - 1]);

        byte[] packet = new byte[Ipv6Header.LENGTH + NeighborMessage.LENGTH + 1];
        MemorySegment ipv6 = MemorySegment.ofArray(packet);
        int type = solicitation ? NeighborMessage.SOLICITATION : NeighborMessage.ADVERTISEMENT;
        NeighborMessage message =
                new NeighborMessage(type, NeighborMessage.OVERRIDE, new Gid(0xFD77L << 48, half), mac);
        new Ipv6Header(6, 0, 0, NeighborMessage.LENGTH, 58, 255, new Gid(half, 1), NeighborMessage.ALL_NODES)
                .emit(ipv6, 0);
        message.emit(ipv6, 0, Ipv6Header.LENGTH);
        assertEquals(message, NeighborMessage.parse(ipv6, Ipv6Header.LENGTH, NeighborMessage.LENGTH));
        assertTrue(NeighborMessage.isValid(ipv6, 0, Ipv6Header.LENGTH, NeighborMessage.LENGTH));
        assertEquals(0, packet[packet.length - 1]);
        packet[Ipv6Header.LENGTH + 9] ^= 1;
        assertFalse(NeighborMessage.isValid(ipv6, 0, Ipv6Header.LENGTH, NeighborMessage.LENGTH));
    }

    /** Linux 6.18 asks whether its address is free: a nonce (RFC 7527) where others have their MAC. */
    @Test
    void readsADuplicateAddressProbeOfLinux() {
        MemorySegment packet = Hex.segment("6000000000203aff" + "00000000000000000000000000000000"
                + "ff0200000000000000000001ff000002" + "8700a0d200000000" + "fe80000000000000505400fffe000002"
                + "0e017ff3a30e5af1");
        assertEquals(
                new NeighborMessage(NeighborMessage.SOLICITATION, 0, new Gid(0xFE80L << 48, 0x505400FFFE000002L), -1),
                NeighborMessage.parse(packet, Ipv6Header.LENGTH, NeighborMessage.LENGTH));
        assertTrue(NeighborMessage.isValid(packet, 0, Ipv6Header.LENGTH, NeighborMessage.LENGTH));
        assertEquals(new Gid(0xFF02L << 48, 0x1_FF00_0002L), NeighborMessage.solicitedNode(0x505400FFFE000002L));
    }

    private static <T> void check(
            int length, BiFunction<MemorySegment, Long, T> parse, BiConsumer<T, MemorySegment> emit, byte[] random) {
        byte[] source = new byte[length + 2];
        source[0] = GUARD;
        source[length + 1] = GUARD;
        System.arraycopy(random, 0, source, 1, length);
        byte[] target = new byte[length + 2];
        target[0] = GUARD;
        target[length + 1] = GUARD;
        emit.accept(parse.apply(MemorySegment.ofArray(source), 1L), MemorySegment.ofArray(target));
        assertArrayEquals(source, target);
    }

    @Test
    void readsFieldsWhereTheStandardPutsThem() {
        assertEquals(
                new Reth(0x5598be406000L, 0xF7E, 5), Reth.parse(Hex.segment("00005598be406000 00000f7e 00000005"), 0));
        assertEquals(new Reth(0, 0, 0xFFFFFFFFL), Reth.parse(Hex.segment("0000000000000000 00000000 ffffffff"), 0));
        assertEquals(new Aeth(0x1F, 0x1A5), Aeth.parse(Hex.segment("1f 0001a5"), 0));
        assertEquals(
                new AtomicEth(0x561901bb9000L, 0xD26, 1, 2),
                AtomicEth.parse(Hex.segment("0000561901bb9000 00000d26 0000000000000001 0000000000000002"), 0));
        assertEquals(new AtomicAckEth(-2), AtomicAckEth.parse(Hex.segment("fffffffffffffffe"), 0));
        assertEquals(new Deth(0x80010000, 0x7F, 1), Deth.parse(Hex.segment("80010000 7f 000001"), 0));
        assertEquals(new Xrceth(0xAB, 0x123456), Xrceth.parse(Hex.segment("ab 123456"), 0));
        assertEquals(new Feth(1, Feth.MEMORY_REGION, Feth.PERSISTENCE), Feth.parse(Hex.segment("00000052"), 0));
        assertEquals(new Lrh(7, 0, 1, 0, 2, 0x375C, 0, 14, 0x17D2), Lrh.parse(Hex.segment("7012375c000e17d2"), 0));
        assertEquals(new Lrh(0, 15, 15, 3, 3, 1, 31, 1, 2), Lrh.parse(Hex.segment("0fff0001f8010002"), 0));
        assertEquals(
                new EthernetHeader(0x020304050607L, 0xF20304050607L, 0x8915),
                EthernetHeader.parse(Hex.segment("020304050607 f20304050607 8915"), 0));
        assertEquals(new VlanTag(0x8100, 5, true, 0x234), VlanTag.parse(Hex.segment("8100 b234"), 0));
        assertEquals(new UdpHeader(49441, 4791, 28, 0xFFFF), UdpHeader.parse(Hex.segment("c121 12b7 001c ffff"), 0));
        assertEquals(
                new Grh(6, 0xAB, 0xCDEF1, 0x20, 0x1B, 0x40, new Gid(1, 2), new Gid(3, 4)),
                Grh.parse(
                        Hex.segment("6abcdef1 0020 1b 40 0000000000000001 0000000000000002"
                                + "0000000000000003 0000000000000004"),
                        0));
        assertEquals(
                new Ipv4Header(4, 5, 0xC2, 60, 0x718C, 0x4000, 64, 17, 0x9161, 0x0A001101, 0x0A001201),
                Ipv4Header.parse(Hex.segment("45c2003c718c4000401191610a0011010a001201"), 0));
    }

    @Test
    void wholeWritersPutTheSameBytesAsTheRecords() {
        Map<String, BiConsumer<MemorySegment, MemorySegment>> pairs = Map.of(
                "reth",
                (a, b) -> {
                    Reth.write(a, 0, -3, 5, 0xFFFFFFFFL);
                    new Reth(-3, 5, 0xFFFFFFFFL).emit(b, 0);
                },
                "deth",
                (a, b) -> {
                    Deth.write(a, 0, 0x80010000, 0xFFFFFF);
                    new Deth(0x80010000, 0xFFFFFF).emit(b, 0);
                },
                "feth",
                (a, b) -> {
                    Feth.write(a, 0, Feth.MEMORY_REGION, 3);
                    new Feth(Feth.MEMORY_REGION, 3).emit(b, 0);
                },
                "lrh",
                (a, b) -> {
                    Lrh.write(a, 0, 15, 15, 3, 0xFFFF, 0x7FF, 0xFFFF);
                    new Lrh(15, 0, 15, 0, 3, 0xFFFF, 0, 0x7FF, 0xFFFF).emit(b, 0);
                },
                "grh",
                (a, b) -> {
                    Grh.write(a, 0, 0xFF, 0xFFFFF, 0xFFFF, 0xFF, 0xFF, 1, 2, 3, 4);
                    new Grh(6, 0xFF, 0xFFFFF, 0xFFFF, 0xFF, 0xFF, new Gid(1, 2), new Gid(3, 4)).emit(b, 0);
                });
        pairs.forEach((name, writeBoth) -> {
            byte[] written = new byte[Grh.LENGTH];
            byte[] emitted = new byte[Grh.LENGTH];
            writeBoth.accept(MemorySegment.ofArray(written), MemorySegment.ofArray(emitted));
            assertEquals(Hex.of(emitted), Hex.of(written), name);
        });
    }

    @Test
    void ipv4WriterMakesTheChecksumOfRealHeaders() {
        MemorySegment header = MemorySegment.ofArray(new byte[Ipv4Header.LENGTH]);
        Ipv4Header.write(header, 0, 0xC2, 60, 0x718C, Ipv4Header.DONT_FRAGMENT, 64, 17, 0x0A001101, 0x0A001201);
        assertEquals(0x9161, Ipv4Header.checksum(header, 0));
        header.set(NetworkOrder.BYTE, Ipv4Header.TIME_TO_LIVE_OFFSET, (byte) 63);
        assertEquals(0x9261, Ipv4Header.expectedChecksum(header, 0));
    }

    @Test
    void macsThatNobodyKnowsAreMadeFromGids() {
        assertEquals("02:00:0a:00:00:01", mac(Gid.ofIpv4(0x0A000001)));
        assertEquals("52:54:00:00:00:01", mac(new Gid(0xFE80_0000_0000_0000L, 0x5054_00FF_FE00_0001L)));
        assertEquals("02:00:12:34:56:78", mac(new Gid(0xFD77_0000_0000_0000L, 0x1234_5678L)));
    }

    private static String mac(Gid gid) {
        return EthernetHeader.macToString(EthernetHeader.macOf(gid.high(), gid.low()));
    }
}
