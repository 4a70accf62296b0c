package org.rdma4j.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;

/**
 * Sets one connection up: request, reply, and the responder's silence until the initiator's first FPDU (RFC 5044, 7.1;
 * with revision 2 the depths of READs and peer-to-peer connections: RFC 6581). It is fed with what arrives and with the
 * time, says what is to be sent, and ends {@link MpaState#ESTABLISHED} or {@link MpaState#REFUSED} with a reason.
 *
 * <p>Whoever drives it sends {@link #toSend} before anything else, hands each chunk to {@link #feed} until {@link
 * #takesFrames} says no more, and what is left of a chunk to a {@link FpduReader}; shows a responder's first ULPDU to
 * {@link #onFirstUlpdu}; sends nothing of its own before {@link #maySend}; calls {@link #onTime} at {@link
 * #nextDeadline}; and closes the connection once it is refused and all is sent. A refusal with a {@link
 * MpaRefusal#terminateCode} wants a Terminate as this side's first FPDU.
 */
public final class MpaHandshake {

    /** {@link #nextDeadline} where there is none. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The revision that RFC 5044 describes. */
    private static final int REVISION_1 = 1;

    /** The one of RFC 6581. */
    private static final int REVISION_2 = 2;

    private final boolean initiator;
    private final MpaSettings settings;
    private final MpaFrameReader incoming;

    private MpaState state;
    private MpaRefusal refusal;
    private long deadline;
    private ByteBuffer toSend = ByteBuffer.allocate(0);

    private boolean crc;
    private boolean sendsMarkers;
    private boolean negotiated;
    private int ird;
    private int ord;
    private RtrKind rtr;

    private MpaHandshake(boolean initiator, MpaSettings settings, long now) {
        this.initiator = initiator;
        this.settings = settings;
        this.incoming = new MpaFrameReader(!initiator, settings.enhanced() ? REVISION_2 : REVISION_1);
        this.state = initiator ? MpaState.AWAITS_REPLY : MpaState.AWAITS_REQUEST;
        this.deadline = now + (initiator ? settings.replyTimeout() : settings.requestTimeout());
        this.ird = settings.maxIrd();
        this.ord = settings.maxOrd();
    }

    /**
     * The side that has connected. Its request is to be sent at once.
     *
     * @param privateData the application's, at most {@link #maxPrivateData} bytes
     * @throws IllegalArgumentException for more of it
     */
    public static MpaHandshake initiator(MpaSettings settings, byte[] privateData, long now) {
        MpaHandshake handshake = new MpaHandshake(true, settings, now);
        EnhancedData data = new EnhancedData(
                settings.peerToPeer(),
                settings.peerToPeer() && settings.rtrKinds().contains(RtrKind.SEND),
                settings.maxIrd(),
                settings.peerToPeer() && settings.rtrKinds().contains(RtrKind.WRITE),
                settings.peerToPeer() && settings.rtrKinds().contains(RtrKind.READ),
                settings.maxOrd());
        int revision = settings.enhanced() ? REVISION_2 : REVISION_1;
        handshake.send(true, settings.crc(), false, revision, settings.enhanced() ? data : null, privateData);
        return handshake;
    }

    /** The side that was connected to. */
    public static MpaHandshake responder(MpaSettings settings, long now) {
        return new MpaHandshake(false, settings, now);
    }

    /** Bytes of private data that an application has in a frame: 512, or 508 beside IRD and ORD (RFC 6581, 9). */
    public static int maxPrivateData(boolean enhanced) {
        return MpaFrame.MAX_PRIVATE_DATA - (enhanced ? EnhancedData.LENGTH : 0);
    }

    private void send(
            boolean request, boolean wantsCrc, boolean rejected, int revision, EnhancedData data, byte[] privateData) {
        int room = maxPrivateData(data != null);
        if (privateData.length > room) {
            throw new IllegalArgumentException(
                    privateData.length + " bytes of private data do not fit: " + room + " do");
        }
        int own = data == null ? 0 : EnhancedData.LENGTH;
        byte[] bytes = new byte[MpaFrame.LENGTH + own + privateData.length];
        MemorySegment frame = MemorySegment.ofArray(bytes);
        boolean markers = settings.receivesMarkers() && !rejected;
        MpaFrame.write(
                frame, 0, request, markers, wantsCrc, rejected, data != null, revision, own + privateData.length);
        if (data != null) {
            data.emit(frame, MpaFrame.LENGTH);
        }
        System.arraycopy(privateData, 0, bytes, MpaFrame.LENGTH + own, privateData.length);
        toSend = ByteBuffer.wrap(bytes);
    }

    // What happens.

    /**
     * Bytes have come.
     *
     * @return how many of them were taken; the rest belongs to the stream of FPDUs, or to nobody once it is refused
     */
    public int feed(MemorySegment segment, long at, int length, long now) {
        if (state == MpaState.AWAITS_DECISION && length > 0) {
            refuse(MpaRefusal.EARLY_DATA);
            return length;
        }
        if (state != MpaState.AWAITS_REQUEST && state != MpaState.AWAITS_REPLY) {
            return 0;
        }
        if (now >= deadline) {
            onTime(now);
            return 0;
        }
        int taken = incoming.feed(segment, at, length);
        if (incoming.refusal() != null) {
            refuse(incoming.refusal());
        } else if (incoming.isComplete() && initiator) {
            onReply();
        } else if (incoming.isComplete()) {
            onRequest();
            if (taken < length && state == MpaState.AWAITS_DECISION) {
                refuse(MpaRefusal.EARLY_DATA);
            }
        }
        return taken;
    }

    private void onRequest() {
        MpaFrame frame = incoming.frame();
        if (incoming.isEnhanced() && !incoming.hasEnhancedData()) {
            refuseInWords(MpaRefusal.ENHANCED_DATA_MISSING);
        } else if (frame.markers() && !settings.sendsMarkers()) {
            refuseInWords(MpaRefusal.MARKERS_UNSUPPORTED);
        } else {
            state = MpaState.AWAITS_DECISION;
            deadline = NEVER; // how long its application takes is its own affair
        }
    }

    /** Says no by a reply with the R flag, so that the peer knows that it was heard. */
    private void refuseInWords(MpaRefusal reason) {
        reply(false, new byte[0]);
        refuse(reason);
    }

    private void onReply() {
        MpaFrame frame = incoming.frame();
        if (frame.rejected()) {
            refuse(MpaRefusal.REJECTED_BY_PEER);
        } else if (frame.markers() && !settings.sendsMarkers()) {
            refuse(MpaRefusal.MARKERS_UNSUPPORTED);
        } else if (settings.enhanced() && !incoming.isEnhanced()) {
            refuse(MpaRefusal.NOT_ENHANCED);
        } else if (settings.enhanced() && !incoming.hasEnhancedData()) {
            refuse(MpaRefusal.ENHANCED_DATA_MISSING);
        } else if (settings.crc() && !frame.crc() && settings.crcRule() == CrcRule.SIW) {
            refuse(MpaRefusal.CRC_REFUSED);
        } else {
            sendsMarkers = frame.markers();
            crc = settings.crc() || frame.crc();
            MpaRefusal mismatch = settings.enhanced() ? adopt(incoming.enhancedData()) : null;
            if (mismatch == null) {
                state = MpaState.ESTABLISHED;
                deadline = NEVER;
            } else {
                refuse(mismatch);
            }
        }
    }

    /** Takes over what the responder has settled (RFC 6581, 9.1 and 9.2). */
    private MpaRefusal adopt(EnhancedData data) {
        negotiated = true;
        if (data.ird() != EnhancedData.UNNEGOTIATED) {
            ord = Math.min(ord, data.ird());
        }
        if (data.ord() != EnhancedData.UNNEGOTIATED && data.ord() > ird) {
            return MpaRefusal.INSUFFICIENT_IRD;
        }
        if (!settings.peerToPeer()) {
            return null;
        }
        rtr = data.peerToPeer() ? firstIn(data) : null;
        return rtr == null ? MpaRefusal.NO_MATCHING_RTR : null;
    }

    /** The first kind that both this side and the peer's frame know, or {@code null}. */
    private RtrKind firstIn(EnhancedData data) {
        for (RtrKind kind : RtrKind.values()) {
            if (settings.rtrKinds().contains(kind) && kind.isIn(data)) {
                return kind;
            }
        }
        return null;
    }

    /**
     * A responder's application says yes.
     *
     * @param wantedIrd READs of the peer that it takes on at once
     * @param wantedOrd READs of its own that it wants outstanding; no more are settled than the peer takes on
     * @throws IllegalArgumentException for a depth above {@link EnhancedData#MAX_DEPTH}, too much private data
     */
    public void accept(int wantedIrd, int wantedOrd, byte[] privateData) {
        demand(MpaState.AWAITS_DECISION);
        MpaSettings.checkDepth("IRD", wantedIrd);
        MpaSettings.checkDepth("ORD", wantedOrd);
        MpaFrame frame = incoming.frame();
        ird = wantedIrd;
        ord = wantedOrd;
        if (incoming.isEnhanced()) {
            EnhancedData data = incoming.enhancedData();
            negotiated = true;
            if (data.ird() != EnhancedData.UNNEGOTIATED) {
                ord = Math.min(ord, data.ird());
            }
            rtr = data.peerToPeer() ? chosen(data) : null;
        }
        reply(true, privateData);
        sendsMarkers = frame.markers();
        crc = frame.crc() || settings.crc() && settings.crcRule() == CrcRule.RFC;
        state = MpaState.AWAITS_FIRST_FPDU;
    }

    /** What both sides can; where they share nothing what this side can, for the initiator to refuse. */
    private RtrKind chosen(EnhancedData data) {
        RtrKind shared = firstIn(data);
        if (shared != null) {
            return shared;
        }
        for (RtrKind kind : RtrKind.values()) {
            if (settings.rtrKinds().contains(kind)) {
                return kind;
            }
        }
        throw new AssertionError("settings without a kind");
    }

    /** A responder's application says no; the reply carries that, and the private data with it. */
    public void reject(byte[] privateData) {
        demand(MpaState.AWAITS_DECISION);
        reply(false, privateData);
        refuse(MpaRefusal.REJECTED);
    }

    /** A reply has the request's revision, and repeats its C flag, which siw insists on. */
    private void reply(boolean accepted, byte[] privateData) {
        MpaFrame frame = incoming.frame();
        EnhancedData data = null;
        if (incoming.isEnhanced()) {
            data = accepted
                    ? new EnhancedData(
                            rtr != null, rtr == RtrKind.SEND, ird, rtr == RtrKind.WRITE, rtr == RtrKind.READ, ord)
                    : new EnhancedData(false, false, 0, false, false, 0);
        }
        boolean wantsCrc = frame.crc() || settings.crc() && settings.crcRule() == CrcRule.RFC;
        send(false, wantsCrc, !accepted, frame.revision(), data, privateData);
    }

    private void demand(MpaState wanted) {
        if (state != wanted) {
            throw new IllegalStateException("connection setup is at " + state + ", not at " + wanted);
        }
    }

    /**
     * A responder's first ULPDU: from now on it may send. In a peer-to-peer connection it must be the message that was
     * agreed on.
     *
     * @return false where it is not, and the connection is refused
     */
    public boolean onFirstUlpdu(MemorySegment segment, long at, int length) {
        demand(MpaState.AWAITS_FIRST_FPDU);
        if (rtr != null && !rtr.matches(segment, at, length)) {
            refuse(MpaRefusal.WRONG_RTR);
            return false;
        }
        state = MpaState.ESTABLISHED;
        return true;
    }

    /** The time has come that {@link #nextDeadline} named, or another one: then nothing happens. */
    public void onTime(long now) {
        if (now >= deadline && state != MpaState.REFUSED) {
            refuse(initiator ? MpaRefusal.REPLY_TIMEOUT : MpaRefusal.REQUEST_TIMEOUT);
        }
    }

    /** The peer has closed the connection. */
    public void onClosed() {
        if (!isOver()) {
            refuse(MpaRefusal.CLOSED);
        }
    }

    /** This side wants the connection no more. */
    public void abandon() {
        if (!isOver()) {
            refuse(MpaRefusal.ABANDONED);
        }
    }

    private boolean isOver() {
        return state == MpaState.ESTABLISHED || state == MpaState.REFUSED;
    }

    private void refuse(MpaRefusal reason) {
        state = MpaState.REFUSED;
        refusal = reason;
        deadline = NEVER;
    }

    // What there is to do and to know.

    public MpaState state() {
        return state;
    }

    /** Why it is {@link MpaState#REFUSED}; {@code null} where it is not. */
    public MpaRefusal refusal() {
        return refusal;
    }

    /** What is left to send of this side's frame; whoever sends moves its position. */
    public ByteBuffer toSend() {
        return toSend;
    }

    /** When {@link #onTime} is to be called, or {@link #NEVER}. */
    public long nextDeadline() {
        return deadline;
    }

    /** True while what arrives is for {@link #feed}. */
    public boolean takesFrames() {
        return state == MpaState.AWAITS_REQUEST || state == MpaState.AWAITS_REPLY || state == MpaState.AWAITS_DECISION;
    }

    /** Whether FPDUs of this side's application may be sent, behind {@link #toSend}. */
    public boolean maySend() {
        return state == MpaState.ESTABLISHED
                || state == MpaState.AWAITS_FIRST_FPDU && settings.sendsFirst() && rtr == null;
    }

    /** Private data of the peer's frame, once that is there in whole: a reject's too. */
    public MemorySegment privateData() {
        return incoming.isComplete() ? incoming.privateData() : MemorySegment.NULL;
    }

    /** IRD, ORD and the rest of the peer's frame; {@code null} where it has none. */
    public EnhancedData peerData() {
        return incoming.isComplete() && incoming.hasEnhancedData() ? incoming.enhancedData() : null;
    }

    /** CRCs are used, in both directions. Known once it is established, to a responder with its yes. */
    public boolean crc() {
        return crc;
    }

    /** This side's FPDUs carry markers. */
    public boolean sendsMarkers() {
        return sendsMarkers;
    }

    /** The peer's FPDUs carry markers. */
    public boolean receivesMarkers() {
        return settings.receivesMarkers();
    }

    /** The two sides have told each other their depths; else they are what each took for granted. */
    public boolean isNegotiated() {
        return negotiated;
    }

    /** READs of the peer that may be under way at once. */
    public int ird() {
        return ird;
    }

    /** READs of this side that may be under way at once. */
    public int ord() {
        return ord;
    }

    /**
     * The message that starts a peer-to-peer connection: what an initiator sends before all else, what a responder gets.
     * {@code null} where the connection is not peer-to-peer.
     */
    public RtrKind rtr() {
        return rtr;
    }
}
