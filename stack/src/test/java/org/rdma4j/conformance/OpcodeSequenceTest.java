package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** Group OPS: which opcode may follow which (9.7.4.1.1). */
class OpcodeSequenceTest extends RcScene {

    /** All requests that the device executes. */
    private static final List<Integer> REQUESTS = List.of(
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_MIDDLE,
            Opcode.RC_SEND_LAST,
            Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
            Opcode.RC_SEND_LAST_WITH_INVALIDATE,
            Opcode.RC_SEND_ONLY,
            Opcode.RC_SEND_ONLY_WITH_IMMEDIATE,
            Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
            Opcode.RC_RDMA_WRITE_FIRST,
            Opcode.RC_RDMA_WRITE_MIDDLE,
            Opcode.RC_RDMA_WRITE_LAST,
            Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
            Opcode.RC_RDMA_WRITE_ONLY,
            Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
            Opcode.RC_RDMA_READ_REQUEST,
            Opcode.RC_COMPARE_SWAP,
            Opcode.RC_FETCH_ADD);

    private static boolean continues(int opcode) {
        return Opcode.isMiddle(opcode) || Opcode.isLast(opcode);
    }

    private static boolean mayFollow(int before, int next) {
        boolean open = !Opcode.isLastOrOnly(before);
        return open ? continues(next) && Opcode.isSend(before) == Opcode.isSend(next) : !continues(next);
    }

    /** One request of a story, right in all but perhaps its place. */
    private WirePacket request(List<Integer> story, int index) {
        int opcode = story.get(index);
        WirePacket packet = new WirePacket(opcode, plus(n, index)).ackReq();
        if (Opcode.isSend(opcode) || Opcode.isWrite(opcode)) {
            packet.payload(Opcode.isLastOrOnly(opcode) ? 8 : 256);
        }
        if (Opcode.hasReth(opcode)) {
            packet.at(region, 0, Opcode.isWrite(opcode) ? messageLength(story, index) : 8);
        } else if (Opcode.hasAtomicEth(opcode)) {
            packet.atomic(region.address(), region.rKey(), 1, 0);
        } else if (Opcode.hasIeth(opcode)) {
            packet.invalidates(device.register(memory.inside()).rKey());
        }
        return packet;
    }

    /** Bytes of the WRITE that starts at a place of the story, and perhaps has not ended when the story does. */
    private static long messageLength(List<Integer> story, int start) {
        long length = 8;
        for (int i = start; i < story.size() && !Opcode.isLastOrOnly(story.get(i)); i++) {
            length += 256;
        }
        return length;
    }

    @Test
    @DisplayName("OPS-05: of all pairs of opcodes exactly the legal ones are accepted")
    void allPairs() {
        open(new Setup().withDepths(1, 4));
        int peerQpn = 0x2000;
        int legal = 0;
        for (int before : REQUESTS) {
            for (int next : REQUESTS) {
                List<Integer> story = new ArrayList<>(List.of(before, next));
                if (continues(before)) {
                    story.addFirst(Opcode.isSend(before) ? Opcode.RC_SEND_FIRST : Opcode.RC_RDMA_WRITE_FIRST);
                }
                QueuePair qp = device.another(++peerQpn);
                for (int i = 0; i < 3; i++) {
                    qp.postReceive(new ReceiveWorkRequest().reset(i).sge(region, 0, 1024));
                }
                for (int i = 0; i < story.size(); i++) {
                    peer.sends(request(story, i).destQp(qp.qpNum()));
                    boolean expected = i < story.size() - 1 || mayFollow(before, next);
                    assertEquals(
                            expected ? Rule.ACCEPTED : Rule.OPCODE_SEQUENCE,
                            peer.decision(),
                            () -> Opcode.name(before) + " then " + Opcode.name(next));
                }
                legal += mayFollow(before, next) ? 1 : 0;
                assertEquals(mayFollow(before, next) ? QpState.RTS : QpState.ERR, qp.state());
                qp.close();
                device.forgets();
            }
        }
        assertEquals(13 * 10 + 2 * 4 + 2 * 3, legal, "pairs that are legal");
    }

    private void sequenceError(int... opcodes) {
        connect(new Setup());
        device.receives(1, 0, 1024);
        List<Integer> story = new ArrayList<>();
        for (int opcode : opcodes) {
            story.add(opcode);
        }
        for (int i = 0; i < story.size(); i++) {
            peer.sends(request(story, i).ackReq(false));
        }
        boolean receiving = opcodes.length > 1 && Opcode.isSend(opcodes[0]);
        AsyncEventType event = receiving ? null : AsyncEventType.QP_REQ_ERR;
        refused(Rule.OPCODE_SEQUENCE, plus(n, story.size() - 1), Syndrome.NAK_INVALID_REQUEST, event);
        device.completes(1, receiving ? WcStatus.LOC_QP_OP_ERR : WcStatus.WR_FLUSH_ERR);
        device.completesNothing();
    }

    @ParameterizedTest(name = "opcode {0}")
    @ValueSource(
            ints = {
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST,
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST
            })
    @DisplayName("OPS-01: MIDDLE or LAST without a FIRST gets a NAK Invalid Request")
    void noFirst(int opcode) {
        sequenceError(opcode);
        memory.isUntouched();
    }

    @ParameterizedTest(name = "then opcode {0}")
    @ValueSource(
            ints = {
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_ONLY,
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_ONLY
            })
    @DisplayName("OPS-02: a message that starts inside of another gets a NAK Invalid Request")
    void startsInside(int opcode) {
        sequenceError(Opcode.RC_SEND_FIRST, opcode);
    }

    @Test
    @DisplayName("OPS-03: a SEND that goes on as a WRITE gets a NAK Invalid Request")
    void sendThenWrite() {
        sequenceError(Opcode.RC_SEND_FIRST, Opcode.RC_RDMA_WRITE_MIDDLE);
    }

    @Test
    @DisplayName("OPS-03: a WRITE that goes on as a SEND gets a NAK Invalid Request")
    void writeThenSend() {
        sequenceError(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_SEND_LAST);
    }

    @ParameterizedTest(name = "opcode {0}")
    @ValueSource(ints = {Opcode.RC_RDMA_READ_REQUEST, Opcode.RC_COMPARE_SWAP, Opcode.RC_FETCH_ADD})
    @DisplayName("OPS-04: a READ or atomic inside of a SEND gets a NAK Invalid Request")
    void readInside(int opcode) {
        sequenceError(Opcode.RC_SEND_FIRST, opcode);
    }

    @ParameterizedTest(name = "opcode {0}")
    @ValueSource(ints = {Opcode.RC_FLUSH, Opcode.RC_ATOMIC_WRITE, 0x15, 0x18, 0x1F})
    @DisplayName("OPS-12: an operation that the device does not have gets a NAK Invalid Request")
    void unsupported(int opcode) {
        connect(new Setup());
        peer.sendsBytes(headerOnly(opcode));
        refused(Rule.OPCODE_RESERVED, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    /** A BTH and 32 bytes behind it. */
    private byte[] headerOnly(int opcode) {
        byte[] bytes = Arrays.copyOf(Packets.ack(n).toBytes(device.qpn()), 44);
        bytes[0] = (byte) opcode;
        return bytes;
    }
}
