package org.rdma4j.tools.conform.iwarp;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.MpaVariant;
import org.rdma4j.tools.conform.check.Oracle;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.NetworkOrder;

/**
 * A peer of iWARP under test, and the words for what is sent to it. Messages are named by their place: 0 is the first one
 * that the peer expects on its queue when the story starts.
 */
public final class IwarpScene extends StreamScene {

    /** Where the hand-played side's memory is said to be. */
    public static final int SINK_TAG = Requester.R_KEY;

    public static final long SINK = Requester.ADDRESS;

    /** Bytes that good exchanges write and read, from the target's first one on. */
    public static final int SMALL = 8;

    private static final int GREETING = 0x40;
    private static final int FAREWELL = 0x41;

    private Target target;
    private int sends = 1;
    private int reads = 1;
    private long receives;

    IwarpScene(Session session, MpaVariant variant) {
        super(session, variant);
    }

    // What is sent.

    /** The MSN of a place on the queue of Sends. */
    public int sendMsn(int place) {
        return sends + place;
    }

    /** The MSN of a place on the queue of Read Requests. */
    public int readMsn(int place) {
        return reads + place;
    }

    /** So many Sends of the story's were good ones: places count from behind them. */
    public void pastSends(int count) {
        sends += count;
        receives += count;
    }

    /** So many Read Requests of the story's were good ones. */
    public void pastReads(int count) {
        reads += count;
    }

    public Target target() {
        return target;
    }

    /** READs that the peer takes on at once: as its reply says, where it does. */
    public int ird() {
        return heard().data() == null
                ? session().application().ird()
                : heard().data().ird();
    }

    /** Bytes of the memory that the target's STag is for. */
    public int registered() {
        return target.size();
    }

    /** The offset of a byte of the target. */
    public long at(long byteOfTarget) {
        return target.offset() + byteOfTarget;
    }

    /** A Write of bytes to a place in the target. */
    public Ulpdu write(long byteOfTarget, byte... bytes) {
        return Ulpdu.write(target.sTag(), at(byteOfTarget), bytes);
    }

    /** A segment of a Write that is not the last one. */
    public Ulpdu writePart(long byteOfTarget, byte... bytes) {
        return Ulpdu.tagged(RdmapOpcode.WRITE, false, target.sTag(), at(byteOfTarget), bytes);
    }

    /**
     * The bytes of a good message: where the hand-played side's memory is and how long, as rping's messages tell it, other
     * bytes of it for another place.
     */
    public byte[] message(int place) {
        return advert(100 + place);
    }

    /** The bytes of a message that tells of so many bytes of the hand-played side's memory. */
    public byte[] advert(int size) {
        byte[] bytes = new byte[IwarpSetup.RECEIVE_SIZE];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(NetworkOrder.LONG, 0, SINK);
        segment.set(NetworkOrder.INT, 8, SINK_TAG);
        segment.set(NetworkOrder.INT, 12, size);
        return bytes;
    }

    /** A Send with the good message of this place. */
    public Ulpdu send(int place) {
        return Ulpdu.send(sendMsn(place), message(place));
    }

    /** A segment of the Send of this place: bytes of its message from {@code from} to {@code to}. */
    public Ulpdu sendPart(int place, int from, int to, boolean last) {
        return Ulpdu.untagged(
                RdmapOpcode.SEND,
                last,
                UntaggedHeader.SEND_QUEUE,
                sendMsn(place),
                from,
                Arrays.copyOfRange(message(place), from, to));
    }

    /** A Read Request for bytes of the target, to the start of the hand-played side's memory. */
    public Ulpdu read(int place, long byteOfTarget, long size) {
        return Ulpdu.read(readMsn(place), SINK_TAG, SINK, size, target.sTag(), at(byteOfTarget));
    }

    // What comes.

    /** The peer's next FPDU has this opcode. */
    public Arrival expect(int opcode) {
        Arrival arrival = next();
        require(
                arrival.opcode() == opcode && DdpControl.tagged(arrival.control()) == RdmapOpcode.isTagged(opcode),
                "due of the peer: a " + RdmapOpcode.name(opcode) + "; it sent " + arrival);
        return arrival;
    }

    /** What a Read Request of the peer's asks for. */
    public ReadRequest wanted(Arrival request) {
        byte[] bytes = request.payload();
        require(bytes.length == ReadRequest.LENGTH, "a Read Request has 28 bytes; the peer sent " + request);
        return ReadRequest.parse(MemorySegment.ofArray(bytes), 0);
    }

    /** The first word of the Terminate that the peer sends now, and what follows it. */
    public byte[] terminate() {
        Arrival terminate = expect(RdmapOpcode.TERMINATE);
        byte[] said = terminate.payload();
        require(said.length >= Terminate.CONTROL_LENGTH, "the peer sent " + terminate);
        return said;
    }

    /** An untagged message of the peer's in one segment, on its queue, with this MSN. */
    public Arrival expectMessage(int opcode, int msn) {
        Arrival arrival = expect(opcode);
        UntaggedHeader header = arrival.untagged();
        require(
                header.queueNumber() == RdmapOpcode.queueNumber(opcode)
                        && header.messageSequenceNumber() == msn
                        && header.messageOffset() == 0
                        && arrival.isLast(),
                "due of the peer: a " + RdmapOpcode.name(opcode) + " on queue " + RdmapOpcode.queueNumber(opcode)
                        + " with MSN " + msn + ", in one segment; it sent " + arrival);
        return arrival;
    }

    /** A Read Response, or a Write, to this place, in as many segments as it takes. @return its bytes */
    public byte[] expectTagged(int opcode, int sTag, long offset) {
        byte[] bytes = {};
        while (true) {
            Arrival arrival = expect(opcode);
            require(
                    arrival.tagged().sTag() == sTag && arrival.tagged().taggedOffset() == offset + bytes.length,
                    String.format(
                            "due of the peer: a segment to STag 0x%08x, offset 0x%x; it sent %s",
                            sTag, offset + bytes.length, arrival));
            byte[] part = arrival.payload();
            bytes = Arrays.copyOf(bytes, bytes.length + part.length);
            System.arraycopy(part, 0, bytes, bytes.length - part.length, part.length);
            if (arrival.isLast()) {
                return bytes;
            }
        }
    }

    /** A Read Response to the start of the hand-played side's memory, of these bytes. */
    public void expectResponse(byte[] bytes) {
        byte[] seen = expectTagged(RdmapOpcode.READ_RESPONSE, SINK_TAG, SINK);
        require(
                Arrays.equals(bytes, seen),
                "the Read Response has " + seen.length + " bytes, due were " + bytes.length
                        + (seen.length == bytes.length ? "; they differ at byte " + Arrays.mismatch(bytes, seen) : ""));
    }

    /** At most so many Read Responses of one segment may come now. */
    public void skipResponses(int most) {
        for (int count = 0; count < most; count++) {
            Arrival arrival = next();
            if (arrival.opcode() != RdmapOpcode.READ_RESPONSE) {
                unread(arrival);
                return;
            }
        }
    }

    /** The peer ends the stream by one Terminate that says this, and by nothing else. */
    public Arrival terminates(TerminateCode code) {
        Arrival terminate = next();
        require(
                terminate.opcode() == RdmapOpcode.TERMINATE && !DdpControl.tagged(terminate.control()),
                "due of the peer: a Terminate, " + Arrival.named(code) + "; it sent " + terminate);
        require(
                code.equals(terminate.terminateCode()),
                "due of the peer: a Terminate, " + Arrival.named(code) + "; it sent " + terminate);
        closes();
        over();
        return terminate;
    }

    /** The peer ends the stream by one Terminate, and by nothing else. @return what it says; null where nobody knows */
    public TerminateCode terminates() {
        Arrival terminate = expect(RdmapOpcode.TERMINATE);
        closes();
        over();
        return terminate.terminateCode();
    }

    /** The peer ends its stream, with a Terminate or without. */
    public void endsSomehow() {
        Arrival arrival = next(session().timing().answer());
        require(arrival != null, "the peer should have ended the connection; it did not");
        if (!arrival.equals(Arrival.END)) {
            require(arrival.isWhole() && arrival.opcode() == RdmapOpcode.TERMINATE, "the peer sent " + arrival);
            closes();
        }
    }

    /** The connection is over at the peer's end too. */
    public void over() {
        spend();
        stateIs(QpState.ERR);
        guardsAreWhole();
    }

    /** The segment ends the stream: the peer tells why. */
    public Arrival refused(TerminateCode code, Ulpdu wrong) {
        send(wrong);
        return terminates(code);
    }

    /** True where the peer ends the stream by a Terminate, whatever it says; false where it does not. */
    public boolean endsByTerminate() {
        Arrival arrival = next(session().timing().quiet());
        if (arrival == null) {
            return false;
        }
        if (arrival.equals(Arrival.END)) {
            throw failed("the peer ended the connection without a Terminate");
        }
        if (!arrival.isWhole() || arrival.opcode() != RdmapOpcode.TERMINATE) {
            unread(arrival);
            return false;
        }
        closes();
        over();
        return true;
    }

    // The good exchanges.

    /** Setup and the good exchange before the story: without it nothing can be judged. */
    void greet() {
        try {
            establish();
            meet();
            exchange(GREETING);
        } catch (Outcome.Failed e) {
            throw new Outcome.Inconclusive("the good exchange before the check went wrong: " + e.getMessage());
        }
    }

    /** Learns which memory of the peer's the story may use. */
    public void meet() {
        target = session().application().introduce(this);
    }

    /** The message of no bytes that starts a peer-to-peer connection. */
    public void ready(EnhancedData offered) {
        if (offered.writeRtr()) {
            send(Ulpdu.write(0, 0));
        } else if (offered.readRtr()) {
            send(Ulpdu.read(reads++, SINK_TAG, SINK, 0, 0, 0));
            expectResponse(new byte[0]);
        } else {
            send(Ulpdu.send(sends++));
        }
    }

    /** True where a good exchange still goes well; false where the peer has ended its stream, with a Terminate or without. */
    public boolean isAliveStill() {
        byte[] bytes = Pattern.of(FAREWELL, SMALL);
        sendTogether(write(0, bytes), read(0, 0, SMALL));
        Arrival arrival = next(session().timing().answer());
        require(arrival != null, "the peer neither answers nor ends its stream");
        if (arrival.equals(Arrival.END)) {
            return false;
        }
        if (arrival.isWhole() && arrival.opcode() == RdmapOpcode.TERMINATE) {
            closes();
            return false;
        }
        require(
                arrival.isWhole() && arrival.opcode() == RdmapOpcode.READ_RESPONSE && arrival.payload().length == SMALL,
                "the peer sent " + arrival);
        pastReads(1);
        return true;
    }

    private void exchange(int seed) {
        byte[] bytes = Pattern.of(seed, SMALL);
        sendTogether(write(0, bytes), read(0, 0, SMALL));
        expectResponse(bytes);
        pastReads(1);
    }

    /** The good exchange after the story, on the same connection. */
    public void alive() {
        if (target == null) {
            meet();
        }
        exchange(FAREWELL);
        silence();
        stateIs(QpState.RTS);
        guardsAreWhole();
    }

    // What the peer has got.

    /** The peer has got the good message of this place. */
    public void delivered(int place) {
        session().application().delivered(this, place);
    }

    /** The target holds these bytes: seen inside of the peer, or read over the wire. */
    public void targetHolds(int byteOfTarget, byte[] bytes) {
        send(read(0, byteOfTarget, bytes.length));
        pastReads(1);
        expectResponse(bytes);
        if (sees(Oracle.MEMORY)) {
            int difference = Arrays.mismatch(bytes, objects().bytes(byteOfTarget, bytes.length));
            require(difference < 0, "the peer's memory differs from what it should hold at byte " + difference);
            guardsAreWhole();
        }
    }

    /** The target's bytes are still what they were filled with, where that can be seen. */
    public void untouched(int byteOfTarget, int length) {
        if (sees(Oracle.MEMORY)) {
            byte[] before = Arrays.copyOfRange(
                    Pattern.of(MEMORY_SEED, byteOfTarget + length), byteOfTarget, byteOfTarget + length);
            int difference = Arrays.mismatch(before, objects().bytes(byteOfTarget, length));
            require(difference < 0, "the peer's memory was written at byte " + (byteOfTarget + difference));
        }
    }

    /** What the target is filled with at first: this seed's pattern. */
    public static final int MEMORY_SEED = 0x77;

    /** The built-in peer is given work, once its connection stands. */
    public void post(Work work) {
        require(
                await(() -> objects().state() == QpState.RTS ? true : null) != null,
                "the peer's queue pair has not come to RTS");
        objects().post(work);
    }

    /** The built-in peer's application sends a message of no meaning. */
    public void postSend() {
        post(new Work(Work.Op.SEND, IwarpSetup.RECEIVE_SIZE, 1));
    }

    /** The built-in peer's application ends the connection in order. */
    public void disconnects() {
        objects().device().control(() -> life().connection().disconnect());
    }

    /** True where the built-in peer's completion queue has an event, or gets one in the time that an answer takes. */
    public boolean getsEvent() {
        return session()
                        .pace()
                        .await(
                                () -> hasEvent() ? this : null,
                                session().timing().answer())
                != null;
    }

    /** True where it has one now. */
    public boolean hasEvent() {
        try {
            boolean event = session().inside().channel().getEvent(Duration.ZERO) != null;
            if (event) {
                objects().cq().ackEvents(1);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The first message of a peer that has asked for the connection: an ordinary program's comes by itself. */
    public Arrival firstMessage() {
        if (session().inside() != null) {
            postSend();
        }
        return expectMessage(RdmapOpcode.SEND, 1);
    }

    /** The peer's application was told of a no, and of what came with it, where that can be seen. */
    public void isRejected(byte[] reason) {
        spend();
        if (sees(Oracle.STATE)) {
            byte[] told = await(() -> life().rejection());
            require(told != null, "the peer's application was not told that it was rejected");
            require(Arrays.equals(reason, told), "the peer's application was told another reason");
        }
    }

    /** The peer ends a connection that it takes for open and has not used yet, by one Terminate that says this. */
    public void terminatesSetup(TerminateCode code) {
        Arrival terminate = expect(RdmapOpcode.TERMINATE);
        require(
                code.equals(terminate.terminateCode(false)),
                "due of the peer: a Terminate, " + Arrival.named(code) + "; it sent " + terminate);
        closes();
        spend();
    }

    /** So many Read Requests at once, of the target's first bytes, are all answered. */
    public void readAtOnce(int count) {
        Ulpdu[] requests = new Ulpdu[count];
        for (int place = 0; place < count; place++) {
            requests[place] = read(place, 0, SMALL);
        }
        sendTogether(requests);
        for (int place = 0; place < count; place++) {
            expectTagged(RdmapOpcode.READ_RESPONSE, SINK_TAG, SINK);
        }
        pastReads(count);
    }

    /** The peer's own objects. */
    public Inside objects() {
        return session().inside().objects();
    }

    public Life life() {
        return session().inside().life();
    }

    /** The peer's queue pair is, or comes to be, in this state, where that can be seen. */
    public void stateIs(QpState state) {
        if (sees(Oracle.STATE) && await(() -> objects().state() == state ? state : null) == null) {
            throw failed("the peer's queue pair is in " + objects().state() + ", not in " + state);
        }
    }

    /** No byte outside of the peer's registered memory was touched, where that can be seen. */
    public void guardsAreWhole() {
        if (sees(Oracle.MEMORY)) {
            require(objects().guardsAreWhole(), "bytes outside of the peer's registered memory were written");
        }
    }

    /** The id of the receive that the Send of this place takes. */
    public long receive(int place) {
        return receives + place;
    }

    /** The peer's next completion is this one; {@code null} where it cannot be seen. */
    public WorkCompletion completes(long id, WcStatus status) {
        if (!sees(Oracle.COMPLETION)) {
            return null;
        }
        WorkCompletion completion = await(objects()::poll);
        require(completion != null, "no completion came; that of work request " + id + " was due, " + status);
        require(
                completion.wrId() == id && completion.status() == status,
                "completed was work request " + completion.wrId() + ", " + completion.status() + "; due was " + id
                        + ", " + status);
        return completion;
    }

    /** The receives that are left, from this place on, complete as flushed, where that can be seen. */
    public void flushed(int place) {
        if (sees(Oracle.COMPLETION)) {
            for (long id = receive(place); id < session().application().receives(); id++) {
                completes(id, WcStatus.WR_FLUSH_ERR);
            }
            completesNothing();
        }
    }

    /** The peer has no (more) completion, where that can be seen. */
    public void completesNothing() {
        if (sees(Oracle.COMPLETION)) {
            WorkCompletion completion = objects().poll();
            require(
                    completion == null,
                    completion == null
                            ? ""
                            : "nothing more should have completed; work request " + completion.wrId() + " did, "
                                    + completion.status());
        }
    }
}
