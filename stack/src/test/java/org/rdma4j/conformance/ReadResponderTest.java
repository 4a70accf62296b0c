package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.nak;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseLast;
import static org.rdma4j.conformance.Packets.readResponseMiddle;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpState;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Syndrome;

/** Group RDA, the responder of READs (9.7.5.1.4). */
class ReadResponderTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
        memory.put(0, HandPlayedLink.bytes(1, SIZE));
    }

    private WirePacket readOf(int psn, long offset, int length) {
        return read(psn).at(region, offset, length).ackReq();
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, 255, 256, 257, 3 * 256, SIZE})
    @DisplayName("RDA-01: a READ is answered by ONLY, or by FIRST, MIDDLEs and LAST; only MIDDLE has no AETH")
    void responseOpcodes(int length) {
        peer.sends(readOf(n, 0, length));
        List<Packet> packets = peer.getsAll();
        int count = Math.max(1, (length + 255) / 256);
        assertEquals(count, packets.size());
        for (int i = 0; i < count; i++) {
            int opcode = packets.get(i).bth().opcode();
            int expected = count == 1
                    ? Opcode.RC_RDMA_READ_RESPONSE_ONLY
                    : i == 0
                            ? Opcode.RC_RDMA_READ_RESPONSE_FIRST
                            : i == count - 1 ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
            assertEquals(Opcode.name(expected), Opcode.name(opcode));
            boolean middle = expected == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
            assertEquals(!middle, packets.get(i).extension(Aeth.class).isPresent());
            assertEquals(plus(n, i), packets.get(i).bth().psn());
        }
        isAlive(plus(n, count));
    }

    @Test
    @DisplayName("RDA-02: FIRST and MIDDLE carry exactly the path MTU; only the last packet is padded, with zeros")
    void responseSizes() {
        peer.sends(readOf(n, 3, 2 * 256 + 5));
        byte[] last = new byte[8];
        System.arraycopy(memory.get(3 + 512, 5), 0, last, 0, 5);
        peer.expects(
                readResponseFirst(n).pad(0).payload(memory.get(3, 256)),
                readResponseMiddle(plus(n, 1)).pad(0).payload(memory.get(3 + 256, 256)),
                readResponseLast(plus(n, 2)).pad(3).withPad(last));
    }

    @Test
    @DisplayName("RDA-03: a READ of no bytes is answered whatever its R_Key and address say")
    void zeroLengthRead() {
        peer.sends(read(n).reth(0xDEAD_0000L, 0x12345678, 0));
        peer.expects(readResponseOnly(n).msn(1).payload(0));
        isAlive(plus(n, 1));
    }

    @Test
    @DisplayName("RDA-04: a READ that comes again is answered again in full, with the same PSNs")
    void duplicateRead() {
        WirePacket request = readOf(n, 0, 600);
        peer.sends(request);
        peer.expects(readResponseFirst(n), readResponseMiddle(plus(n, 1)), readResponseLast(plus(n, 2)));
        peer.sends(writeOnly(plus(n, 3)).at(region, 4096, 8).payload(8), request);
        peer.expects(
                readResponseFirst(n).msn(2).payload(memory.get(0, 256)),
                readResponseMiddle(plus(n, 1)).payload(memory.get(256, 256)),
                readResponseLast(plus(n, 2)).payload(memory.get(512, 88)));
        peer.expectsNothing();
        device.counted(Rule.DUPLICATE_ANSWERED, 1);
        isAlive(plus(n, 4));
    }

    @Test
    @DisplayName("RDA-05: the tail of a READ is answered from the PSN it names on, starting with FIRST or ONLY")
    void tailOfARead() {
        peer.sends(readOf(n, 0, 1000));
        peer.getsAll();
        peer.sends(readOf(plus(n, 1), 256, 744));
        peer.expects(
                readResponseFirst(plus(n, 1)).payload(memory.get(256, 256)),
                readResponseMiddle(plus(n, 2)).payload(memory.get(512, 256)),
                readResponseLast(plus(n, 3)).payload(memory.get(768, 232)));
        peer.sends(readOf(plus(n, 3), 768, 232));
        peer.expects(readResponseOnly(plus(n, 3)).payload(memory.get(768, 232)));
        peer.expectsNothing();
        isAlive(plus(n, 4));
    }

    @Test
    @DisplayName("RDA-05: a READ that comes again while its response is going out starts over; what follows comes once")
    void rewindsAResponseThatIsUnderWay() {
        WirePacket large = readOf(n, 0, SIZE); // more than one turn sends
        WirePacket small = readOf(plus(n, SIZE / 256), 8, 8);
        peer.hands(large, small);
        device.context.progress(); // takes both
        device.context.progress(); // sends a part of the first
        int sent = peer.waiting();
        peer.hands(readOf(plus(n, 10), 2560, SIZE - 2560), small);
        settle();
        List<Packet> packets = peer.getsAll();
        int again = indexOfPsn(packets, sent, plus(n, 10));
        assertEquals(
                Opcode.RC_RDMA_READ_RESPONSE_FIRST, packets.get(again).bth().opcode());
        assertEquals(SIZE / 256 - 10 + 1, packets.size() - again, "packets from the start-over on");
        for (int i = again; i < packets.size(); i++) {
            assertEquals(plus(n, 10 + i - again), packets.get(i).bth().psn());
        }
        isAlive(plus(n, SIZE / 256 + 1));
    }

    private static int indexOfPsn(List<Packet> packets, int from, int psn) {
        for (int i = from; i < packets.size(); i++) {
            if (packets.get(i).bth().psn() == psn
                    && packets.get(i).bth().opcode() == Opcode.RC_RDMA_READ_RESPONSE_FIRST) {
                return i;
            }
        }
        throw new AssertionError("no response starts over at " + psn);
    }

    @Test
    @DisplayName("RDA-05: an earlier READ that comes again goes before the responses that are still owed")
    void answersInPsnOrder() {
        peer.sends(readOf(n, 0, 8));
        peer.expects(readResponseOnly(n));
        peer.sendsTogether(readOf(plus(n, 1), 8, 8), readOf(plus(n, 2), 16, 8), readOf(n, 0, 8));
        peer.expects(readResponseOnly(n), readResponseOnly(plus(n, 1)), readResponseOnly(plus(n, 2)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RDA-06: a READ that comes again for more bytes, fewer, others, or by another key is dropped")
    void differentDuplicates() {
        peer.sends(readOf(n, 0, 600));
        peer.getsAll();
        peer.sends(
                readOf(n, 0, 601),
                readOf(n, 0, 512),
                readOf(n, 1, 600),
                readOf(plus(n, 1), 256, 345),
                read(plus(n, -1)).at(region, -256, 856),
                fetchAdd(n).atomic(region.address(), region.rKey(), 1, 0),
                read(n).reth(region.address(), region.rKey() + 1, 600));
        peer.expectsNothing();
        device.counted(Rule.DUPLICATE_DROPPED, 7);
        isAlive(plus(n, 3));
    }

    @Test
    @DisplayName("RDA-07: a READ that comes again reads the memory as it is by then")
    void duplicateReadsNewData() {
        peer.sends(readOf(n, 0, 8));
        peer.expects(readResponseOnly(n).payload(memory.get(0, 8)));
        memory.put(0, HandPlayedLink.bytes(2, 8));
        peer.sends(readOf(n, 0, 8));
        peer.expects(readResponseOnly(n).payload(HandPlayedLink.bytes(2, 8)));
    }

    @Test
    @DisplayName("RDA-08: a READ that comes again for memory that is deregistered by then is dropped in silence")
    void duplicateOfGoneMemory() {
        peer.sends(readOf(n, 0, 8));
        peer.expects(readResponseOnly(n));
        region.close();
        peer.sends(readOf(n, 0, 8));
        peer.expectsNothing();
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("RDA-09: one READ more than max_dest_rd_atomic gets a NAK, behind the responses that are owed")
    void tooManyReads() {
        peer.sendsTogether(
                readOf(n, 0, 8),
                readOf(plus(n, 1), 0, 8),
                readOf(plus(n, 2), 0, 8),
                readOf(plus(n, 3), 0, 8),
                readOf(plus(n, 4), 0, 8));
        peer.expects(
                readResponseOnly(n),
                readResponseOnly(plus(n, 1)),
                readResponseOnly(plus(n, 2)),
                readResponseOnly(plus(n, 3)),
                nak(plus(n, 4), Syndrome.NAK_INVALID_REQUEST));
        device.isIn(QpState.ERR);
        device.raises(AsyncEventType.QP_REQ_ERR);
        device.counted(Rule.TOO_MANY_READS, 1);
    }

    @Test
    @DisplayName("RDA-09: one after the other there may be any number")
    void manyReadsInARow() {
        for (int i = 0; i < 20; i++) {
            peer.sends(readOf(plus(n, i), 0, 8));
            peer.expects(readResponseOnly(plus(n, i)).msn(i + 1));
        }
        isAlive(plus(n, 20));
    }

    @Test
    @DisplayName("RDA-32: a READ may see what a WRITE behind it writes; each response is of one time")
    void readAndLaterWrite() {
        WirePacket write = writeOnly(plus(n, 1)).at(region, 0, 256).payload(256).ackReq();
        peer.sendsTogether(readOf(n, 0, 256), write);
        Packet response = peer.gets();
        byte[] seen = response.payload().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        assertEquals(-1, java.util.Arrays.mismatch(write.bytes(), seen), "here the WRITE comes first");
        peer.expects(ack(plus(n, 1)).msn(2));
    }
}
