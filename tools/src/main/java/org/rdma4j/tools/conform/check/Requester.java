package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/**
 * A requester under test, and the words for what it is answered. Every packet is named by its place: 0 is the first PSN
 * that the peer sends.
 */
public final class Requester extends Scene {

    /** Our memory, which does not exist: what the peer's requests name. */
    public static final long ADDRESS = 0x7000_0000_0000L;

    public static final int R_KEY = 0x0BAD_CAFE;

    /** 4.096 µs, the unit of the local ACK timeout. */
    private static final long TIMEOUT_UNIT = 4096;

    private static final String WENT_ON = "the work completed: the peer went on with its next message";

    private final Work work;
    private int messages;
    private int base;

    Requester(Connection connection, Work work) {
        super(connection);
        this.work = work;
    }

    public Work work() {
        return work;
    }

    public int psn(int place) {
        return Psn.add(connection().peerPsn(), base + place);
    }

    /** The peer's local ACK timeout, in nanoseconds: an answer is missed between once and four times that. */
    public long timeout() {
        return TIMEOUT_UNIT << connection().timeout();
    }

    /** By then a message that was not answered has come again, {@link #timeout} being what it is. */
    public long patience() {
        return 4 * timeout() + connection().timing().answer();
    }

    // Requests.

    private Expected request(int opcode, int place, int length) {
        return new Expected(opcode, psn(place)).length(length);
    }

    /**
     * The work's first message is answered with an ACK that ends the flow control of credits: until then a requester may
     * send but one SEND. Places count from the second message on.
     */
    public void warmUp() {
        expect(message(0));
        send(ack(packetsPerMessage() - 1));
        succeeded(1);
        base = packetsPerMessage();
    }

    /** The packets of one message of the work, the first of them at this place. */
    public Expected[] message(int place) {
        return switch (work.op()) {
            case READ -> new Expected[] {request(Opcode.RC_RDMA_READ_REQUEST, place, 0)};
            case FETCH_ADD -> new Expected[] {request(Opcode.RC_FETCH_ADD, place, 0)};
            case COMPARE_SWAP -> new Expected[] {request(Opcode.RC_COMPARE_SWAP, place, 0)};
            case SEND -> packets(place, 0, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY);
            case WRITE -> packets(place, 0, Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_RDMA_WRITE_ONLY);
        };
    }

    /** Those packets of the work's first message, at place 0, that come from packet {@code from} on. */
    public Expected[] messageFrom(int from) {
        return work.op() == Work.Op.SEND
                ? packets(0, from, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY)
                : packets(0, from, Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_RDMA_WRITE_ONLY);
    }

    private Expected[] packets(int place, int from, int first, int only) {
        int count = packetsPerMessage();
        if (count == 1) {
            return new Expected[] {request(only, place, work.size())};
        }
        List<Expected> packets = new ArrayList<>();
        for (int index = from; index < count; index++) {
            boolean last = index == count - 1;
            int opcode = index == 0 ? first : last ? first + 2 : first + 1;
            packets.add(request(opcode, place + index, last ? work.size() - index * mtu() : mtu()));
        }
        return packets.toArray(Expected[]::new);
    }

    /** The RETH of the work's first message, a WRITE or READ, for what begins with its packet {@code index}. */
    public Reth rethFrom(int index) {
        long done = (long) index * mtu();
        return new Reth(ADDRESS + done, R_KEY, work.size() - done);
    }

    /** Packets of a SEND or WRITE of the work, or of the response to a READ. */
    public int packetsPerMessage() {
        return Math.max(1, (work.size() + mtu() - 1) / mtu());
    }

    // Answers.

    private Crafted response(int opcode, int place, ExtensionHeader... headers) {
        return new Crafted(opcode, psn(place), headers);
    }

    /** Any response. */
    public Crafted aeth(int opcode, int place, int syndrome) {
        return response(opcode, place, new Aeth(syndrome, messages));
    }

    public Crafted ack(int place) {
        return aeth(Opcode.RC_ACKNOWLEDGE, place, Syndrome.ACK_UNLIMITED);
    }

    /** An ACK that grants credits by this code. */
    public Crafted ackWithCredits(int place, int code) {
        return aeth(Opcode.RC_ACKNOWLEDGE, place, Syndrome.ack(code));
    }

    public Crafted nak(int place, int syndrome) {
        return aeth(Opcode.RC_ACKNOWLEDGE, place, syndrome);
    }

    public Crafted nakSequence(int place) {
        return nak(place, Syndrome.NAK_PSN_SEQUENCE);
    }

    public Crafted rnrNak(int place, int timerCode) {
        return nak(place, Syndrome.rnrNak(timerCode));
    }

    public Crafted readFirst(int place) {
        return aeth(Opcode.RC_RDMA_READ_RESPONSE_FIRST, place, Syndrome.ACK_UNLIMITED)
                .payload(mtu());
    }

    public Crafted readMiddle(int place) {
        return response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, place).payload(mtu());
    }

    public Crafted readLast(int place, int length) {
        return aeth(Opcode.RC_RDMA_READ_RESPONSE_LAST, place, Syndrome.ACK_UNLIMITED)
                .payload(length);
    }

    public Crafted readOnly(int place, int length) {
        return aeth(Opcode.RC_RDMA_READ_RESPONSE_ONLY, place, Syndrome.ACK_UNLIMITED)
                .payload(length);
    }

    public Crafted atomicAck(int place, long original) {
        return aeth(Opcode.RC_ATOMIC_ACKNOWLEDGE, place, Syndrome.ACK_UNLIMITED).original(original);
    }

    /** The whole response to a READ of the work, its first packet at this place. */
    public Crafted[] responses(int place) {
        return responses(place, 0);
    }

    /** Its packets from {@code from} on: FIRST, MIDDLEs, LAST as they were the first time. */
    public Crafted[] responses(int place, int from) {
        int count = packetsPerMessage();
        if (count == 1) {
            return new Crafted[] {readOnly(place, work.size())};
        }
        List<Crafted> packets = new ArrayList<>();
        for (int index = from; index < count; index++) {
            packets.add(
                    index == 0
                            ? readFirst(place)
                            : index == count - 1
                                    ? readLast(place + index, work.size() - index * mtu())
                                    : readMiddle(place + index));
        }
        return packets.toArray(Crafted[]::new);
    }

    // How the work ends.

    /** The requests up to this one have succeeded, in order, where that can be seen. */
    public void succeeded(int count) {
        int end = count + warmed();
        for (int id = messages; id < end; id++) {
            completes(id, WcStatus.SUCCESS);
        }
        messages = end;
    }

    private int warmed() {
        return base == 0 ? 0 : 1;
    }

    /** The next request fails with this status, those behind it are flushed, and the queue pair has ended. */
    public void fails(WcStatus status) {
        spend();
        if (inside() != null) {
            completes(messages, status);
            for (int id = messages + 1; id < work.count(); id++) {
                completes(id, WcStatus.WR_FLUSH_ERR);
            }
            completesNothing();
            stateIs(QpState.ERR);
            return;
        }
        oracles().add(Oracle.COMPLETION);
        String said = connection()
                .pace()
                .await(connection().failure(), connection().timing().answer());
        if (!String.valueOf(status.number()).equals(said)) {
            throw failed("the peer's program should have failed with status " + status.number() + " (" + status + "); "
                    + (said == null ? "it did not fail" : "it failed with status " + said));
        }
    }

    /** True where the work has failed. */
    public boolean hasFailed() {
        return inside() == null ? connection().failure().get() != null : inside().state() != QpState.RTS;
    }

    /** The number of the status that the work has failed with, where {@link #hasFailed} says so. */
    public int failure() {
        oracles().add(Oracle.COMPLETION);
        if (inside() == null) {
            return Integer.parseInt(connection().failure().get());
        }
        WorkCompletion completion = nextCompletion();
        if (completion == null) {
            throw failed("the peer's queue pair has ended, and no completion says so");
        }
        return completion.status().number();
    }

    /** The peer's next packet; {@code null} where the work fails first, or nothing comes for four timeouts. */
    public Seen nextUnlessFailed() {
        long end = now() + patience();
        Seen packet = null;
        while (packet == null && !hasFailed() && now() < end) {
            packet = next(connection().timing().quiet() / 4);
        }
        if (packet != null && goesOn(packet)) {
            throw failed(WENT_ON);
        }
        return packet;
    }

    /**
     * The peer has no (more) completion. An ordinary program does not show its first one, but sends its next message
     * where it had it.
     */
    @Override
    public void completesNothing() {
        super.completesNothing();
        if (connection().line().holds(this::goesOn)) {
            throw failed(WENT_ON);
        }
    }

    /** True for what an ordinary program sends when the work is done, where none of it should be. */
    private boolean goesOn(Seen packet) {
        return messages == 0 && isBeyond(packet);
    }

    /** The peer's program ends here, whatever it does. */
    public void abandoned() {
        spend();
    }

    /** The bytes of the responses to a READ, from this place on. */
    public byte[] answered(int place, int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at += mtu()) {
            int part = Math.min(mtu(), length - at);
            System.arraycopy(Pattern.of(psn(place + at / mtu()), part), 0, bytes, at, part);
        }
        return bytes;
    }

    /** All of the work's messages, in order; behind {@link #warmUp} all but the first. */
    public void expectAll() {
        for (int index = 0; index < work.count() - warmed(); index++) {
            for (Expected expected : message(index * psnsPerMessage())) {
                expectSkippingResends(expected);
            }
        }
    }

    /** A slow peer may send the first of a burst again before the last is out. */
    public void expectSkippingResends(Expected expected) {
        Seen packet = next();
        while (!connection().pace().isVirtual() && Psn.difference(packet.psn(), expected.psn()) < 0) {
            packet = next();
        }
        match(packet, expected);
    }

    /** Nothing (more) comes: as long as what is outstanding is not yet missed. */
    @Override
    public void silence() {
        silence(Math.min(connection().timing().quiet(), timeout() == TIMEOUT_UNIT ? Long.MAX_VALUE : timeout() / 2));
    }

    /** An ordinary program goes on with its next messages when the work's are done. */
    @Override
    boolean isBeyond(Seen packet) {
        return inside() == null
                && Psn.difference(packet.psn(), Psn.add(connection().peerPsn(), work.count() * psnsPerMessage())) >= 0;
    }

    private int psnsPerMessage() {
        return work.op() == Work.Op.FETCH_ADD || work.op() == Work.Op.COMPARE_SWAP ? 1 : packetsPerMessage();
    }

    /** The packet is the one expected, in all that can be told. */
    public Seen expectOne(Expected expected) {
        return expectWithin(connection().timing().answer(), expected);
    }
}
