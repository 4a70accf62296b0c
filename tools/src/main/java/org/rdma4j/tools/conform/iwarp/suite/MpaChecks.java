package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.asked;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.called;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.closed;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.connects;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.Hello;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.MpaCraft;

/** MPA, how a connection comes about: request and reply (RFC 5044, 7.1; RFC 6581). */
final class MpaChecks {

    private static final String FRAMES = "RFC 5044, 7.1.1";
    private static final String STARTUP = "RFC 5044, 7.1.2";
    private static final String ENHANCED = "RFC 6581, 9";

    private static final String TIMES = "RFC 5044, 7.1.2";
    private static final long SHORT = 150_000_000L;

    /** Who speaks first may let the reply go alone. */
    private static final long A_WHILE = 200_000_000L;

    /** The longest of siw's times is 10 s. */
    private static final long LONGEST = 14_000_000_000L;

    private MpaChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>();
        checks.addAll(keys());
        checks.addAll(revisions());
        checks.addAll(privateData());
        checks.addAll(options());
        checks.addAll(startup());
        checks.addAll(enhanced());
        return checks;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static List<Check> keys() {
        return List.of(
                closed(
                        "MPA-01a",
                        "A request whose key is wrong in its first byte is closed",
                        FRAMES,
                        "a request with key \"mPA ID Req Frame\"",
                        peer -> peer.request().key(ascii("mPA ID Req Frame"))),
                closed(
                        "MPA-01b",
                        "A request whose key is wrong in its last byte is closed",
                        FRAMES,
                        "a request with key \"MPA ID Req FramE\"",
                        peer -> peer.request().key(ascii("MPA ID Req FramE"))),
                closed(
                        "MPA-01c",
                        "A reply in place of a request is closed",
                        FRAMES,
                        "a frame with key \"MPA ID Rep Frame\"",
                        peer -> peer.request().key(ascii("MPA ID Rep Frame"))),
                Check.responder("MPA-01d", "Another protocol is closed")
                        .clause(FRAMES)
                        .stimulus("the start of an HTTP request, longer than an MPA frame's header")
                        .answer("the connection is closed without an answer")
                        .course(called(peer -> {
                            peer.sendRaw(ascii("GET /index.html HTTP/1.1\r\nHost: peer\r\n\r\n"));
                            peer.closesWithoutAnswer();
                        })));
    }

    private static List<Check> revisions() {
        return List.of(
                Check.responder("MPA-02a", "A request of revision 1 gets a reply of revision 1")
                        .clause(FRAMES)
                        .stimulus("a request of revision 1")
                        .answer("a reply of revision 1; the connection works")
                        .course(called(peer -> {
                            peer.establish(peer.request().enhanced(false).revision(1));
                            revisionIs(peer, 1);
                            peer.require(!peer.heard().frame().enhanced(), "the reply has the S flag");
                            peer.alive();
                        })),
                Check.responder("MPA-02b", "A request of revision 2 gets a reply of revision 2")
                        .clause("RFC 6581, 6")
                        .stimulus("a request of revision 2 with IRD and ORD")
                        .answer("a reply of revision 2 with IRD and ORD; the connection works")
                        .course(called(peer -> {
                            peer.establish(peer.request().enhanced(true).revision(2));
                            revisionIs(peer, 2);
                            peer.require(peer.heard().data() != null, "the reply has no IRD and ORD");
                            peer.alive();
                        })),
                closed(
                        "MPA-02c",
                        "A request of revision 0 is closed",
                        FRAMES,
                        "a request of revision 0",
                        peer -> peer.request().enhanced(false).revision(0)),
                closed(
                        "MPA-02d",
                        "A request of revision 3 is closed",
                        FRAMES,
                        "a request of revision 3",
                        peer -> peer.request().revision(3)),
                closed(
                        "MPA-02e",
                        "A request of revision 255 is closed",
                        FRAMES,
                        "a request of revision 255",
                        peer -> peer.request().revision(255)),
                connects(
                        "MPA-02f",
                        "Reserved bits of a request are not looked at",
                        FRAMES,
                        "a request with all of its reserved bits set",
                        peer -> peer.request().reserved()));
    }

    private static void revisionIs(IwarpScene peer, int revision) {
        MpaFrame frame = peer.heard().frame();
        peer.require(frame.revision() == revision, "the reply has revision " + frame.revision());
    }

    private static List<Check> privateData() {
        return List.of(
                connects(
                        "MPA-03a",
                        "A request with as much private data as there may be is taken",
                        FRAMES,
                        "512 bytes of private data, IRD and ORD among them in revision 2",
                        peer -> peer.request()
                                .privateData(bytes(MpaFrame.MAX_PRIVATE_DATA
                                        - (peer.variant().enhanced() ? EnhancedData.LENGTH : 0)))),
                connects(
                        "MPA-03b",
                        "A request with 200 bytes of private data is taken",
                        FRAMES,
                        "200 bytes of private data",
                        peer -> peer.request().privateData(bytes(200))),
                closed(
                        "MPA-03c",
                        "A request with one byte more of private data than there may be is closed",
                        FRAMES,
                        "a request that has and promises 513 bytes",
                        peer -> peer.request()
                                .privateData(bytes(MpaFrame.MAX_PRIVATE_DATA
                                        + 1
                                        - (peer.variant().enhanced() ? EnhancedData.LENGTH : 0)))),
                closed(
                        "MPA-03d",
                        "A request that promises 65535 bytes of private data is closed",
                        FRAMES,
                        "a request with PD_Length 0xffff",
                        peer -> peer.request().promises(0xFFFF)));
    }

    private static List<Check> options() {
        return List.of(
                Check.responder("MPA-04a", "Who is asked for CRCs says yes, and uses them")
                        .clause(FRAMES)
                        .stimulus("a request with the C flag; a FPDU with a right CRC")
                        .answer("a reply with the C flag; the peer's FPDUs have right CRCs")
                        .course(called(peer -> {
                            peer.establish(peer.request().crc(true));
                            peer.require(peer.heard().frame().crc(), "the reply has no C flag");
                            peer.alive();
                        })),
                Check.responder("MPA-04b", "Who wants CRCs asks for them, and they are used")
                        .clause(FRAMES)
                        .inside("has the device ask for CRCs")
                        .stimulus("a request without the C flag")
                        .answer("a reply with it; CRCs are used both ways")
                        .course(called(IwarpSetup.STOCK.withMpa(mpa -> mpa.withCrc(true, CrcRule.RFC)), peer -> {
                            peer.establish(peer.request().crc(false));
                            peer.require(peer.heard().frame().crc(), "the reply has no C flag");
                            peer.alive();
                        })),
                Check.requester("MPA-04c", "Where the reply asks for CRCs they are used")
                        .clause(FRAMES)
                        .inside("looks into the device that asked for the connection")
                        .stimulus("a reply with the C flag to a request without it")
                        .answer("CRCs are used both ways")
                        .course(asked(peer -> {
                            peer.hear();
                            peer.send(peer.reply().crc(true));
                            peer.open();
                            peer.alive();
                        })),
                Check.responder("MPA-06a", "Who is asked for markers sends them")
                        .clause("RFC 5044, 4.3")
                        .stimulus("a request with the M flag, then a Read of 2000 bytes")
                        .answer("a marker every 512 bytes of the peer's stream")
                        .open("markers are sent", "the request is rejected")
                        .course(called(peer -> {
                            peer.send(peer.request().markers(true));
                            Hello hello = peer.hear();
                            if (hello.frame().rejected()) {
                                peer.open();
                                peer.closes();
                                peer.spend();
                                peer.records("the request is rejected");
                                return;
                            }
                            peer.open();
                            peer.meet();
                            longRead(peer);
                            peer.records("markers are sent");
                            peer.alive();
                        })),
                Check.responder("MPA-06b", "Who is not asked for markers sends none")
                        .clause("RFC 5044, 4.3")
                        .stimulus("a request without the M flag, then a Read of 2000 bytes")
                        .answer("FPDUs without markers")
                        .course(called(peer -> {
                            peer.establish();
                            peer.meet();
                            longRead(peer);
                            peer.alive();
                        })),
                Check.responder("MPA-06c", "Who asks for markers gets them, and takes them out")
                        .clause("RFC 5044, 4.3")
                        .inside("has the device ask for markers")
                        .stimulus("Writes of 2000 and 3 bytes, with markers")
                        .answer("their bytes are placed, without markers")
                        .course(called(IwarpSetup.STOCK.withMpa(mpa -> mpa.withMarkers(true, true)), peer -> {
                            peer.establish();
                            peer.require(peer.heard().frame().markers(), "the reply has no M flag");
                            peer.meet();
                            peer.send(peer.write(64, bytes(2000)), peer.write(3000, bytes(3)));
                            peer.targetHolds(64, bytes(2000));
                            peer.targetHolds(3000, bytes(3));
                            peer.alive();
                        })));
    }

    private static void longRead(IwarpScene peer) {
        peer.send(peer.write(64, bytes(2000)));
        peer.targetHolds(64, bytes(2000));
    }

    private static List<Check> startup() {
        return List.of(
                Check.responder("MPA-07a", "An application's no is told by a reply with the R flag")
                        .clause(STARTUP)
                        .inside("has the device's application say no")
                        .stimulus("a request")
                        .answer("a reply with the R flag and the application's private data, then the end")
                        .course(called(IwarpSetup.STOCK.thatRejects(), peer -> {
                            peer.send(peer.request());
                            Hello no = peer.hear();
                            peer.require(no.frame().rejected(), "the reply does not have the R flag");
                            peer.require(
                                    new String(
                                                    no.privateData().toArray(ValueLayout.JAVA_BYTE),
                                                    StandardCharsets.US_ASCII)
                                            .endsWith("no!"),
                                    "the reply does not have the application's private data");
                            peer.open();
                            peer.closes();
                            peer.spend();
                        })),
                Check.requester("MPA-07b", "Who is rejected sends no FPDU, and closes")
                        .clause(STARTUP)
                        .stimulus("a reply with the R flag and 3 bytes of private data")
                        .answer("the peer ends the connection without a FPDU; its application is told")
                        .course(asked(peer -> {
                            peer.hear();
                            peer.send(peer.reply().rejected().privateData(ascii("no!")));
                            peer.open();
                            peer.closes();
                            peer.isRejected(ascii("no!"));
                        })),
                Check.responder("MPA-08", "A FPDU behind the request that has no reply yet ends the connection")
                        .clause(STARTUP)
                        .wearsOut()
                        .stimulus("a request and a FPDU in one piece")
                        .answer("the connection ends, nothing is placed")
                        .course(called(peer -> {
                            byte[] request = peer.request().bytes();
                            byte[] both = Arrays.copyOf(request, request.length + 24);
                            both[request.length + 1] = 18; // ULPDU_Length
                            peer.sendRaw(both);
                            peer.endsUnconnected();
                        })),
                Check.responder("MPA-09", "A responder is silent until the first FPDU has come")
                        .clause(STARTUP)
                        .inside("has the device post a Send at once")
                        .stimulus("nothing behind the reply for a while; then a FPDU")
                        .answer("silence; then the Send")
                        .course(called(peer -> {
                            peer.establish();
                            peer.postSend();
                            peer.silence(A_WHILE);
                            peer.meet();
                            peer.send(peer.write(0, bytes(8)));
                            peer.expectMessage(RdmapOpcode.SEND, 1);
                            peer.alive();
                        })),
                Check.requester("MPA-10", "Who gets a request where a reply is due ends the connection")
                        .clause(STARTUP)
                        .stimulus("a request in answer to the peer's")
                        .answer("the peer ends the connection; a Terminate may say why")
                        .course(asked(peer -> {
                            peer.hear();
                            peer.send(peer.request().depths(8, 0));
                            peer.open();
                            peer.endsSomehow();
                            peer.spend();
                        })),
                Check.responder("MPA-11a", "A request may come byte by byte")
                        .clause("RFC 5044, 7.1")
                        .stimulus("a request with 20 bytes of private data, a byte in each TCP segment")
                        .answer("a reply that accepts; the connection works")
                        .course(called(peer -> {
                            peer.sendFrame(peer.request().privateData(bytes(20)), 1);
                            peer.require(!peer.hear().frame().rejected(), "the peer rejected the connection");
                            peer.open();
                            peer.alive();
                        })),
                Check.requester("MPA-11b", "A reply may come byte by byte")
                        .clause("RFC 5044, 7.1")
                        .stimulus("a reply with 20 bytes of private data, a byte in each TCP segment")
                        .answer("the connection works: its first FPDU comes")
                        .course(asked(peer -> {
                            peer.hear();
                            peer.sendFrame(peer.reply().privateData(bytes(20)), 1);
                            peer.open();
                            peer.firstMessage();
                        })),
                Check.responder("MPA-17a", "A connection without a request is closed after a while")
                        .clause(TIMES)
                        .stimulus("nothing")
                        .answer("the peer ends the connection")
                        .course(called(hurried(), peer -> peer.closesIn(LONGEST))),
                Check.responder("MPA-17b", "A request that is never whole is closed after a while")
                        .clause(TIMES)
                        .stimulus("a request that promises 100 bytes of private data and has 50 of them")
                        .answer("the peer ends the connection")
                        .course(called(hurried(), peer -> {
                            peer.send(peer.request()
                                    .enhanced(false)
                                    .revision(1)
                                    .privateData(bytes(50))
                                    .promises(100));
                            peer.closesIn(LONGEST);
                        })),
                Check.requester("MPA-17c", "Who gets no reply gives up after a while")
                        .clause(TIMES)
                        .stimulus("no reply")
                        .answer("the peer ends the connection")
                        .course(asked(hurried(), peer -> {
                            peer.hear();
                            peer.closesIn(LONGEST);
                        })));
    }

    /** The built-in peer has no patience; an ordinary one has what it has. */
    private static IwarpSetup hurried() {
        return IwarpSetup.STOCK.withMpa(mpa -> mpa.withTimeouts(SHORT, SHORT));
    }

    private static List<Check> enhanced() {
        return List.of(
                Check.responder("MPA-18a", "A responder has no more READs outstanding than the initiator takes")
                        .clause("RFC 6581, 9.1")
                        .stimulus("a request with IRD 1")
                        .answer("a reply with ORD 0 or 1")
                        .course(called(peer -> {
                            peer.establish(deep(peer, 1, 1));
                            int ord = data(peer).ord();
                            peer.require(ord <= 1, "the reply's ORD is " + ord);
                            peer.alive();
                        })),
                Check.responder("MPA-18b", "The reply tells what the responder takes on: no less than one READ")
                        .clause("RFC 6581, 9.1")
                        .stimulus("a request with ORD 8, and as many Reads as the reply's IRD says")
                        .answer("all are answered")
                        .course(called(peer -> {
                            peer.establish(deep(peer, 8, 8));
                            int ird = Math.min(8, data(peer).ird());
                            peer.require(ird >= 1, "the reply's IRD is " + ird);
                            peer.meet();
                            peer.send(peer.write(0, bytes(8)));
                            peer.readAtOnce(ird);
                            peer.alive();
                        })),
                Check.requester("MPA-18c", "A reply with an ORD above the own IRD ends the connection")
                        .clause("RFC 6581, 9.1")
                        .stimulus("a reply with ORD one above the request's IRD")
                        .answer("Terminate: " + TerminateCode.MPA_INSUFFICIENT_IRD.text())
                        .course(asked(peer -> {
                            Hello hello = peer.hear();
                            peer.require(hello.data() != null, "the request has no IRD and ORD");
                            peer.send(peer.reply().depths(8, hello.data().ird() + 1));
                            peer.open();
                            peer.terminatesSetup(TerminateCode.MPA_INSUFFICIENT_IRD);
                        })),
                Check.responder("MPA-20a", "In revision 1 the S flag is a reserved bit")
                        .clause("RFC 5044, 7.1.1")
                        .stimulus("a request of revision 1 with the S flag and IRD and ORD")
                        .answer("a reply of revision 1 without it; the connection works")
                        .course(called(peer -> {
                            peer.establish(peer.request().enhanced(true).revision(1));
                            revisionIs(peer, 1);
                            peer.require(!peer.heard().frame().enhanced(), "the reply has the S flag");
                            peer.alive();
                        })),
                Check.responder("MPA-20b", "A request of revision 2 without the S flag gets a reply without it")
                        .clause("RFC 6581, 6")
                        .stimulus("a request of revision 2 without S flag, IRD and ORD")
                        .answer("a reply without the S flag; the connection works")
                        .course(called(peer -> {
                            peer.establish(peer.request().enhanced(false).revision(2));
                            peer.require(!peer.heard().frame().enhanced(), "the reply has the S flag");
                            peer.alive();
                        })),
                Check.responder("MPA-20c", "The S flag without IRD and ORD ends the connection")
                        .clause(ENHANCED)
                        .stimulus("a request of revision 2 with the S flag and no private data")
                        .answer("a reply that rejects, or none; the connection ends")
                        .course(called(peer -> {
                            peer.send(peer.request().revision(2).enhancedInNameOnly());
                            peer.endsUnconnected();
                        })));
    }

    private static MpaCraft deep(IwarpScene peer, int ird, int ord) {
        return peer.request().enhanced(true).revision(2).depths(ird, ord);
    }

    private static EnhancedData data(IwarpScene peer) {
        peer.require(peer.heard().data() != null, "the reply has no IRD and ORD");
        return peer.heard().data();
    }
}
