package org.rdma4j.conformance;

import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.WrOpcode;

/** Group ACK, the requester's half: what an acknowledgement completes, and credits (9.7.5.1.2, 9.7.7.2). */
class AckRequesterTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    private void threeWrites() {
        for (int i = 0; i < 3; i++) {
            device.posts(WrOpcode.RDMA_WRITE, 10 + i, 8);
            peer.expects(writeOnly(plus(m, i)));
        }
    }

    @Test
    @DisplayName("ACK-12: without credit one SEND goes out, the limited one; the next one waits")
    void limitedSend() {
        device.posts(WrOpcode.SEND, 1, 8);
        peer.expects(sendOnly(m).ackReq());
        peer.sends(ack(m, 0).msn(1));
        device.completes(1);
        device.posts(WrOpcode.SEND, 2, 8);
        device.posts(WrOpcode.SEND, 3, 8);
        peer.expects(sendOnly(plus(m, 1)).ackReq());
        peer.expectsNothing();
        peer.sends(ack(plus(m, 1), 0).msn(2));
        peer.expects(sendOnly(plus(m, 2)).ackReq());
    }

    @Test
    @DisplayName("ACK-12: WRITEs and READs need no credit")
    void writesNeedNoCredit() {
        device.posts(WrOpcode.SEND, 1, 8);
        peer.expects(sendOnly(m));
        peer.sends(ack(m, 0).msn(1));
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        device.posts(WrOpcode.RDMA_WRITE, 3, 8);
        device.posts(WrOpcode.RDMA_READ, 4, 8);
        peer.expects(writeOnly(plus(m, 1)), writeOnly(plus(m, 2)), read(plus(m, 3)));
    }

    @Test
    @DisplayName("ACK-13: an ACK that brings nothing but credits lets the next SEND go, and completes nothing again")
    void unsolicitedAck() {
        device.posts(WrOpcode.SEND, 1, 8);
        peer.sends(ack(m, 0).msn(1));
        device.completes(1);
        device.posts(WrOpcode.SEND, 2, 8);
        device.posts(WrOpcode.SEND, 3, 8);
        device.posts(WrOpcode.SEND, 4, 8);
        peer.expects(sendOnly(m), sendOnly(plus(m, 1)));
        peer.expectsNothing();
        peer.sends(ack(m, 2).msn(1));
        peer.expects(sendOnly(plus(m, 2)), sendOnly(plus(m, 3)));
        device.completesNothing();
    }

    @Test
    @DisplayName("ACK-14: the ACK of the last of three messages completes all three, in order")
    void completesAllBefore() {
        threeWrites();
        peer.sends(ack(plus(m, 2)).msn(3));
        device.completes(10);
        device.completes(11);
        device.completes(12);
        device.completesNothing();
    }

    @Test
    @DisplayName("ACK-15: the ACK of the first of three messages completes that one")
    void completesOne() {
        threeWrites();
        peer.sends(ack(m).msn(1));
        device.completes(10);
        device.completesNothing();
    }

    @Test
    @DisplayName("ACK-16: the ACK of a packet inside of a message completes nothing and starts the timer anew")
    void middleOfAMessage() {
        long t = timeout(14);
        device.posts(WrOpcode.SEND, 1, 600);
        peer.expects(sendFirst(m), sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        passes(t / 2);
        peer.sends(ack(m).msn(0));
        device.completesNothing();
        passes(t - 1);
        peer.expectsNothing();
        passes(1);
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-17: an ACK of what was not sent is ignored")
    void ackAhead() {
        threeWrites();
        peer.sends(ack(plus(m, 3)).msn(4), ack(plus(m, 1 << 22)).msn(4));
        device.completesNothing();
        device.counted(Rule.ACK_AHEAD, 2);
        peer.sends(ack(plus(m, 2)).msn(3));
        device.completes(10);
    }

    @Test
    @DisplayName("ACK-18: an ACK older than all that is outstanding is ignored, for a READ too")
    void ghostAck() {
        threeWrites();
        peer.sends(ack(plus(m, 1)).msn(2));
        device.posts(WrOpcode.RDMA_READ, 13, 8);
        peer.expects(read(plus(m, 3)));
        peer.sends(ack(m).msn(1), ack(plus(m, -1)).msn(0), readResponseOnly(m).payload(8));
        device.counted(Rule.GHOST_ACK, 3);
        peer.expectsNothing();
        device.completes(10);
        device.completes(11);
        device.completesNothing();
    }

    @ParameterizedTest(name = "syndrome {0}")
    @ValueSource(ints = {0x40, 0x5F, 0x80, 0xA0, 0xE0, 0xFF})
    @DisplayName("ACK-19: an AETH of a reserved class is ignored")
    void reservedClass(int syndrome) {
        ignores(syndrome);
    }

    @ParameterizedTest(name = "syndrome {0}")
    @ValueSource(ints = {0x65, 0x66, 0x70, 0x7F})
    @DisplayName("ACK-20: a NAK of a reserved cause is ignored")
    void reservedNak(int syndrome) {
        ignores(syndrome);
    }

    private void ignores(int syndrome) {
        threeWrites();
        peer.sends(ack(plus(m, 1)).syndrome(syndrome).msn(2));
        device.completesNothing();
        peer.expectsNothing();
        device.counted(Rule.AETH_RESERVED, 1);
        peer.sends(ack(plus(m, 2)).msn(3));
        device.completes(10);
    }

    @Test
    @DisplayName(
            "ACK-30: an ACK from behind a READ that lacks its response asks for the READ again, and completes nothing")
    void impliedNak() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(WrOpcode.RDMA_READ, 2, 8);
        device.posts(WrOpcode.RDMA_WRITE, 3, 8);
        peer.expects(writeOnly(m), read(plus(m, 1)), writeOnly(plus(m, 2)));
        peer.sends(ack(plus(m, 2)).msn(3));
        device.completes(1);
        device.completesNothing();
        peer.expects(read(plus(m, 1)), writeOnly(plus(m, 2)));
        peer.expectsNothing();
        peer.sends(readResponseOnly(plus(m, 1)).payload(8), ack(plus(m, 2)).msn(3));
        device.completes(2);
        device.completes(3);
    }

    @Test
    @DisplayName("ACK-30: a NAK from behind a READ that lacks its response does the same")
    void impliedNakByANak() {
        device.posts(WrOpcode.RDMA_READ, 2, 8);
        device.posts(WrOpcode.RDMA_WRITE, 3, 8);
        peer.expects(read(m), writeOnly(plus(m, 1)));
        peer.sends(nakSequence(plus(m, 1)).msn(1));
        device.completesNothing();
        peer.expects(read(m), writeOnly(plus(m, 1)));
        peer.expectsNothing();
    }
}
