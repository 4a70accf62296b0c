package org.rdma4j.tools.conform.check;

import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/**
 * A responder under test, and the words for what is sent to it. Every packet is named by its place: 0 is the first PSN
 * that the peer expects after the good exchange before the story.
 */
public final class Responder extends Scene {

    /** Bytes of the good exchanges. */
    public static final int SMALL = 8;

    private final Service service;
    private final int minRnrTimer;
    private int first;
    private int messages;
    private long receivesUsed;

    Responder(Connection connection, Service service, int minRnrTimer) {
        super(connection);
        this.service = service;
        this.minRnrTimer = minRnrTimer;
        this.first = connection.firstPsn();
    }

    public Service service() {
        return service;
    }

    /** The PSN of a place. */
    public int psn(int place) {
        return Psn.add(first, place);
    }

    /** The MSN after so many more messages. */
    public int msn(int more) {
        return Psn.add(messages, more);
    }

    // Requests.

    /** Any packet. */
    public Crafted packet(int opcode, int place, ExtensionHeader... headers) {
        return new Crafted(opcode, psn(place), headers);
    }

    private Reth reth(long length) {
        return new Reth(connection().address(), connection().rKey(), length);
    }

    public Crafted writeOnly(int place, int length) {
        return packet(Opcode.RC_RDMA_WRITE_ONLY, place, reth(length)).payload(length);
    }

    public Crafted writeOnlyImm(int place, int length, int immediate) {
        return packet(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, place, reth(length))
                .imm(immediate)
                .payload(length);
    }

    /** The first packet of a WRITE of so many bytes. */
    public Crafted writeFirst(int place, long total) {
        return packet(Opcode.RC_RDMA_WRITE_FIRST, place, reth(total)).payload(mtu());
    }

    public Crafted writeMiddle(int place) {
        return packet(Opcode.RC_RDMA_WRITE_MIDDLE, place).payload(mtu());
    }

    public Crafted writeLast(int place, int length) {
        return packet(Opcode.RC_RDMA_WRITE_LAST, place).payload(length);
    }

    public Crafted writeLastImm(int place, int length, int immediate) {
        return packet(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, place)
                .imm(immediate)
                .payload(length);
    }

    public Crafted sendOnly(int place, int length) {
        return packet(Opcode.RC_SEND_ONLY, place).payload(length);
    }

    public Crafted sendFirst(int place) {
        return packet(Opcode.RC_SEND_FIRST, place).payload(mtu());
    }

    public Crafted sendMiddle(int place) {
        return packet(Opcode.RC_SEND_MIDDLE, place).payload(mtu());
    }

    public Crafted sendLast(int place, int length) {
        return packet(Opcode.RC_SEND_LAST, place).payload(length);
    }

    public Crafted read(int place, long length) {
        return packet(Opcode.RC_RDMA_READ_REQUEST, place, reth(length)).ackReq();
    }

    public Crafted fetchAdd(int place, long value) {
        return packet(Opcode.RC_FETCH_ADD, place, atomic(value, 0)).ackReq();
    }

    public Crafted compareSwap(int place, long expected, long swap) {
        return packet(Opcode.RC_COMPARE_SWAP, place, atomic(swap, expected)).ackReq();
    }

    private AtomicEth atomic(long value, long compare) {
        return new AtomicEth(connection().address(), connection().rKey(), value, compare);
    }

    // Answers.

    public Expected ack(int place) {
        return new Expected(Opcode.RC_ACKNOWLEDGE, psn(place));
    }

    public Expected nak(int place, int syndrome) {
        return ack(place).syndrome(syndrome);
    }

    public Expected nakSequence(int place) {
        return nak(place, Syndrome.NAK_PSN_SEQUENCE);
    }

    public Expected nakInvalid(int place) {
        return nak(place, Syndrome.NAK_INVALID_REQUEST);
    }

    public Expected nakAccess(int place) {
        return nak(place, Syndrome.NAK_REMOTE_ACCESS);
    }

    /** An RNR NAK with the timer that the peer was set up with. */
    public Expected rnrNak(int place) {
        return nak(place, Syndrome.rnrNak(minRnrTimer));
    }

    public Expected readOnly(int place, int length) {
        return new Expected(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn(place)).length(length);
    }

    public Expected readFirst(int place) {
        return new Expected(Opcode.RC_RDMA_READ_RESPONSE_FIRST, psn(place)).length(mtu());
    }

    public Expected readMiddle(int place) {
        return new Expected(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, psn(place)).length(mtu());
    }

    public Expected readLast(int place, int length) {
        return new Expected(Opcode.RC_RDMA_READ_RESPONSE_LAST, psn(place)).length(length);
    }

    public Expected atomicAck(int place) {
        return new Expected(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn(place));
    }

    // What is sent before and after.

    /** A request that is beyond doubt, of the peer's service. */
    public Crafted good(int place) {
        return switch (service) {
            case WRITE, ALL -> writeOnly(place, SMALL).ackReq();
            case READ -> read(place, SMALL);
            case ATOMIC -> fetchAdd(place, 0);
            case SEND -> sendOnly(place, SMALL).ackReq();
        };
    }

    /** What it gets. */
    public Expected goodAnswer(int place) {
        return switch (service) {
            case WRITE, ALL, SEND -> ack(place);
            case READ -> readOnly(place, SMALL);
            case ATOMIC -> atomicAck(place);
        };
    }

    /** The good exchange before the story: without it nothing can be judged. */
    void greet() {
        try {
            exchange();
        } catch (Outcome.Failed e) {
            throw new Outcome.Inconclusive("the good exchange before the check went wrong: " + e.getMessage());
        }
        if (service == Service.SEND && sees(Oracle.COMPLETION)) {
            completes(receivesUsed, WcStatus.SUCCESS);
        }
        receivesUsed++;
    }

    /** One more message, of which there is no doubt, is taken. */
    void exchange() {
        send(good(0));
        expect(goodAnswer(0).msn(messages + 1));
        first = Psn.next(first);
        messages++;
    }

    /** The id of the receive that the story's next SEND takes: 0 for the first one. */
    public long receive(int place) {
        return service == Service.SEND ? receivesUsed + place : place;
    }

    /** The good exchange after the story, on the same queue pair: the peer expects the PSN of this place. */
    public void alive(int place) {
        send(good(place));
        expect(goodAnswer(place));
        silence();
        stateIs(QpState.RTS);
        guardsAreWhole();
    }

    /** The peer's queue pair has ended: it is silent, whatever comes. The good exchange after is another one's. */
    public void dead() {
        spend();
        send(good(0), good(1));
        silence();
        stateIs(QpState.ERR);
        guardsAreWhole();
    }

    /** The peer's last answer was a refusal, and with it the queue pair ended. */
    public void refused(Expected nak) {
        expect(nak);
        dead();
    }

    /** The bytes of the message that packets from {@code place} on carry. */
    public byte[] message(int place, int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at += mtu()) {
            int part = Math.min(mtu(), length - at);
            System.arraycopy(Pattern.of(psn(place + at / mtu()), part), 0, bytes, at, part);
        }
        return bytes;
    }
}
