package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.atomicAck;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.nak;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseLast;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLast;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Syndrome;

/** Group ACK, the responder's half: when it answers, with which PSN, MSN and credits (9.7.5.1, 9.7.7). */
class AckResponderTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    private WirePacket write(int psn) {
        return writeOnly(psn).at(region, 0, 8).payload(8);
    }

    @Test
    @DisplayName("ACK-01: a request with AckReq is acknowledged with its own PSN and a credit count")
    void acknowledgesOnRequest() {
        device.receives(1, 0, 64);
        device.receives(2, 64, 64);
        peer.sends(sendOnly(n).payload(8).ackReq());
        peer.expects(ack(n, 1).msn(1).ackReq(false).solicited(false));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-02: a message whose last packet alone asks is acknowledged once, with the PSN of that packet")
    void oneForAMessage() {
        peer.sends(
                writeFirst(n).at(region, 0, 768).payload(256),
                writeMiddle(plus(n, 1)).payload(256),
                writeLast(plus(n, 2)).payload(256).ackReq());
        peer.expects(ack(plus(n, 2)).msn(1));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-03: what does not ask is not acknowledged alone; the next acknowledgement covers it")
    void unaskedIsCoveredLater() {
        peer.sends(write(n), write(plus(n, 1)));
        passes(timeout(20));
        peer.expectsNothing();
        peer.sends(write(plus(n, 2)).ackReq());
        peer.expects(ack(plus(n, 2)).msn(3));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-04: a middle packet that asks is acknowledged, with an MSN that does not count its message yet")
    void middleOfAMessage() {
        peer.sends(
                writeFirst(n).at(region, 0, 700).payload(256),
                writeMiddle(plus(n, 1)).payload(256).ackReq());
        peer.expects(ack(plus(n, 1)).msn(0));
        peer.sends(writeLast(plus(n, 2)).payload(188).ackReq());
        peer.expects(ack(plus(n, 2)).msn(1));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-05: the MSN counts messages, whatever they are, and stands in every AETH")
    void msnCountsMessages() {
        device.receives(1, 1024, 64);
        peer.sends(write(n).ackReq());
        peer.expects(ack(n).msn(1));
        peer.sends(sendOnly(plus(n, 1)).payload(8).ackReq());
        peer.expects(ack(plus(n, 1)).msn(2));
        peer.sends(fetchAdd(plus(n, 2)).atomic(region.address(), region.rKey(), 1, 0));
        peer.expects(atomicAck(plus(n, 2), memory.getLong(0) - 1).msn(3));
        peer.sends(read(plus(n, 3)).at(region, 0, 300));
        peer.expects(
                readResponseFirst(plus(n, 3)).msn(4),
                readResponseLast(plus(n, 4)).msn(4));
        peer.sends(write(plus(n, 9)).ackReq());
        peer.expects(nakSequence(plus(n, 5)).msn(4));
    }

    @Test
    @DisplayName("ACK-06: a READ counts in the MSN from the moment it is taken on")
    void msnCountsAReadAtOnce() {
        peer.hands(read(n).at(region, 0, SIZE), write(plus(n, SIZE / 256)).ackReq());
        device.context.progress();
        device.context.progress();
        peer.expects(readResponseFirst(n).msn(1));
    }

    @Test
    @DisplayName("ACK-07: a NAK carries the MSN of the last message that was executed")
    void msnOfANak() {
        peer.sends(
                write(n),
                write(plus(n, 1)),
                writeFirst(plus(n, 2)).at(region, 0, 512).payload(256));
        peer.sends(writeLast(plus(n, 3)).payload(255));
        peer.expects(nak(plus(n, 3), Syndrome.NAK_INVALID_REQUEST).msn(2));
    }

    @Test
    @DisplayName("ACK-08: the PSNs of acknowledgements never go back")
    void neverGoBack() {
        for (int i = 0; i < 64; i++) {
            WirePacket next = write(plus(n, i)).ackReq(i % 3 == 0);
            if (i % 5 == 0) {
                peer.sends(next);
            } else {
                peer.hands(next);
            }
        }
        settle();
        int newest = plus(n, -1);
        for (Packet packet : peer.getsAll()) {
            assertTrue(packet.bth().psn() >= newest, "an ACK of an older PSN");
            newest = packet.bth().psn();
        }
        assertEquals(plus(n, 63), newest);
    }

    @Test
    @DisplayName("ACK-09: all responses of a READ go out before what is executed behind it is acknowledged")
    void responsesFirst() {
        int packets = SIZE / 256;
        device.receives(5, 0, 64);
        peer.sendsTogether(
                read(n).at(region, 0, SIZE),
                sendOnly(plus(n, packets)).payload(8).ackReq(),
                write(plus(n, packets + 1)).ackReq());
        List<Packet> sent = peer.getsAll();
        assertEquals(packets + 1, sent.size());
        for (int i = 0; i < packets; i++) {
            assertTrue(Opcode.isReadResponse(sent.get(i).bth().opcode()));
            assertEquals(plus(n, i), sent.get(i).bth().psn());
        }
        assertEquals(Opcode.RC_ACKNOWLEDGE, sent.get(packets).bth().opcode());
        assertEquals(plus(n, packets + 1), sent.get(packets).bth().psn());
    }

    @Test
    @DisplayName("ACK-10: atomics, READs and WRITEs are answered in the order of their PSNs")
    void strictOrder() {
        peer.sendsTogether(
                fetchAdd(n).atomic(region.address(), region.rKey(), 1, 0),
                read(plus(n, 1)).at(region, 64, 300),
                write(plus(n, 3)).ackReq(),
                fetchAdd(plus(n, 4)).atomic(region.address() + 64, region.rKey(), 1, 0),
                read(plus(n, 5)).at(region, 128, 8),
                write(plus(n, 6)).ackReq());
        peer.expects(
                atomicAck(n, 0x5C5C5C5C5C5C5C5CL),
                readResponseFirst(plus(n, 1)),
                readResponseLast(plus(n, 2)),
                atomicAck(plus(n, 4), 0x5C5C5C5C5C5C5C5CL),
                readResponseOnly(plus(n, 5)),
                ack(plus(n, 6)).msn(6));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-09: however many messages behind the READ ask, its responses are first")
    void responsesFirstUnderLoad() {
        peer.hands(read(n).at(region, 0, 1024));
        for (int i = 0; i < 200; i++) {
            peer.hands(write(plus(n, 4 + i)).ackReq());
        }
        settle();
        for (int i = 0; i < 4; i++) {
            assertTrue(Opcode.isReadResponse(peer.gets().bth().opcode()), "response " + i);
        }
        List<Packet> rest = peer.getsAll();
        assertEquals(plus(n, 203), rest.getLast().bth().psn());
    }

    @Test
    @DisplayName("ACK-10: a response acknowledges the WRITE before it, which needs no ACK of its own any more")
    void responseAcknowledges() {
        peer.sendsTogether(write(n).ackReq(), read(plus(n, 1)).at(region, 64, 8));
        peer.expects(readResponseOnly(plus(n, 1)).msn(2));
        passes(timeout(14));
        peer.expectsNothing();
    }

    @ParameterizedTest(name = "{0} receives are credit code {1}")
    @CsvSource({
        "0, 0", "1, 1", "2, 2", "3, 3", "4, 4", "5, 4", "6, 5", "7, 5", "8, 6", "12, 7", "15, 7", "16, 8", "63, 11"
    })
    @DisplayName("ACK-11: the credits are the largest count of the table that is not above the receives that wait")
    void creditCount(int receives, int code) {
        for (int i = 0; i < receives; i++) {
            device.receives(i, 0, 64);
        }
        peer.sends(write(n).ackReq());
        peer.expects(ack(n, code));
    }

    @Test
    @DisplayName("ACK-29: a READ that fails under way gets a NAK in place of the response that cannot be sent")
    void nakInPlaceOfAResponse() {
        MemoryRegion other = device.register(memory.inside());
        peer.hands(read(n).at(other, 0, SIZE), write(plus(n, SIZE / 256)).ackReq());
        device.context.progress();
        device.context.progress();
        int sent = peer.getsAll().size();
        assertTrue(sent > 0 && sent < SIZE / 256, () -> sent + " responses were sent");
        other.close();
        settle();
        Packet last = peer.gets();
        assertEquals(Opcode.RC_ACKNOWLEDGE, last.bth().opcode());
        assertEquals(plus(n, sent), last.bth().psn());
        assertEquals(
                Syndrome.NAK_REMOTE_ACCESS,
                last.extension(Aeth.class).orElseThrow().syndrome());
        assertEquals(0, last.payload().byteSize());
        peer.expectsNothing();
        device.isIn(QpState.ERR);
        device.raises(AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("ACK-29: a READ that fails at once gets a NAK with its own PSN")
    void nakForARead() {
        peer.sends(read(n).at(region, 0, SIZE + 1));
        peer.expects(nak(n, Syndrome.NAK_REMOTE_ACCESS).msn(0));
        peer.expectsNothing();
    }

    @Test
    @DisplayName(
            "ACK-31, RTX-19: however many packets come in one look, they are answered in the next round, in no time")
    void answersWithoutDelay() {
        for (int i = 0; i < 1000; i++) {
            peer.hands(write(plus(n, i)).ackReq(i == 999));
        }
        device.context.progress();
        device.context.progress();
        device.context.progress();
        peer.expects(ack(plus(n, 999)).msn(1000));
        peer.hands(write(plus(n, 1001)));
        device.context.progress();
        device.context.progress();
        peer.expects(nakSequence(plus(n, 1000)));
    }
}
