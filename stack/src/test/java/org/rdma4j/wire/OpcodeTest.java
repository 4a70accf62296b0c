package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpcodeTest {

    /** The standard's table 38 and annex A19: what follows the BTH of each RC opcode; null where it is reserved. */
    private static final String[] RC_HEADERS = {
        "",
        "",
        "",
        "imm",
        "",
        "imm", // SEND
        "reth",
        "",
        "",
        "imm",
        "reth",
        "reth imm", // WRITE
        "reth",
        "aeth",
        "",
        "aeth",
        "aeth", // READ
        "aeth",
        "aeth atomicAck",
        "atomic",
        "atomic", // ACK, atomics
        null,
        "ieth",
        "ieth",
        null,
        null,
        null,
        null, // SEND with invalidate
        "feth reth",
        "reth",
        null,
        null // FLUSH, ATOMIC_WRITE
    };

    @Test
    void headersOfEveryOpcodeFollowTheStandard() {
        for (int opcode = 0; opcode < 256; opcode++) {
            assertEquals(expectedHeaders(opcode), foundHeaders(opcode), "opcode " + opcode);
        }
    }

    private static String expectedHeaders(int opcode) {
        String rc = RC_HEADERS[Opcode.operation(opcode)];
        int operation = Opcode.operation(opcode);
        boolean response = operation >= 0x0D && operation <= 0x12;
        return switch (Opcode.service(opcode)) {
            case Opcode.RC -> rc;
            case Opcode.UC -> operation <= 0x0B ? rc : null;
            case Opcode.UD -> operation == 4 || operation == 5 ? ("deth " + rc).trim() : null;
            case Opcode.XRC -> rc == null ? null : response ? rc : ("xrceth " + rc).trim();
            default -> opcode == Opcode.CNP ? "" : null;
        };
    }

    /** The headers by the offsets that the table gives, each starting where the one before ends. */
    private static String foundHeaders(int opcode) {
        if (Opcode.isReserved(opcode)) {
            assertEquals(-1, Opcode.headerLength(opcode));
            HEADERS.forEach(header -> assertEquals(-1, header.offset.applyAsInt(opcode)));
            return null;
        }
        StringBuilder found = new StringBuilder();
        int end = Bth.LENGTH;
        for (Header header : HEADERS) {
            if (header.offset.applyAsInt(opcode) >= 0) {
                assertEquals(end, header.offset.applyAsInt(opcode), header.name + " of opcode " + opcode);
                end += header.length;
                found.append(header.name).append(' ');
            }
        }
        assertEquals(end, Opcode.headerLength(opcode));
        return found.toString().trim();
    }

    private record Header(String name, int length, IntUnaryOperator offset) {}

    private static final List<Header> HEADERS = List.of(
            new Header("xrceth", 4, Opcode::xrcethOffset),
            new Header("deth", 8, Opcode::dethOffset),
            new Header("feth", 4, Opcode::fethOffset),
            new Header("reth", 16, Opcode::rethOffset),
            new Header("atomic", 28, Opcode::atomicEthOffset),
            new Header("aeth", 4, Opcode::aethOffset),
            new Header("atomicAck", 8, Opcode::atomicAckEthOffset),
            new Header("imm", 4, Opcode::immOffset),
            new Header("ieth", 4, Opcode::iethOffset));

    @Test
    void everyOpcodeIsOnePartOfAMessageAndGoesOneWay() {
        for (int opcode = 0; opcode < 256; opcode++) {
            int parts = count(
                    Opcode.isFirst(opcode), Opcode.isMiddle(opcode), Opcode.isLast(opcode), Opcode.isOnly(opcode));
            int ways = count(Opcode.isRequest(opcode), Opcode.isResponse(opcode));
            assertEquals(Opcode.isReserved(opcode) ? 0 : 1, parts, Opcode.name(opcode));
            assertEquals(Opcode.isReserved(opcode) || opcode == Opcode.CNP ? 0 : 1, ways, Opcode.name(opcode));
        }
    }

    private static int count(boolean... facts) {
        int count = 0;
        for (boolean fact : facts) {
            count += fact ? 1 : 0;
        }
        return count;
    }

    @Test
    void namesSayWhichPartItIs() {
        for (int opcode = 0; opcode < 256; opcode++) {
            String name = Opcode.name(opcode);
            assertEquals(name.contains("_FIRST"), Opcode.isFirst(opcode), name);
            assertEquals(name.contains("_MIDDLE"), Opcode.isMiddle(opcode), name);
            assertEquals(name.contains("_LAST"), Opcode.isLast(opcode), name);
            assertEquals(name.contains("_IMMEDIATE"), Opcode.hasImm(opcode), name);
            assertEquals(name.contains("_INVALIDATE"), Opcode.hasIeth(opcode), name);
            assertEquals(name.contains("RESPONSE") || name.contains("ACKNOWLEDGE"), Opcode.isResponse(opcode), name);
        }
    }

    @Test
    void namesAreTheFieldsOwn() {
        assertEquals("RC SEND_FIRST", Opcode.name(0x00));
        assertEquals("RC RDMA_WRITE_ONLY_WITH_IMMEDIATE", Opcode.name(0x0B));
        assertEquals("UC RDMA_WRITE_LAST", Opcode.name(0x28));
        assertEquals("UD SEND_ONLY", Opcode.name(0x64));
        assertEquals("XRC FETCH_ADD", Opcode.name(0xB4));
        assertEquals("CNP", Opcode.name(0x81));
        assertEquals("reserved 0x15", Opcode.name(0x15));
        assertEquals("RC READ resp middle", Opcode.shortName(0x0E));
        assertEquals("RC SEND last inv", Opcode.shortName(0x16));
    }

    @Test
    void reservedOpcodesAreReserved() {
        assertTrue(IntStream.of(0x15, 0x18, 0x1B, 0x1E, 0x1F, 0x2C, 0x40, 0x60, 0x66, 0x80, 0x82, 0xB5, 0xC0, 0xFF)
                .allMatch(Opcode::isReserved));
        assertEquals(
                25 + 12 + 2 + 25 + 1,
                IntStream.range(0, 256).filter(o -> !Opcode.isReserved(o)).count());
    }

    @Test
    void acknowledgesAndRequestsForDataCarryNone() {
        for (int opcode : new int[] {
            Opcode.RC_RDMA_READ_REQUEST,
            Opcode.RC_ACKNOWLEDGE,
            Opcode.RC_ATOMIC_ACKNOWLEDGE,
            Opcode.RC_FETCH_ADD,
            Opcode.RC_COMPARE_SWAP,
            Opcode.RC_FLUSH
        }) {
            assertFalse(Opcode.hasPayload(opcode), Opcode.name(opcode));
        }
        assertTrue(Opcode.hasPayload(Opcode.RC_ATOMIC_WRITE));
        assertTrue(Opcode.hasPayload(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE));
    }
}
