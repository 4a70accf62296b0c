package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BthTest {

    @Test
    void readsEachFieldOfAConnectXSend() {
        MemorySegment bth = Hex.segment("24 60 ffff 00 0000d3 00 cf1710");
        assertEquals(
                new Bth(Opcode.UC_SEND_ONLY, false, true, 2, 0, 0xFFFF, false, false, 0, 0xD3, false, 0, 0xCF1710),
                Bth.parse(bth, 0));
    }

    @Test
    void readsTheCongestionBitsOfACnp() {
        MemorySegment bth = Hex.segment("81 00 ffff 40 000118 00 000000");
        assertEquals(
                new Bth(Opcode.CNP, false, false, 0, 0, 0xFFFF, false, true, 0, 0x118, false, 0, 0), Bth.parse(bth, 0));
    }

    @Test
    void writesWhatASenderSends() {
        byte[] bytes = new byte[Bth.LENGTH];
        Bth.write(MemorySegment.ofArray(bytes), 0, Opcode.RC_SEND_ONLY, true, 3, 0xFFFF, 0x123456, true, 0xABCDEF);
        assertEquals("04f0ffff0012345680abcdef", Hex.of(bytes));
    }

    @Test
    void wholeWriterKeepsNeighboursAndMasksNumbersThatAreTooLarge() {
        byte[] bytes = new byte[Bth.LENGTH + 2];
        bytes[0] = 0x55;
        bytes[13] = 0x55;
        Bth.write(MemorySegment.ofArray(bytes), 1, 0, false, 0, -1, -1, false, -1);
        assertEquals("550040ffff00ffffff00ffffff55", Hex.of(bytes));
    }

    @Property
    void settersChangeTheirOwnFieldOnly(
            @ForAll @IntRange(max = 255) int filling,
            @ForAll @IntRange(max = 255) int opcode,
            @ForAll @IntRange(max = 3) int padCount,
            @ForAll @IntRange(max = 15) int version,
            @ForAll @IntRange(max = 0xFFFF) int pKey,
            @ForAll @IntRange(max = 0xFFFFFF) int destQp,
            @ForAll @IntRange(max = 0xFFFFFF) int psn,
            @ForAll boolean flag) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Bth.LENGTH]).fill((byte) filling);
        Bth before = Bth.parse(bytes, 0);
        Bth.setOpcode(bytes, 0, opcode);
        Bth.setSolicited(bytes, 0, flag);
        Bth.setMigReq(bytes, 0, !flag);
        Bth.setPadCount(bytes, 0, padCount);
        Bth.setTransportVersion(bytes, 0, version);
        Bth.setPKey(bytes, 0, pKey);
        Bth.setFecn(bytes, 0, flag);
        Bth.setBecn(bytes, 0, !flag);
        Bth.setDestQp(bytes, 0, destQp);
        Bth.setAckReq(bytes, 0, flag);
        Bth.setPsn(bytes, 0, psn);
        Bth wanted = new Bth(
                opcode,
                flag,
                !flag,
                padCount,
                version,
                pKey,
                flag,
                !flag,
                before.reserved6(),
                destQp,
                flag,
                before.reserved7(),
                psn);
        assertEquals(wanted, Bth.parse(bytes, 0));
    }
}
