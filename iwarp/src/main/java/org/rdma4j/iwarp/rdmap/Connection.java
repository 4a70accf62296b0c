package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEnd.Reason;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.mpa.FpduReader;
import org.rdma4j.iwarp.mpa.MpaHandshake;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.mpa.MpaState;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.stream.Train;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.transport.State;

/**
 * A connection: TCP's, then MPA's setup on it, then the stream of FPDUs that a queue pair speaks on, then its end. What is
 * needed for one of these only is let go of with it, so that an idle connection is small.
 */
final class Connection implements IwarpConnection, StreamHandler {

    /** A responder that may send first does so this much later: siw wants the reply to come alone. */
    private static final long REPLY_ALONE = 100_000_000L;

    /**
     * The asking application hears of its connection as much later as the peer took for its reply, within these: siw sends
     * its reply first and then has its queue pair listen, and what comes in between is left lying until more comes.
     */
    private static final long SHORTEST_SETTLING = 5_000_000L;

    private static final long LONGEST_SETTLING = 100_000_000L;

    /** So long the peer may take to end its stream once this side has. */
    private static final long LINGER = 2_000_000_000L;

    private static final byte[] NOTHING = {};

    private enum Phase {
        /** TCP's connection is asked for. */
        CONNECTING,
        /** MPA's request and reply. */
        SETUP,
        /** FPDUs. */
        OPEN,
        /** This side has said all; what comes is not looked at. */
        LINGERING,
        CLOSED
    }

    private final IwarpEngine engine;
    private final ConnectionEvents events;
    private final boolean asks;
    private final Listening listening; // null where it was not taken by one
    private final ConnectParameters parameters; // of the side that asks; null once they are sent
    private Phase phase;
    private StreamSocket socket;
    private MpaHandshake handshake; // null before there is a stream, and once it is open
    private FpduReader reader; // null before it is open
    private IwarpQp qp; // null where none is promised
    private long askedAt; // when the side that asks did
    private boolean requested; // its request was told of
    private boolean stands; // it has come about; the application may still have to be told
    private boolean established; // which it was
    private boolean deaf; // nothing that comes is looked at any more
    private boolean drained; // this side's stream was ended in order
    private int ird;
    private int ord;
    private byte[] privateData = NOTHING;

    private Connection(
            IwarpEngine engine,
            ConnectionEvents events,
            boolean asks,
            Listening listening,
            ConnectParameters parameters,
            Phase phase) {
        this.engine = engine;
        this.events = events;
        this.asks = asks;
        this.listening = listening;
        this.parameters = parameters;
        this.phase = phase;
    }

    /** Asks for one. */
    static Connection ask(
            IwarpEngine engine,
            InetSocketAddress local,
            InetSocketAddress remote,
            IwarpQp qp,
            ConnectParameters parameters,
            ConnectionEvents events) {
        Connection made = new Connection(engine, events, true, null, parameters, Phase.CONNECTING);
        MpaSettings settings = made.settings();
        int room = MpaHandshake.maxPrivateData(settings.enhanced());
        if (parameters.privateData().length > room) {
            throw new IllegalArgumentException(
                    parameters.privateData().length + " bytes of private data do not fit: " + room + " do");
        }
        made.socket = engine.network().connect(local, remote, made);
        made.mark(parameters);
        made.qp = qp;
        qp.promise(made);
        engine.deadlines().at(engine.now() + settings.replyTimeout(), made::connectTimeout);
        return made;
    }

    private MpaSettings settings() {
        MpaSettings base = parameters.settings() == null ? engine.settings() : parameters.settings();
        return base.withDepths(parameters.ird(), parameters.ord());
    }

    /** Was asked: a request is to come. */
    static Connection asked(
            IwarpEngine engine,
            StreamSocket socket,
            MpaSettings settings,
            Listening listening,
            ConnectionEvents events) {
        Connection made = new Connection(engine, events, false, listening, null, Phase.SETUP);
        made.socket = socket;
        made.handshake = MpaHandshake.responder(settings, engine.now());
        made.watchTime();
        return made;
    }

    // What is known.

    @Override
    public InetSocketAddress local() {
        return socket.local();
    }

    @Override
    public InetSocketAddress remote() {
        return socket.remote();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public int ird() {
        return ird;
    }

    @Override
    public int ord() {
        return ord;
    }

    @Override
    public boolean isEstablished() {
        return established && phase == Phase.OPEN;
    }

    // Setup.

    @Override
    public void connected() {
        MpaSettings settings = settings();
        phase = Phase.SETUP;
        askedAt = engine.now();
        handshake = MpaHandshake.initiator(settings, parameters.privateData(), askedAt);
        watchTime();
        sendFrame();
    }

    private void connectTimeout() {
        if (phase == Phase.CONNECTING) {
            socket.close();
            fail(ConnectionEnd.of(Reason.TIMED_OUT, "nobody has answered in time"));
        }
    }

    /** Has the handshake hear of its deadline. */
    private void watchTime() {
        long deadline = handshake.nextDeadline();
        if (deadline != MpaHandshake.NEVER) {
            engine.deadlines().at(deadline, () -> {
                if (handshake != null && phase == Phase.SETUP) {
                    handshake.onTime(engine.now());
                    react();
                }
            });
        }
    }

    /** Sends what there is of this side's frame. @return true where all of it is sent */
    private boolean sendFrame() {
        ByteBuffer frame = handshake.toSend();
        if (!frame.hasRemaining()) {
            return true;
        }
        Train train = engine.train();
        train.reset(false, false, 0);
        train.append(MemorySegment.ofBuffer(frame), 0, frame.remaining());
        frame.position(frame.position() + engine.write(socket, 0));
        return !frame.hasRemaining();
    }

    /** What follows from where the handshake stands. */
    private void react() {
        if (phase != Phase.SETUP) {
            return;
        }
        switch (handshake.state()) {
            case AWAITS_REQUEST, AWAITS_REPLY -> {}
            case AWAITS_DECISION -> {
                if (listening != null) {
                    listening.settled(this);
                }
                takePeerData();
                requested = true;
                events.requested(this);
            }
            case AWAITS_FIRST_FPDU -> open();
            case ESTABLISHED -> {
                takePeerData();
                open();
            }
            case REFUSED -> refused();
        }
    }

    private void takePeerData() {
        privateData = handshake.privateData().toArray(ValueLayout.JAVA_BYTE);
        EnhancedData peer = handshake.peerData();
        if (asks) {
            ird = handshake.ird();
            ord = handshake.ord();
        } else {
            ird = depth(peer == null ? EnhancedData.UNNEGOTIATED : peer.ord(), handshake.ird());
            ord = depth(peer == null ? EnhancedData.UNNEGOTIATED : peer.ird(), handshake.ord());
        }
    }

    private static int depth(int said, int own) {
        return said == EnhancedData.UNNEGOTIATED ? own : Math.min(said, own);
    }

    private void refused() {
        MpaRefusal refusal = handshake.refusal();
        engine.refused(refusal);
        if (listening != null) {
            listening.settled(this);
        }
        boolean ours = refusal == MpaRefusal.REJECTED || refusal == MpaRefusal.ABANDONED;
        if (refusal == MpaRefusal.REJECTED_BY_PEER) {
            privateData = handshake.privateData().toArray(ValueLayout.JAVA_BYTE);
        }
        if (refusal.terminateCode() != null) {
            terminateUnopened(refusal.terminateCode());
        } else if (sendFrame()) {
            linger();
        } else {
            engine.deadlines().at(engine.now() + LINGER, this::shut); // the rest of the frame goes with writable
        }
        releaseQp();
        if (refusal == MpaRefusal.REJECTED_BY_PEER) {
            events.rejected(this);
        } else if ((asks || requested) && !ours) {
            events.failed(this, ConnectionEnd.of(refusal));
        }
    }

    /** The peer takes the connection for open, so it is told by a FPDU (RFC 6581, 8). */
    private void terminateUnopened(TerminateCode code) {
        Train train = engine.train();
        train.reset(handshake.crc(), handshake.sendsMarkers(), 0);
        MessageWriter.terminate(train, TerminateMessage.of(code));
        if (engine.write(socket, 0) < train.length()) {
            socket.reset(); // a buffer that is full at once: nobody reads there
            phase = Phase.CLOSED;
        } else {
            linger();
        }
    }

    /** Full operation: the queue pair has the stream from here on. */
    private void open() {
        boolean markers = handshake.sendsMarkers();
        StreamRules rules = new StreamRules(
                handshake.crc(),
                markers,
                Fpdu.mulpdu(socket.segmentSize(), markers),
                handshake.ird(),
                handshake.ord(),
                qp.config().extendedOps,
                handshake.rtr());
        ird = rules.ird();
        ord = rules.ord();
        reader = new FpduReader(handshake.receivesMarkers(), handshake.crc());
        phase = Phase.OPEN;
        boolean whole = sendFrame();
        stands = asks || handshake.rtr() == null;
        qp.start(socket, rules, asks, engine.now());
        if (asks) {
            handshake = null;
        } else {
            qp.hold();
            frameSent(whole);
        }
        if (stands) {
            engine.deadlines().at(engine.now() + (asks ? settling() : 0), this::tellEstablished);
        }
    }

    private long settling() {
        return Math.clamp(engine.now() - askedAt, SHORTEST_SETTLING, LONGEST_SETTLING);
    }

    private void tellEstablished() {
        if (phase == Phase.OPEN && !established) {
            established = true;
            events.established(this);
        }
    }

    /** The reply is sent, or TCP has not taken it whole and nothing may follow it yet. */
    private void frameSent(boolean whole) {
        if (!whole) {
            qp.block();
        } else if (handshake.maySend()) {
            engine.deadlines().at(engine.now() + REPLY_ALONE, this::sendFirst);
        }
    }

    private void sendFirst() {
        if (phase == Phase.OPEN && handshake != null) {
            qp.letGo();
        }
    }

    @Override
    public void accept(int qpNum, ConnectParameters answer) {
        requireRequest();
        IwarpQp chosen = engine.idle(qpNum);
        handshake.accept(answer.ird(), answer.ord(), answer.privateData());
        qp = chosen;
        chosen.promise(this);
        mark(answer);
        react();
    }

    private void mark(ConnectParameters wanted) {
        if (wanted.trafficClass() != 0) {
            socket.trafficClass(wanted.trafficClass());
        }
    }

    @Override
    public void reject(byte[] answer) {
        requireRequest();
        handshake.reject(answer);
        react();
    }

    private void requireRequest() {
        if (phase != Phase.SETUP || asks || handshake.state() != MpaState.AWAITS_DECISION) {
            throw new IllegalStateException("the connection has no request that waits for an answer");
        }
    }

    // The stream.

    @Override
    public int received(MemorySegment segment, long at, int length) {
        int consumed = 0;
        while (consumed < length) {
            if (deaf || phase == Phase.LINGERING || phase == Phase.CLOSED) {
                return length;
            }
            int taken = phase == Phase.SETUP
                    ? receiveFrame(segment, at + consumed, length - consumed)
                    : receiveFpdu(segment, at + consumed, length - consumed);
            if (taken == 0) {
                return consumed;
            }
            consumed += taken;
        }
        return consumed;
    }

    private int receiveFrame(MemorySegment segment, long at, int length) {
        int taken = handshake.feed(segment, at, length, engine.now());
        react();
        return taken == 0 && phase != Phase.SETUP ? length : taken;
    }

    private int receiveFpdu(MemorySegment segment, long at, int length) {
        return switch (reader.next(segment, at, length)) {
            case INCOMPLETE -> 0;
            case REFUSED -> {
                qp.terminate(TerminateMessage.of(reader.refusal()));
                yield length;
            }
            case ULPDU -> {
                int taken = reader.consumed();
                engine.network().counters().receivedPackets++;
                onUlpdu(segment, reader.ulpduOffset(), reader.ulpduLength());
                yield taken;
            }
        };
    }

    private void onUlpdu(MemorySegment segment, long at, int length) {
        if (handshake != null && !onFirstUlpdu(segment, at, length)) {
            return;
        }
        deaf |= !qp.onSegment(segment, at, length);
    }

    /** @return false where the queue pair has nothing to do with it */
    private boolean onFirstUlpdu(MemorySegment segment, long at, int length) {
        boolean right = handshake.onFirstUlpdu(segment, at, length);
        MpaHandshake over = handshake;
        handshake = null;
        if (!right) {
            engine.refused(over.refusal());
            qp.terminate(TerminateMessage.of(over.refusal().terminateCode()));
            return false;
        }
        qp.letGo();
        stands = true;
        tellEstablished();
        return length > 0 || over.rtr() == null; // one of nothing at all only says that the peer is ready
    }

    @Override
    public void writable() {
        switch (phase) {
            case SETUP -> {
                if (sendFrame() && handshake.state() == MpaState.REFUSED) {
                    linger();
                }
            }
            case OPEN -> onOpenWritable();
            case CONNECTING, LINGERING, CLOSED -> {}
        }
    }

    private void onOpenWritable() {
        if (handshake != null && handshake.toSend().hasRemaining()) {
            if (!sendFrame()) {
                return;
            }
            frameSent(true);
        }
        qp.onWritable();
    }

    // Ends.

    @Override
    public void ended(int left) {
        switch (phase) {
            case SETUP -> {
                handshake.onClosed();
                react();
            }
            case OPEN -> {
                socket.close();
                over(
                        left == 0 && !qp.isAmidMessage()
                                ? ConnectionEnd.of(Reason.DISCONNECTED, "the peer has ended the stream")
                                : ConnectionEnd.of(Reason.LOST, "the peer closed in the middle of a message"));
            }
            case CONNECTING, LINGERING, CLOSED -> shut();
        }
    }

    @Override
    public void broken(StreamException cause) {
        switch (phase) {
            case CONNECTING -> fail(ConnectionEnd.of(refusedOrLost(cause.getMessage()), cause.getMessage()));
            case SETUP -> {
                handshake.onClosed();
                react();
                shut();
            }
            case OPEN -> over(ConnectionEnd.of(Reason.LOST, cause.getMessage()));
            case LINGERING, CLOSED -> shut();
        }
    }

    private static Reason refusedOrLost(String words) {
        return words.contains("refused") ? Reason.REFUSED : Reason.LOST;
    }

    /** The queue pair that was promised a stream gets none. */
    private void releaseQp() {
        if (qp != null) {
            qp.release();
            qp = null;
        }
    }

    /** It did not come to a stream. */
    private void fail(ConnectionEnd end) {
        phase = Phase.CLOSED;
        releaseQp();
        events.failed(this, end);
    }

    /** The stream is over and its socket has been looked after. */
    private void over(ConnectionEnd end) {
        if (phase == Phase.OPEN) {
            phase = Phase.CLOSED;
        }
        IwarpQp left = qp;
        qp = null;
        deaf = true;
        handshake = null;
        reader = null;
        if (left != null) {
            left.onStreamOver(engine.now());
        }
        // Behind the flush, and never inside of a call of the application's.
        engine.deadlines().at(engine.now(), () -> tellOver(end));
    }

    /** One that is over before its owner was told that it stands was there all the same. */
    private void tellOver(ConnectionEnd end) {
        if (!stands) {
            events.failed(this, end);
            return;
        }
        if (!established) {
            established = true;
            events.established(this);
        }
        events.ended(this, end);
    }

    private void linger() {
        socket.finish();
        phase = Phase.LINGERING;
        engine.deadlines().at(engine.now() + LINGER, this::shut);
    }

    private void shut() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            socket.close();
        }
    }

    @Override
    public void disconnect() {
        switch (phase) {
            case CONNECTING, SETUP -> abort();
            case OPEN -> {
                if (qp.state() == State.RTS) {
                    qp.enter(State.SQD, engine.now());
                }
            }
            case LINGERING, CLOSED -> {}
        }
    }

    @Override
    public void abort() {
        if (phase == Phase.CLOSED || phase == Phase.LINGERING) {
            return;
        }
        if (listening != null) {
            listening.settled(this);
        }
        boolean open = phase == Phase.OPEN;
        phase = Phase.CLOSED;
        deaf = true;
        socket.reset();
        if (open && qp != null) {
            IwarpQp left = qp;
            qp = null;
            left.onStreamOver(engine.now());
        } else {
            releaseQp();
        }
    }

    // What the queue pair says.

    /** Everything that was posted is sent and answered. */
    void onDrained() {
        drained = true;
        socket.finish();
    }

    /** A Terminate of this side is on its way. */
    void onTerminating() {
        deaf = true;
    }

    /** TCP has taken it; the queue pair has left. */
    void onTerminateSent(TerminateCode code) {
        qp = null;
        linger();
        over(ConnectionEnd.of(Reason.TERMINATED, code));
    }

    /** The peer has terminated; the queue pair has left. */
    void onTerminated(TerminateCode code) {
        qp = null;
        shut();
        over(ConnectionEnd.of(Reason.TERMINATED_BY_PEER, code));
    }

    /** The stream cannot be gone on with; the queue pair has left. */
    void onUnusable(String why) {
        qp = null;
        phase = Phase.CLOSED;
        socket.reset();
        over(ConnectionEnd.of(Reason.LOST, why));
    }

    /** The peer has not let it end in time; the queue pair has left. */
    void onPatienceOver() {
        if (drained) {
            qp = null;
            shut();
            over(ConnectionEnd.of(Reason.DISCONNECTED, "this side has ended the stream, the peer has not"));
        } else {
            onUnusable("the peer takes nothing: the stream could not be ended in order");
        }
    }

    /** The queue pair was reset, destroyed or set to ERR, and has left. */
    void onAbandoned() {
        qp = null;
        if (phase == Phase.OPEN) {
            shut();
            over(ConnectionEnd.of(Reason.ABANDONED, "the queue pair has left the connection"));
        } else {
            abort();
        }
    }
}
