package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.PrivateData;

/** Messages of connection management, field by field: all that no capture of ours has, LAP and APR among them. */
class ManagementHeadersTest {

    private static final CmPath PATH =
            new CmPath(0xFFFF, 0xFFFF, Gid.ofIpv4(0x0A090002), Gid.ofIpv4(0x0A090001), 0x12345, 0, 8, 64, 0, true, 17);

    private static List<Header> headers(byte[] mad) {
        int head = Bth.LENGTH + Deth.LENGTH;
        byte[] bytes = new byte[head + mad.length];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Bth.write(segment, 0, Opcode.UD_SEND_ONLY, false, 0, 0xFFFF, MadHeader.GSI_QPN, false, 7);
        Deth.write(segment, Bth.LENGTH, MadHeader.GSI_Q_KEY, MadHeader.GSI_QPN);
        System.arraycopy(mad, 0, bytes, head, mad.length);
        return ManagementHeaders.of((Packet) Packet.parse(segment, 0, bytes.length));
    }

    private static List<String> lines(CmMessage message) {
        return headers(new CmMad(0x1122_3344_5566_7788L, 0, message).toBytes()).stream()
                .map(Header::toString)
                .toList();
    }

    static Stream<Object[]> messages() {
        PrivateData data = PrivateData.of(new byte[] {1, 2});
        return Stream.of(
                new Object[] {new CmRtu(0xA, 0xB, data), "RTU", "LocalCommID 0x0000000a  RemoteCommID 0x0000000b"},
                new Object[] {new CmDrep(0xA, 0xB, data), "DREP", "RemoteCommID 0x0000000b"},
                new Object[] {new CmDreq(0xA, 0xB, 0x77, data), "DREQ", "RemoteQPN 0x000077"},
                new Object[] {
                    new CmMra(0xA, 0xB, CmAnswered.REP, 22, data), "MRA", "MessageMRAed REP  ServiceTimeout 22"
                },
                new Object[] {
                    new CmLap(0xA, 0xB, 0x77, 20, PATH, data), "LAP", "RemoteQPN 0x000077  RemoteResponseTimeout 20"
                },
                new Object[] {
                    new CmApr(0xA, 0xB, 0, CmApr.IS_CURRENT, PrivateData.EMPTY, data),
                    "APR",
                    "APStatus 5 (it is the path in use)"
                },
                new Object[] {
                    new CmApr(0xA, 0xB, 0, 99, PrivateData.EMPTY, data),
                    "APR",
                    "APStatus 99 (not one that the standard names)"
                });
    }

    @ParameterizedTest
    @MethodSource("messages")
    void eachMessageHasItsFields(CmMessage message, String name, String fields) {
        List<String> lines = lines(message);
        assertTrue(lines.getFirst().startsWith("MAD "), lines::toString);
        assertTrue(lines.getFirst().contains("TransactionID 0x1122334455667788"), lines::toString);
        assertTrue(lines.get(1).startsWith(name + " "), lines::toString);
        assertTrue(lines.get(1).contains(fields), lines::toString);
        assertTrue(lines.get(1).contains("PrivateData "), lines::toString);
    }

    @Test
    void pathOfALapStandsBelowIt() {
        List<String> lines = lines(new CmLap(0xA, 0xB, 0x77, 20, PATH, PrivateData.EMPTY));
        assertEquals(3, lines.size(), lines::toString);
        assertTrue(
                lines.get(2)
                        .contains("LocalGID ::ffff:10.9.0.2  RemoteGID ::ffff:10.9.0.1  FlowLabel 0x12345  Rate 0"
                                + "  TrafficClass 8  HopLimit 64  SL 0  SubnetLocal 1  AckTimeout 17"),
                lines::toString);
    }

    @Test
    void otherClassesAndVersionsAreShownAsFarAsTheyGo() {
        byte[] other = new CmMad(1, 0, new CmRtu(1, 2, PrivateData.EMPTY)).toBytes();
        other[1] = 4; // performance management
        List<Header> headers = headers(other);
        assertEquals(1, headers.size());
        assertTrue(headers.getFirst().toString().contains("MgmtClass 0x04"), headers::toString);
        other[0] = 2;
        assertTrue(headers(other).getFirst().toString().contains("malformed base version 2"), headers::toString);
    }

    @Test
    void packetToAnotherQueuePairIsNoneOfIt() {
        byte[] bytes = new byte[Bth.LENGTH + Deth.LENGTH + MadHeader.MAD_LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Bth.write(segment, 0, Opcode.UD_SEND_ONLY, false, 0, 0xFFFF, 5, false, 7);
        assertEquals(List.of(), ManagementHeaders.of((Packet) Packet.parse(segment, 0, bytes.length)));
    }
}
