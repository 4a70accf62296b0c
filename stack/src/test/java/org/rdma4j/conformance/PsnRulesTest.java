package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseLast;
import static org.rdma4j.conformance.Packets.readResponseMiddle;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Psn;

/** Group PSN, the responder's half: gaps, duplicates, the wrap (9.7.1). */
@ParameterizedClass(name = "PSNs from {0}")
@ValueSource(ints = {0x000100, 0xFFFFFD})
class PsnRulesTest extends RcScene {

    private final int start;

    PsnRulesTest(int start) {
        this.start = start;
    }

    @BeforeEach
    void connect() {
        connect(new Setup().withPsns(start));
    }

    private WirePacket write(int psn) {
        return writeOnly(psn).at(region, 0, 8).payload(8).ackReq();
    }

    @Test
    @DisplayName("PSN-01: a gap gets exactly one NAK, with the PSN that is missing")
    void gap() {
        peer.sends(write(n));
        peer.expects(ack(n).msn(1));
        peer.sends(write(plus(n, 2)));
        peer.expects(nakSequence(plus(n, 1)).msn(1));
        peer.expectsNothing();
        memory.holds(0, write(n).bytes());
        device.counted(Rule.PSN_SEQUENCE, 1);
    }

    @Test
    @DisplayName("PSN-02: a hundred packets more behind the gap get no second NAK")
    void onlyOneNak() {
        peer.sends(write(plus(n, 1)));
        peer.expects(nakSequence(n).msn(0));
        for (int i = 2; i <= 101; i++) {
            peer.sends(write(plus(n, i)));
        }
        peer.expectsNothing();
        memory.isUntouched();
        device.counted(Rule.PSN_SEQUENCE_WAITING, 100);
    }

    @Test
    @DisplayName("PSN-03: a duplicate that comes during the gap is answered, and lets no second NAK through")
    void duplicateDuringGap() {
        peer.sends(write(n), write(plus(n, 2)));
        peer.expects(ack(n), nakSequence(plus(n, 1)));
        peer.sends(write(n));
        peer.expects(ack(n).msn(1));
        peer.sends(write(plus(n, 3)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-03: a duplicate that comes in one look with the gap does not take the NAK's place")
    void duplicateBesideAGap() {
        peer.sends(write(n));
        peer.expects(ack(n));
        peer.sendsTogether(write(plus(n, 2)), write(n));
        peer.expects(nakSequence(plus(n, 1)).msn(1));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-04: once the missing packet has come, the next gap gets a NAK again")
    void secondGap() {
        peer.sends(write(plus(n, 1)), write(n), write(plus(n, 3)));
        peer.expects(nakSequence(n), ack(n).msn(1), nakSequence(plus(n, 1)).msn(1));
        peer.expectsNothing();
        device.counted(Rule.PSN_SEQUENCE, 2);
    }

    @Test
    @DisplayName("PSN-05: both ends of the half ahead are gaps: ePSN+1 and ePSN+2^23-1")
    void halfAhead() {
        peer.sends(write(plus(n, Psn.HALF - 1)));
        peer.expects(nakSequence(n));
        peer.sends(write(n), write(plus(n, 2)));
        peer.expects(ack(n), nakSequence(plus(n, 1)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-06: ePSN-2^23 is a duplicate: acknowledged, not executed, no NAK")
    void farthestDuplicate() {
        peer.sends(write(plus(n, -Psn.HALF)));
        peer.expects(ack(plus(n, -1)).msn(0));
        peer.expectsNothing();
        memory.isUntouched();
        device.counted(Rule.DUPLICATE_ANSWERED, 1);
    }

    @Test
    @DisplayName("PSN-07: a message of five packets crosses the wrap with no NAK")
    void messageAcrossTheWrap() {
        device.receives(7, 0, 2048);
        peer.sends(
                sendFirst(n).payload(256),
                sendMiddle(plus(n, 1)).payload(256),
                sendMiddle(plus(n, 2)).payload(256),
                sendMiddle(plus(n, 3)).payload(256),
                sendLast(plus(n, 4)).payload(10).ackReq());
        peer.expects(ack(plus(n, 4)).msn(1));
        peer.expectsNothing();
        assertEquals(4 * 256 + 10, device.completes(7).byteLength());
        for (int i = 0; i < 4; i++) {
            memory.holds(256 * i, sendMiddle(plus(n, i)).payload(256).bytes());
        }
        memory.holds(1024, sendLast(plus(n, 4)).payload(10).bytes());
        memory.isUntouched(1034, 1014);
    }

    @Test
    @DisplayName("PSN-08: READ responses have consecutive PSNs across the wrap")
    void responsesAcrossTheWrap() {
        memory.put(0, HandPlayedLink.bytes(1, 1024 + 4));
        peer.sends(read(n).at(region, 0, 1024 + 4));
        peer.expects(
                readResponseFirst(n).msn(1).payload(memory.get(0, 256)),
                readResponseMiddle(plus(n, 1)).payload(memory.get(256, 256)),
                readResponseMiddle(plus(n, 2)).payload(memory.get(512, 256)),
                readResponseMiddle(plus(n, 3)).payload(memory.get(768, 256)),
                readResponseLast(plus(n, 4)).msn(1).payload(memory.get(1024, 4)));
        peer.sends(write(plus(n, 5)));
        peer.expects(ack(plus(n, 5)).msn(2));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-12: a first packet with a PSN other than rq_psn gets a NAK with rq_psn")
    void firstPacketWrong() {
        peer.sends(write(plus(n, 5)));
        peer.expects(nakSequence(n).msn(0));
        memory.isUntouched();
    }

    @Test
    @DisplayName("PSN-14: two packets of a message swap: one NAK, then going back to it repairs everything")
    void reorderedInsideAMessage() {
        device.receives(3, 0, 2048);
        WirePacket first = sendFirst(n).payload(256);
        WirePacket second = sendMiddle(plus(n, 1)).payload(256);
        WirePacket third = sendMiddle(plus(n, 2)).payload(256);
        WirePacket last = sendLast(plus(n, 3)).payload(256).ackReq();
        peer.sends(first, third, second, last);
        peer.expects(nakSequence(plus(n, 1)), nakSequence(plus(n, 2)));
        peer.sends(second, third, last);
        peer.expects(ack(plus(n, 1)).msn(0), ack(plus(n, 3)).msn(1));
        peer.expectsNothing();
        device.completes(3);
        device.completesNothing();
        memory.holds(512, third.bytes());
        memory.holds(768, last.bytes());
        memory.isUntouched(1024, 1024);
    }

    @Test
    @DisplayName("PSN-14: two packets that swap in one look at the network: the one that was dropped is asked for")
    void reorderedInOneLook() {
        peer.sendsTogether(
                write(n), write(plus(n, 2)).ackReq(false), write(plus(n, 1)).ackReq(false));
        peer.expects(nakSequence(plus(n, 2)).msn(2));
        peer.expectsNothing();
        peer.sends(write(plus(n, 2)));
        peer.expects(ack(plus(n, 2)).msn(3));
    }

    @Test
    @DisplayName("PSN-15: a storm of duplicates moves nothing and writes nothing")
    void duplicateStorm() {
        for (int i = 0; i < 8; i++) {
            peer.sends(write(plus(n, i)));
            peer.expects(ack(plus(n, i)).msn(i + 1));
        }
        memory.put(0, HandPlayedLink.bytes(99, 8));
        for (int i = 0; i < 8; i++) {
            peer.sends(write(plus(n, i)));
            peer.expects(ack(plus(n, 7)).msn(8));
        }
        memory.holds(0, HandPlayedLink.bytes(99, 8));
        isAlive(plus(n, 8));
        peer.expectsNothing();
    }
}
