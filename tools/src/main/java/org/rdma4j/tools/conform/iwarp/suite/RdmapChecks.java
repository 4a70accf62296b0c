package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.greeted;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.refused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;

/** RDMAP, the half that is asked: Reads, Writes and Sends of the hand-played side (RFC 5040). */
final class RdmapChecks {

    private static final String VERSION = "RFC 5040, 4.1";
    private static final String OPCODES = "RFC 5040, 7.2";
    private static final String READS = "RFC 5040, 4.4";
    private static final int PLACE = 256;

    private RdmapChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>();
        char letter = 'a';
        for (int version : new int[] {0, 2, 3}) {
            checks.add(refused(
                    "RDP-01" + letter,
                    "A tagged segment of RDMAP version " + version + " ends the stream",
                    VERSION,
                    TerminateCode.RDMAP_VERSION,
                    "a Write with RV " + version,
                    peer -> peer.write(IwarpScene.SMALL, bytes(8)).rdmapVersion(version)));
            checks.add(refused(
                    "RDP-01" + (char) (letter + 3),
                    "An untagged segment of RDMAP version " + version + " ends the stream",
                    VERSION,
                    TerminateCode.RDMAP_VERSION,
                    "a Send with RV " + version,
                    peer -> peer.send(0).rdmapVersion(version)));
            letter++;
        }
        letter = 'a';
        for (int opcode = RdmapOpcode.IMMEDIATE; opcode < RdmapOpcode.COUNT; opcode++) {
            int which = opcode;
            checks.add(unexpected(
                    "RDP-02" + letter++,
                    "Opcode " + opcode + " on queue 0, not agreed upon,",
                    "a Send with opcode " + opcode,
                    peer -> peer.send(0).opcode(which)));
        }
        checks.addAll(misplaced());
        checks.addAll(requests());
        checks.addAll(sources());
        checks.addAll(messages());
        return checks;
    }

    private static Check unexpected(String id, String what, String stimulus, Function<IwarpScene, Ulpdu> wrong) {
        return refused(id, what + " ends the stream", OPCODES, TerminateCode.RDMAP_UNEXPECTED_OPCODE, stimulus, wrong);
    }

    private static List<Check> misplaced() {
        return List.of(
                unexpected(
                        "RDP-03a",
                        "A Write in an untagged segment",
                        "a Send with opcode 0",
                        peer -> peer.send(0).opcode(RdmapOpcode.WRITE)),
                unexpected(
                        "RDP-03b",
                        "A Send in a tagged segment",
                        "a Write with opcode 3",
                        peer -> peer.write(IwarpScene.SMALL, bytes(8)).opcode(RdmapOpcode.SEND)),
                unexpected(
                        "RDP-03c",
                        "A Read Response in an untagged segment",
                        "a Send with opcode 2",
                        peer -> peer.send(0).opcode(RdmapOpcode.READ_RESPONSE)),
                unexpected(
                        "RDP-03d",
                        "A Read Request in a tagged segment",
                        "a Write with opcode 1",
                        peer -> peer.write(IwarpScene.SMALL, bytes(8)).opcode(RdmapOpcode.READ_REQUEST)),
                unexpected(
                        "RDP-03e",
                        "A Terminate in a tagged segment",
                        "a Write with opcode 7",
                        peer -> peer.write(IwarpScene.SMALL, bytes(8)).opcode(RdmapOpcode.TERMINATE)),
                Check.responder("RDP-03f", "An opcode that changes within a message ends the stream")
                        .clause(OPCODES)
                        .stimulus("a Send's first segment, then one of the same message with opcode 5")
                        .answer("Terminate: " + TerminateCode.RDMAP_UNEXPECTED_OPCODE.text())
                        .course(greeted(peer -> {
                            peer.send(peer.sendPart(0, 0, 8, false));
                            peer.refused(
                                    TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                                    peer.sendPart(0, 8, IwarpSetup.RECEIVE_SIZE, true)
                                            .opcode(RdmapOpcode.SEND_SE));
                            peer.flushed(0);
                        })),
                unexpected(
                        "RDP-04a",
                        "A Read Request on queue 0",
                        "a Read Request with QN 0 and that queue's MSN",
                        peer -> Ulpdu.untagged(
                                RdmapOpcode.READ_REQUEST,
                                true,
                                UntaggedHeader.SEND_QUEUE,
                                peer.sendMsn(0),
                                0,
                                request(peer))),
                unexpected(
                        "RDP-04b",
                        "A Send on queue 1",
                        "a Send with QN 1 and that queue's MSN",
                        peer -> Ulpdu.untagged(
                                RdmapOpcode.SEND,
                                true,
                                UntaggedHeader.REQUEST_QUEUE,
                                peer.readMsn(0),
                                0,
                                peer.message(0))),
                unexpected(
                        "RDP-04c",
                        "A Send on queue 2",
                        "a Send with QN 2",
                        peer -> Ulpdu.untagged(
                                RdmapOpcode.SEND, true, UntaggedHeader.TERMINATE_QUEUE, 1, 0, peer.message(0))));
    }

    /** The bytes of a good Read Request, behind its DDP header. */
    private static byte[] request(IwarpScene peer) {
        byte[] whole = peer.read(0, 0, 8).bytes();
        return Arrays.copyOfRange(whole, UntaggedHeader.LENGTH, whole.length);
    }

    private static List<Check> requests() {
        return List.of(
                ends("RDP-04d", "A Read Request without its 28 bytes", "one of no bytes", true, 0),
                ends("RDP-04e", "A Read Request one byte short", "one of 27 bytes", true, 27),
                ends("RDP-04f", "A Read Request one byte too long", "one of 29 bytes", true, 29),
                ends("RDP-04g", "A Read Request that is not its message's last segment", "L is 0", false, 28),
                Check.responder("RDP-05", "More Read Requests than the responder takes on end the stream")
                        .clause("RFC 5040, 6.1")
                        .stimulus("one Read Request more than its IRD, all at once")
                        .answer("Terminate: " + TerminateCode.DDP_UNTAGGED_NO_BUFFER.text()
                                + "; those before may be answered")
                        .course(greeted(peer -> {
                            int ird = peer.ird();
                            Ulpdu[] requests = new Ulpdu[ird + 1];
                            for (int place = 0; place <= ird; place++) {
                                requests[place] = peer.read(place, 0, 8);
                            }
                            peer.sendTogether(requests);
                            peer.skipResponses(ird);
                            peer.terminates(TerminateCode.DDP_UNTAGGED_NO_BUFFER);
                        })),
                Check.responder("RDP-07a", "A Read of no bytes is answered, whatever it names")
                        .clause("RFC 5040, 5.1")
                        .stimulus("a Read Request of 0 bytes from an STag that nobody has")
                        .answer("a Read Response of 0 bytes to the sink's STag and offset")
                        .course(greeted(peer -> {
                            peer.send(Ulpdu.read(
                                    peer.readMsn(0),
                                    IwarpScene.SINK_TAG,
                                    IwarpScene.SINK,
                                    0,
                                    ~peer.target().sTag(),
                                    0xBEEF));
                            peer.pastReads(1);
                            peer.expectResponse(new byte[0]);
                            peer.alive();
                        })),
                Check.responder("RDP-08a", "Read Responses come in the order of their requests")
                        .clause("RFC 5040, 5.1")
                        .stimulus("as many Read Requests as the IRD, each of other bytes, at once")
                        .answer("their Responses in this order, each to the sink that its request names")
                        .course(greeted(peer -> {
                            int ird = peer.ird();
                            byte[] all = bytes(8 * ird);
                            peer.send(peer.write(PLACE, all));
                            Ulpdu[] requests = new Ulpdu[ird];
                            for (int place = 0; place < ird; place++) {
                                requests[place] = Ulpdu.read(
                                        peer.readMsn(place),
                                        IwarpScene.SINK_TAG + place,
                                        IwarpScene.SINK + place,
                                        8,
                                        peer.target().sTag(),
                                        peer.at(PLACE + 8L * place));
                            }
                            peer.sendTogether(requests);
                            for (int place = 0; place < ird; place++) {
                                byte[] seen = peer.expectTagged(
                                        RdmapOpcode.READ_RESPONSE,
                                        IwarpScene.SINK_TAG + place,
                                        IwarpScene.SINK + place);
                                peer.require(
                                        Arrays.equals(seen, Arrays.copyOfRange(all, 8 * place, 8 * place + 8)),
                                        "Read Response " + place + " has the bytes of another one");
                            }
                            peer.pastReads(ird);
                            peer.alive();
                        })),
                Check.responder("RDP-08b", "A long Read is answered in segments, in the order of their offsets")
                        .clause("RFC 5040, 5.1")
                        .stimulus("a Read Request of 12,000 bytes that were written before")
                        .answer("segments that follow one upon the other, L in the last one only")
                        .course(greeted(peer -> {
                            byte[] all = bytes(LONG);
                            for (int at = 0; at < LONG; at += PART) {
                                peer.send(peer.write(at, Arrays.copyOfRange(all, at, at + PART)));
                            }
                            peer.targetHolds(0, all);
                            peer.alive();
                        })));
    }

    private static final int LONG = 12_000;
    private static final int PART = 1_200;

    /** A Read Request that is no good: which code tells of that the RFCs do not say. */
    private static Check ends(String id, String what, String stimulus, boolean last, int length) {
        return Check.responder(id, what + " ends the stream")
                .clause(READS)
                .stimulus("a Read Request: " + stimulus)
                .answer("a Terminate, no Read Response")
                .course(greeted(peer -> {
                    peer.send(Ulpdu.untagged(
                            RdmapOpcode.READ_REQUEST,
                            last,
                            UntaggedHeader.REQUEST_QUEUE,
                            peer.readMsn(0),
                            0,
                            Arrays.copyOf(request(peer), length)));
                    peer.terminates();
                }));
    }

    private static List<Check> sources() {
        return List.of(
                source(
                        "RDP-06a",
                        "A Read from an STag that nobody has ends the stream",
                        TerminateCode.RDMAP_INVALID_STAG,
                        "a Read Request from the complement of the STag",
                        peer -> read(peer, ~peer.target().sTag(), peer.at(0))),
                source(
                        "RDP-06b",
                        "A Read of one byte beyond the buffer's end ends the stream",
                        TerminateCode.RDMAP_BOUNDS,
                        "a Read Request of 8 bytes, the last one behind the registered memory",
                        peer -> peer.read(0, peer.registered() - 7, 8)),
                source(
                        "RDP-06c",
                        "A Read from in front of the buffer ends the stream",
                        TerminateCode.RDMAP_BOUNDS,
                        "a Read Request of 8 bytes, the first one in front of the registered memory",
                        peer -> peer.read(0, -1, 8)),
                source(
                        "RDP-06d",
                        "A Read whose tagged offset wraps ends the stream",
                        TerminateCode.RDMAP_OFFSET_WRAP,
                        "a Read Request of 8 bytes from tagged offset 2^64 - 4",
                        peer -> read(peer, peer.target().sTag(), -4)),
                source(
                        "RDP-06e",
                        "A Read of 2^32 - 1 bytes ends the stream",
                        TerminateCode.RDMAP_BOUNDS,
                        "a Read Request with size 0xffffffff",
                        peer -> peer.read(0, 0, 0xFFFF_FFFFL)),
                Check.responder("RDP-06f", "A Read from memory that may not be read ends the stream")
                        .clause(OPCODES)
                        .inside("registers a region without the right")
                        .stimulus("a Read Request from a region that may only be written")
                        .answer("Terminate: " + TerminateCode.RDMAP_ACCESS.text())
                        .course(greeted(peer -> {
                            try (var region = peer.objects()
                                    .pd()
                                    .register(
                                            peer.objects().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE)) {
                                peer.refused(TerminateCode.RDMAP_ACCESS, read(peer, region.rKey(), region.address()));
                            }
                        })),
                Check.responder("RDP-06g", "A Write to memory that may not be written ends the stream")
                        .clause(OPCODES)
                        .inside("registers a region without the right")
                        .stimulus("a Write to a region that may only be read")
                        .answer("Terminate: " + TerminateCode.RDMAP_ACCESS.text() + "; nothing is placed")
                        .course(greeted(peer -> {
                            try (var region = peer.objects()
                                    .pd()
                                    .register(
                                            peer.objects().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ)) {
                                peer.refused(
                                        TerminateCode.RDMAP_ACCESS,
                                        Ulpdu.write(region.rKey(), region.address() + PLACE, bytes(8)));
                                peer.untouched(PLACE, 8);
                            }
                        })),
                Check.responder("RDP-06h", "A Read from another protection domain ends the stream")
                        .clause(OPCODES)
                        .inside("registers a region in another protection domain")
                        .stimulus("a Read Request from a region of another domain")
                        .answer("Terminate: " + TerminateCode.RDMAP_STAG_NOT_ASSOCIATED.text())
                        .course(greeted(peer -> {
                            try (var pd = peer.objects().device().allocPd();
                                    var region = pd.register(
                                            peer.objects().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ)) {
                                peer.refused(
                                        TerminateCode.RDMAP_STAG_NOT_ASSOCIATED,
                                        read(peer, region.rKey(), region.address()));
                            }
                        })));
    }

    private static Ulpdu read(IwarpScene peer, int sTag, long offset) {
        return Ulpdu.read(peer.readMsn(0), IwarpScene.SINK_TAG, IwarpScene.SINK, 8, sTag, offset);
    }

    private static Check source(
            String id, String title, TerminateCode code, String stimulus, Function<IwarpScene, Ulpdu> read) {
        return refused(id, title, OPCODES, code, stimulus, read);
    }

    private static List<Check> messages() {
        return List.of(
                cannotInvalidate("RDP-11a", "Send with Invalidate", RdmapOpcode.SEND_INVALIDATE),
                cannotInvalidate("RDP-11b", "Send with SE and Invalidate", RdmapOpcode.SEND_SE_INVALIDATE),
                Check.responder("RDP-11c", "A Send with Invalidate takes the STag away")
                        .clause("RFC 5040, 5.2")
                        .stimulus("a Send with Invalidate of the target's STag; then a Write to it")
                        .answer("the Send is taken; the Write gets Terminate: "
                                + TerminateCode.DDP_TAGGED_INVALID_STAG.text())
                        .course(greeted(peer -> {
                            peer.send(peer.send(0)
                                    .opcode(RdmapOpcode.SEND_INVALIDATE)
                                    .invalidate(peer.target().sTag()));
                            peer.silence();
                            peer.refused(TerminateCode.DDP_TAGGED_INVALID_STAG, peer.write(PLACE, bytes(8)));
                            peer.untouched(PLACE, 8);
                        })),
                Check.responder("RDP-12a", "A Send with SE is delivered as any other")
                        .clause("RFC 5040, 5.2")
                        .stimulus("a Send with opcode 5")
                        .answer("it is delivered")
                        .course(greeted(peer -> {
                            peer.send(peer.send(0).opcode(RdmapOpcode.SEND_SE));
                            peer.delivered(0);
                            peer.pastSends(1);
                            peer.alive();
                        })),
                Check.responder("RDP-12b", "Only Sends with SE raise an event where that is asked for")
                        .clause("RFC 5040, 5.2")
                        .inside("asks the device for solicited events")
                        .stimulus("a Send, then a Send with SE")
                        .answer("no event for the first one, one for the second")
                        .course(greeted(peer -> {
                            peer.objects().cq().requestNotify(true);
                            peer.send(peer.send(0));
                            peer.delivered(0);
                            peer.require(!peer.hasEvent(), "a Send without SE has raised an event");
                            peer.send(peer.send(1).opcode(RdmapOpcode.SEND_SE));
                            peer.delivered(1);
                            peer.require(peer.getsEvent(), "the Send with SE has raised no event");
                            peer.pastSends(2);
                            peer.alive();
                        })),
                Check.responder("RDP-15a", "What a Write has placed is there when the Send behind it is delivered")
                        .clause("RFC 5040, 5.5")
                        .stimulus("a Write of 500 bytes and a Send, together")
                        .answer("when the Send is delivered the bytes are there")
                        .course(greeted(peer -> {
                            peer.sendTogether(peer.write(PLACE, bytes(500)), peer.send(0));
                            peer.delivered(0);
                            peer.pastSends(1);
                            peer.targetHolds(PLACE, bytes(500));
                            peer.alive();
                        })),
                Check.responder("RDP-15b", "A Write of no bytes is taken, whatever it names")
                        .clause("RFC 5041, 5.1")
                        .stimulus("a Write of 0 bytes to an STag that nobody has")
                        .answer("nothing; the connection works")
                        .course(greeted(peer -> {
                            peer.send(Ulpdu.write(~peer.target().sTag(), -1));
                            peer.alive();
                        })));
    }

    private static Check cannotInvalidate(String id, String name, int opcode) {
        return Check.responder(id, "A " + name + " of an STag that nobody has ends the stream")
                .clause("RFC 5040, 5.2")
                .stimulus("a " + name + " of the complement of the STag")
                .answer("Terminate: STag cannot be invalidated, as operation or as protection error")
                .open("an operation error", "a protection error")
                .course(greeted(peer -> {
                    peer.send(peer.send(0)
                            .opcode(opcode)
                            .invalidate(~peer.target().sTag()));
                    TerminateCode said = peer.terminates();
                    peer.require(
                            said == TerminateCode.RDMAP_CANNOT_INVALIDATE
                                    || said == TerminateCode.RDMAP_PROTECTION_INVALIDATE,
                            "due of the peer: a Terminate, STag cannot be invalidated; it said "
                                    + (said == null ? "something that no RFC knows" : said.text()));
                    peer.records(
                            said == TerminateCode.RDMAP_CANNOT_INVALIDATE
                                    ? "an operation error"
                                    : "a protection error");
                }));
    }
}
