package org.rdma4j.tools.conform.iwarp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.craft.FpduStream.Flaw;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.mpa.FpduReader;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.tools.conform.check.MpaVariant;
import org.rdma4j.tools.conform.check.MpaVariant.Cut;
import org.rdma4j.tools.conform.check.Oracle;
import org.rdma4j.tools.conform.check.Stage;
import org.rdma4j.tools.conform.craft.Frame;

/** The lower half of a scene: a byte stream, MPA's request and reply, and FPDUs both ways. */
public abstract class StreamScene extends Stage {

    /** READs that the hand-played side offers to take, and means to make, at once. */
    static final int DEPTH = 8;

    private static final int PIECE = 5;

    private final Session session;
    private final MpaVariant variant;

    private byte[] pending = {};
    private MpaCraft said;
    private Hello heard;
    private FpduStream out;
    private FpduReader reader;
    private Arrival unread;

    StreamScene(Session session, MpaVariant variant) {
        this.session = session;
        this.variant = variant;
    }

    public Session session() {
        return session;
    }

    public MpaVariant variant() {
        return variant;
    }

    @Override
    public List<Frame> frames() {
        return session.strand().frames();
    }

    <T> T await(Supplier<T> ready, long nanos) {
        return session.pace().await(ready, nanos);
    }

    <T> T await(Supplier<T> ready) {
        return await(ready, session.timing().answer());
    }

    // MPA's request and reply.

    /** A request that is beyond doubt, in the way of this variant. */
    public MpaCraft request() {
        return MpaCraft.request(variant.enhanced(), variant.crc(), DEPTH, DEPTH);
    }

    /** A reply to the peer's request, in its revision; the variant says whether it asks for CRCs. */
    public MpaCraft reply() {
        MpaFrame asked = heard.frame();
        int ird = heard.data() == null ? DEPTH : Math.min(DEPTH, heard.data().ord());
        int ord = heard.data() == null ? DEPTH : Math.min(DEPTH, heard.data().ird());
        return MpaCraft.reply(asked.enhanced(), asked.crc() || variant.crc(), ird, ord)
                .revision(asked.revision());
    }

    /** Sends a request or reply, cut as the variant cuts. */
    public void send(MpaCraft frame) {
        sendFrame(frame, variant.cut() == Cut.PIECES ? PIECE : Integer.MAX_VALUE);
    }

    /** Sends it in pieces of so many bytes. */
    public void sendFrame(MpaCraft frame, int piece) {
        said = frame;
        sendPieces(frame.bytes(), piece);
    }

    /** Bytes as they are. */
    public void sendRaw(byte[] bytes) {
        session.strand().send(bytes);
    }

    void sendPieces(byte[] bytes, int piece) {
        for (int at = 0; at < bytes.length; at += Math.min(piece, bytes.length - at)) {
            sendRaw(Arrays.copyOfRange(bytes, at, at + Math.min(piece, bytes.length - at)));
        }
    }

    /** The peer's request or reply. */
    public Hello hear() {
        Hello hello = hear(session.timing().answer());
        if (hello == null) {
            throw failed(
                    session.strand().isOver()
                            ? "the peer ended the connection in place of an MPA frame"
                            : "the peer sent no MPA frame where one was due");
        }
        return hello;
    }

    private Hello hear(long nanos) {
        Object found = await(
                () -> {
                    boolean over = session.strand().isOver();
                    collect();
                    Hello hello = Hello.of(pending);
                    return hello != null ? hello : over ? Arrival.END : null;
                },
                nanos);
        if (!(found instanceof Hello hello)) {
            return null;
        }
        boolean request = session.isAsked();
        require(
                MpaFrame.startsWithKey(MemorySegment.ofArray(pending), 0, pending.length, request),
                "the peer's first bytes are not the key of an MPA " + (request ? "request" : "reply"));
        pending = Arrays.copyOfRange(pending, hello.length(), pending.length);
        heard = hello;
        return hello;
    }

    /** What the peer has said; {@code null} before. */
    public Hello heard() {
        return heard;
    }

    /** Request and reply are done: from here on both sides send FPDUs. */
    public void open() {
        boolean crc = said.wantsCrc() || heard.frame().crc();
        out = new FpduStream(heard.frame().markers(), crc);
        reader = new FpduReader(said.wantsMarkers(), crc);
        long settling = session.application().settling();
        if (settling > 0 && !session.isAsked() && !heard.frame().rejected()) {
            session.pace().pass(settling);
        }
    }

    /** Request and reply, beyond doubt. */
    public void establish() {
        establish(session.isAsked() ? null : request());
    }

    /** The same with this request; the reply to a peer's request is {@link #reply}. */
    public void establish(MpaCraft request) {
        if (session.isAsked()) {
            hear();
            send(reply());
        } else {
            send(request);
            Hello answer = hear();
            require(!answer.frame().rejected(), "the peer rejected the connection");
        }
        open();
    }

    // FPDUs to the peer.

    /** Sends segments in FPDUs of their own, cut as the variant cuts. */
    public void send(Ulpdu... segments) {
        switch (variant.cut()) {
            case ALIGNED -> {
                for (Ulpdu segment : segments) {
                    sendRaw(out.add(segment.bytes(), Flaw.NONE));
                }
            }
            case MERGED -> sendTogether(segments);
            case PIECES -> {
                for (Ulpdu segment : segments) {
                    sendPieces(out.add(segment.bytes(), Flaw.NONE), PIECE);
                }
            }
        }
    }

    /** Sends segments in FPDUs, all of them in one piece. */
    public void sendTogether(Ulpdu... segments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Ulpdu segment : segments) {
            bytes.writeBytes(out.add(segment.bytes(), Flaw.NONE));
        }
        sendRaw(bytes.toByteArray());
    }

    /** Sends bytes, each in a piece of its own. */
    public void sendBytewise(byte[] bytes) {
        sendPieces(bytes, 1);
    }

    /** Sends a segment in a FPDU that is not as it should be. */
    public void send(Ulpdu segment, Flaw flaw) {
        sendRaw(fpdu(segment, flaw));
    }

    /** The bytes of the next FPDU; whoever asks for them sends them. */
    public byte[] fpdu(Ulpdu segment, Flaw flaw) {
        return out.add(segment.bytes(), flaw);
    }

    // FPDUs from the peer.

    private void collect() {
        byte[] more = session.strand().take();
        if (more.length > 0) {
            int before = pending.length;
            pending = Arrays.copyOf(pending, before + more.length);
            System.arraycopy(more, 0, pending, before, more.length);
        }
    }

    private Arrival poll() {
        collect();
        MemorySegment bytes = MemorySegment.ofArray(pending);
        return switch (reader.next(bytes, 0, pending.length)) {
            case INCOMPLETE -> null;
            case REFUSED -> throw failed("the peer's FPDU: " + reader.refusal().text());
            case ULPDU -> {
                int end = reader.consumed();
                int ulpdu = reader.ulpduLength();
                // Behind markers that were taken out the pad is not where it was; nobody looks at it there.
                long pad = reader.ulpduOffset() + ulpdu;
                Arrival arrival = new Arrival(
                        copy(bytes.asSlice(reader.ulpduOffset(), ulpdu)),
                        copy(bytes.asSlice(pad, Fpdu.pad(ulpdu))),
                        Fpdu.crc(bytes, end - (long) Fpdu.CRC_LENGTH));
                pending = Arrays.copyOfRange(pending, end, pending.length);
                yield arrival;
            }
        };
    }

    private static MemorySegment copy(MemorySegment bytes) {
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    /** The peer's next FPDU, {@link Arrival#END} where its stream is over, {@code null} where nothing comes. */
    Arrival next(long nanos) {
        Arrival first = unread;
        unread = null;
        return first != null ? first : arrive(nanos);
    }

    /** Puts back what was the next one: it is that again. */
    void unread(Arrival arrival) {
        unread = arrival;
    }

    private Arrival arrive(long nanos) {
        return await(
                () -> {
                    boolean over = session.strand().isOver(); // before the look at what has come
                    Arrival arrival = poll();
                    return arrival != null ? arrival : over ? Arrival.END : null;
                },
                nanos);
    }

    /** The peer's next FPDU. */
    public Arrival next() {
        Arrival arrival = next(session.timing().answer());
        if (arrival == null) {
            throw failed("the peer sent no FPDU where one was due");
        }
        if (arrival.equals(Arrival.END)) {
            throw failed("the peer ended the connection where a FPDU was due");
        }
        if (!arrival.isWhole()) {
            throw failed("the peer sent " + arrival);
        }
        return arrival;
    }

    /** Nothing (more) comes from the peer, and the connection stays. */
    public void silence() {
        silence(session.timing().quiet());
    }

    /** Nothing comes for so many nanoseconds. */
    public void silence(long nanos) {
        Arrival arrival = next(nanos);
        if (arrival != null) {
            throw failed("the peer should have been silent; it "
                    + (arrival.equals(Arrival.END) ? "ended the connection" : "sent " + arrival));
        }
    }

    /** The peer's stream ends, and nothing comes before that. */
    public void closes() {
        closes(session.timing().answer());
    }

    void closes(long nanos) {
        Arrival arrival = next(nanos);
        if (arrival == null) {
            throw failed("the peer should have ended the connection; it did not");
        }
        if (!arrival.equals(Arrival.END)) {
            throw failed("the peer should have ended the connection without a word; it sent " + arrival);
        }
    }

    /** The peer's stream ends without one more byte, whatever those would be. */
    public void closesWithoutAnswer() {
        closesWithoutAnswer(session.timing().answer());
    }

    void closesWithoutAnswer(long nanos) {
        boolean over = await(() -> session.strand().isOver() ? true : null, nanos) != null;
        collect();
        if (pending.length > 0) {
            throw failed("the peer should have ended the connection without an answer; it sent " + text(pending));
        }
        require(over, "the peer should have ended the connection; it did not");
        spend();
    }

    /** The peer's stream ends within so many nanoseconds, which may be longer than any answer takes. */
    public void closesIn(long nanos) {
        closesWithoutAnswer(nanos);
    }

    /** The peer's stream ends without a connection having come about: with a reply that rejects, or without any. */
    public void endsUnconnected() {
        boolean over = await(() -> session.strand().isOver() ? true : null) != null;
        require(over, "the peer should have ended the connection; it did not");
        collect();
        Hello hello = Hello.of(pending);
        require(pending.length == 0 || hello != null, "the peer sent " + pending.length + " bytes that are no reply");
        require(hello == null || hello.frame().rejected(), "the peer accepted the connection");
        require(hello == null || hello.length() == pending.length, "something came behind the peer's no");
        spend();
    }

    private static String text(byte[] bytes) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        boolean key = MpaFrame.startsWithKey(segment, 0, bytes.length, true)
                || MpaFrame.startsWithKey(segment, 0, bytes.length, false);
        Hello hello = key ? Hello.of(bytes) : null;
        return hello == null ? bytes.length + " bytes" : text(hello.frame());
    }

    private static String text(MpaFrame frame) {
        return "an MPA " + (frame.request() ? "request" : "reply") + " of revision " + frame.revision()
                + (frame.rejected() ? " that rejects" : "");
    }

    // Inside of the peer, where that can be seen.

    boolean sees(Oracle oracle) {
        if (session.inside() == null) {
            return false;
        }
        oracles().add(oracle);
        return true;
    }
}
