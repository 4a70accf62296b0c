package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.craft.CmNames;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** What stories of connection management have in common: messages to and from the peer's queue pair 1. */
public abstract class CmScene extends Scene {

    /** A time of connection management is 4.096 µs · 2^code. */
    private static final long UNIT_NANOS = 4096;

    private final CmEnds ends;
    private final Variant variant;
    private final List<CmMad> copies = new ArrayList<>();
    private long transactionId;
    private int ourId;
    private int peersId;
    private int datagrams;
    private Responder responder;

    CmScene(CmEnds ends, Variant variant) {
        super(new Connection(
                ends.line(),
                ends.pace(),
                ends.timing(),
                variant.mtu(),
                variant.psn(),
                variant.psn(),
                0,
                0,
                0,
                0,
                0,
                null,
                () -> null,
                () -> {}));
        this.ends = ends;
        this.variant = variant;
        ends.line().connect(ends.peer(), 0);
    }

    CmEnds ends() {
        return ends;
    }

    Variant variant() {
        return variant;
    }

    /** What the peer's first packet on the connection has for its PSN. */
    public int peersFirstPsn() {
        return variant.psn();
    }

    /** A code of the messages in nanoseconds. */
    public static long nanos(int code) {
        return UNIT_NANOS << code;
    }

    /** The line's own queue pair. */
    public int ourQpn() {
        return connection().line().qpn();
    }

    public Gid ourGid() {
        return connection().line().gid();
    }

    public Gid peersGid() {
        return ends.peer();
    }

    // The connection's names.

    public long transactionId() {
        return transactionId;
    }

    void transactionId(long value) {
        transactionId = value;
    }

    /** A transaction of its own. */
    public long freshTransaction() {
        transactionId = ThreadLocalRandom.current().nextLong();
        return transactionId;
    }

    public int ourId() {
        return ourId;
    }

    /** Another name for a connection; what the peer says about it comes here. */
    int freshId() {
        ourId = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        ends.line().answersTo(ourId);
        peersId = 0;
        return ourId;
    }

    /** A name for a connection of which the peer has not heard. */
    public int anotherId() {
        freshTransaction();
        return freshId();
    }

    /** The peer's; 0 before it is known. */
    public int peersId() {
        return peersId;
    }

    void peersId(int value) {
        peersId = value;
    }

    // What is said.

    /** Says something in the current transaction. */
    public CmMad say(CmMessage message) {
        CmMad mad = new CmMad(transactionId, 0, message);
        say(mad.toBytes());
        return mad;
    }

    /** Sends a datagram of any kind. */
    public void say(byte[] mad) {
        send(Crafted.mad(datagrams++, mad));
    }

    /** Asks for the end of the connection with this queue pair of the peer's. */
    public void disconnect(int qpn) {
        freshTransaction();
        disconnectAgain(qpn);
    }

    /** In the same transaction. */
    public void disconnectAgain(int qpn) {
        say(new CmDreq(ourId, peersId, qpn, PrivateData.EMPTY));
    }

    // On the connection.

    /** The connection that both sides have agreed on, as {@link Responder} and {@link Requester} know one. */
    abstract Connection agreed();

    Connection connection(int mtu, int ourPsn, int peersPsn, int peersQpn, CmPath path) {
        connection().line().connect(ends.peer(), peersQpn);
        return new Connection(
                connection().line(),
                connection().pace(),
                connection().timing(),
                mtu,
                ourPsn,
                peersPsn,
                peersQpn,
                0,
                0,
                0,
                path.ackTimeout(),
                null,
                () -> null,
                () -> {});
    }

    /** The peer's queue pair as one that is sent to. */
    public Responder responder() {
        if (responder == null) {
            responder = new Responder(agreed(), Service.SEND, 0);
            responder.leaves(this::isBeyond);
        }
        return responder;
    }

    /** The peer's queue pair as one that sends. */
    public Requester requester(Work work) {
        Requester requester = new Requester(agreed(), work);
        requester.leaves(this::isBeyond);
        return requester;
    }

    /** The connection stands: a message is taken. */
    public void stands() {
        responder().exchange();
    }

    /** Two packets come of which neither waits for the other. @return the second one of those that are due */
    public Seen expectBoth(Expected one, Expected other) {
        Seen first = next();
        Seen second = next();
        boolean inOrder = one.mismatch(first.packet()) == null;
        match(inOrder ? first : second, one);
        match(inOrder ? second : first, other);
        return inOrder ? second : first;
    }

    // What is heard.

    /** The peer's next packet is a message of connection management, right in all that is common to all of them. */
    public CmMad hear() {
        return hearWithin(connection().timing().answer());
    }

    public CmMad hearWithin(long nanos) {
        Seen seen = next(nanos);
        while (seen != null && isBeyond(seen)) {
            seen = next(nanos);
        }
        if (seen == null) {
            throw failed("the peer said nothing where a message of connection management was due");
        }
        Packet packet = seen.packet();
        Deth deth = packet.extension(Deth.class).orElse(null);
        if (seen.opcode() != Opcode.UD_SEND_ONLY || packet.bth().destQp() != MadHeader.GSI_QPN || deth == null) {
            throw failed("due was a message of connection management; the peer sent " + describe(seen));
        }
        require(deth.qKey() == MadHeader.GSI_Q_KEY, String.format("the Q_Key is 0x%08x", deth.qKey()));
        require(deth.sourceQp() == MadHeader.GSI_QPN, "it comes from queue pair " + deth.sourceQp() + ", not from 1");
        if (ManagementWords.parse(seen) instanceof CmMad mad) {
            return mad;
        }
        throw failed("due was a message of connection management; the peer sent " + describe(seen));
    }

    /** The peer's next message is of this kind, in the current transaction, and names the connection rightly. */
    public <M extends CmMessage> M due(Class<M> kind) {
        return due(kind, connection().timing().answer());
    }

    public <M extends CmMessage> M due(Class<M> kind, long nanos) {
        CmMad mad = hearWithin(nanos);
        require(
                mad.transactionId() == transactionId,
                "the transaction ID is not that of the exchange, in "
                        + mad.message().name());
        return of(kind, mad);
    }

    /** The peer's next message is of this kind, begins a transaction of the peer's, and names the connection rightly. */
    public <M extends CmMessage> M begun(Class<M> kind, long nanos) {
        CmMad mad = hearWithin(nanos);
        transactionId = mad.transactionId();
        return of(kind, mad);
    }

    private <M extends CmMessage> M of(Class<M> kind, CmMad mad) {
        if (!kind.isInstance(mad.message())) {
            throw failed("due was " + kind.getSimpleName().substring(2) + "; the peer said "
                    + ManagementWords.of(mad.message()));
        }
        named(mad.message());
        return kind.cast(mad.message());
    }

    private void named(CmMessage message) {
        if (message instanceof CmReq || message instanceof CmSidrReq) {
            return; // they begin a dialogue
        }
        CmNames names = CmNames.of(message);
        require(
                names.ours() == ourId,
                String.format("our ID 0x%08x is 0x%08x in %s", ourId, names.ours(), message.name()));
        require(
                peersId == 0 || names.theirs() == peersId,
                String.format("the peer's ID 0x%08x is 0x%08x in %s", peersId, names.theirs(), message.name()));
    }

    /** From now on a copy of this message may come in between: a slow peer has sent it again before it heard of ours. */
    public void mayComeAgain(CmMessage message) {
        copies.add(new CmMad(transactionId, 0, message));
    }

    /** By the end of so many nanoseconds the peer has heard of ours: what came again until then is over. */
    public void settle(long nanos) {
        pass(nanos);
        for (Seen seen = connection().line().poll();
                seen != null;
                seen = connection().line().poll()) {
            if (!isBeyond(seen)) {
                throw failed("the peer should have been silent; it sent " + describe(seen));
            }
        }
        copies.clear();
    }

    /** True where a packet is this message in the current transaction. */
    public boolean is(Seen seen, CmMessage message) {
        return new CmMad(transactionId, 0, message).equals(ManagementWords.parse(seen));
    }

    /** True where a packet rejects what was asked in the current transaction, for this reason. */
    public boolean isReject(Seen seen, RejReason reason) {
        return ManagementWords.parse(seen) instanceof CmMad mad
                && mad.transactionId() == transactionId
                && mad.message() instanceof CmRej rej
                && rej.remoteCommId() == ourId
                && rej.reason() == reason.number();
    }

    @Override
    public void silence(long nanos) {
        super.silence(nanos);
    }

    @Override
    boolean isBeyond(Seen seen) {
        return !copies.isEmpty()
                && seen.opcode() == Opcode.UD_SEND_ONLY
                && ManagementWords.parse(seen) instanceof CmMad mad
                && copies.contains(mad);
    }

    /** The peer's next message rejects what it was asked. */
    public CmRej rejected() {
        return due(CmRej.class);
    }

    public CmRej rejected(RejReason reason) {
        return rejected(reason, connection().timing().answer());
    }

    public CmRej rejected(RejReason reason, long nanos) {
        CmRej rej = due(CmRej.class, nanos);
        require(
                rej.reason() == reason.number(),
                "rejected with reason " + RejReason.words(rej.reason()) + " in place of "
                        + RejReason.words(reason.number()));
        return rej;
    }

    /** The program is told this, where that can be seen. */
    public void hears(CmEventType type, int status) {
        if (!ends.heard().shows(type)) {
            return;
        }
        oracles().add(Oracle.EVENT);
        Boolean told = connection()
                .pace()
                .await(
                        () -> ends.heard().count(type, status) > 0 ? true : null,
                        connection().timing().answer());
        require(told != null, "the peer's program was not told " + type + ", status " + status);
    }

    /** The program has been told this so often, where that can be seen. */
    public void heard(CmEventType type, int status, int times) {
        if (!ends.heard().shows(type)) {
            return;
        }
        oracles().add(Oracle.EVENT);
        long count = ends.heard().count(type, status);
        require(count == times, "the peer's program was told " + type + " " + count + " times, not " + times);
    }
}
