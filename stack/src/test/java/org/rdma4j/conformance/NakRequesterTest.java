package org.rdma4j.conformance;

import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nak;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLast;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group ACK, NAKs as the requester takes them (9.7.5.2, 9.9.2). */
class NakRequesterTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    private void writes(int count) {
        for (int i = 0; i < count; i++) {
            device.posts(WrOpcode.RDMA_WRITE, 10 + i, 8);
            peer.expects(writeOnly(plus(m, i)));
        }
    }

    @Test
    @DisplayName("ACK-21: a sequence NAK completes all before its PSN; what is sent again starts exactly there")
    void resendsFromTheNak() {
        writes(5);
        peer.sends(nakSequence(plus(m, 2)).msn(2));
        device.completes(10);
        device.completes(11);
        device.completesNothing();
        peer.expects(writeOnly(plus(m, 2)), writeOnly(plus(m, 3)), writeOnly(plus(m, 4)));
        peer.expectsNothing();
        peer.sends(ack(plus(m, 4)).msn(5));
        device.completes(12);
        device.completes(13);
        device.completes(14);
    }

    @Test
    @DisplayName(
            "ACK-22: a sequence NAK inside of a message is followed from that packet on, MIDDLE or LAST, no RETH again")
    void resendsFromTheMiddle() {
        device.posts(WrOpcode.RDMA_WRITE, 1, 1000);
        WirePacket third = writeMiddle(plus(m, 2)).payload(memory.get(512, 256));
        WirePacket fourth = writeLast(plus(m, 3)).payload(memory.get(768, 232)).ackReq();
        peer.expects(writeFirst(m).reth(Peer.ADDRESS, Peer.R_KEY, 1000), writeMiddle(plus(m, 1)), third, fourth);
        peer.sends(nakSequence(plus(m, 2)).msn(0));
        peer.expects(third, fourth);
        peer.expectsNothing();
        peer.sends(nakSequence(plus(m, 3)).msn(0));
        peer.expects(fourth);
        peer.expectsNothing();
        peer.sends(ack(plus(m, 3)).msn(1));
        device.completes(1);
    }

    @Test
    @DisplayName("ACK-22: what follows the message that is resumed is sent again too")
    void resendsWhatFollows() {
        device.posts(WrOpcode.SEND, 1, 600);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        peer.expects(sendFirst(m), sendMiddle(plus(m, 1)), sendLast(plus(m, 2)), writeOnly(plus(m, 3)));
        peer.sends(nakSequence(plus(m, 1)).msn(0));
        peer.expects(sendMiddle(plus(m, 1)), sendLast(plus(m, 2)), writeOnly(plus(m, 3)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-23: a NAK of a PSN that is not outstanding is ignored, whatever it says")
    void nakOfNothing() {
        writes(3);
        peer.sends(
                nakSequence(plus(m, 3)),
                nakSequence(plus(m, -1)),
                nak(plus(m, 3), Syndrome.NAK_REMOTE_ACCESS),
                nak(plus(m, -1), Syndrome.NAK_REMOTE_ACCESS));
        peer.expectsNothing();
        device.completesNothing();
        device.counted(Rule.ACK_AHEAD, 2);
        device.counted(Rule.GHOST_ACK, 2);
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("ACK-24: the same NAK again, while what it asked for is under way, is ignored")
    void nakAgain() {
        writes(3);
        peer.sends(nakSequence(plus(m, 1)).msn(1));
        peer.expects(writeOnly(plus(m, 1)), writeOnly(plus(m, 2)));
        peer.sends(nakSequence(plus(m, 1)).msn(1));
        peer.expectsNothing();
        device.counted(Rule.RECOVERING, 1);
        peer.sends(ack(plus(m, 1)).msn(2), nakSequence(plus(m, 2)).msn(2));
        peer.expects(writeOnly(plus(m, 2)));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR", "0x64, REM_INV_RD_REQ_ERR"})
    @DisplayName("ACK-25, ACK-26, ACK-27, ACK-28: a fatal NAK fails its request, flushes the rest, and ends in ERR")
    void fatalNak(String syndrome, WcStatus status) {
        writes(4);
        peer.sends(nak(plus(m, 1), Integer.decode(syndrome)).msn(1));
        device.completes(10);
        device.completes(11, status);
        device.completes(12, WcStatus.WR_FLUSH_ERR);
        device.completes(13, WcStatus.WR_FLUSH_ERR);
        device.completesNothing();
        device.isIn(QpState.ERR);
        passes(timeout(20));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ACK-26: a fatal NAK in the middle of a READ's response fails the READ")
    void fatalNakInsideARead() {
        device.posts(WrOpcode.RDMA_READ, 1, 1000);
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        peer.expects(read(m), writeOnly(plus(m, 4)));
        peer.sends(readResponseFirst(m).payload(256), nak(plus(m, 2), Syndrome.NAK_REMOTE_ACCESS));
        device.completes(1, WcStatus.REM_ACCESS_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.ERR);
    }
}
