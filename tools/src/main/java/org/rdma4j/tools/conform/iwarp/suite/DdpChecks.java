package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.greeted;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.refused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.verbs.WcStatus;

/** DDP: segments, their buffers and their order (RFC 5041). */
final class DdpChecks {

    private static final String VERSIONS = "RFC 5041, 4.1";
    private static final String ERRORS = "RFC 5041, 7.1";
    private static final String ORDER = "RFC 5041, 5.3";
    private static final int SIZE = IwarpSetup.RECEIVE_SIZE;
    private static final int PLACE = 256;

    private DdpChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>();
        for (int version : new int[] {0, 2, 3}) {
            checks.add(refused(
                    "DDP-01" + (char) ('a' + Math.max(0, version - 1)),
                    "A tagged segment of DDP version " + version + " ends the stream",
                    VERSIONS,
                    TerminateCode.DDP_TAGGED_VERSION,
                    "a Write with DV " + version,
                    peer -> peer.write(IwarpScene.SMALL, bytes(8)).ddpVersion(version)));
            checks.add(refused(
                    "DDP-01" + (char) ('d' + Math.max(0, version - 1)),
                    "An untagged segment of DDP version " + version + " ends the stream",
                    VERSIONS,
                    TerminateCode.DDP_UNTAGGED_VERSION,
                    "a Send with DV " + version,
                    peer -> peer.send(0).ddpVersion(version)));
        }
        checks.addAll(tagged());
        checks.addAll(untagged());
        checks.addAll(messages());
        return checks;
    }

    private static List<Check> tagged() {
        return List.of(
                refused(
                        "DDP-02a",
                        "A Write to an STag that nobody has ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_INVALID_STAG,
                        "a Write to the complement of the STag",
                        peer -> Ulpdu.write(~peer.target().sTag(), peer.at(IwarpScene.SMALL), bytes(8))),
                refused(
                        "DDP-02b",
                        "A Write to the right STag with the wrong key byte ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_INVALID_STAG,
                        "a Write to the STag with its lowest bit flipped",
                        peer -> Ulpdu.write(peer.target().sTag() ^ 1, peer.at(IwarpScene.SMALL), bytes(8))),
                refused(
                        "DDP-03a",
                        "A Write of one byte beyond the buffer's end ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        "a Write of 8 bytes, the last one behind the registered memory",
                        peer -> peer.write(peer.registered() - 7, bytes(8))),
                refused(
                        "DDP-03b",
                        "A Write in front of the buffer ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        "a Write of 8 bytes, the first one in front of the registered memory",
                        peer -> peer.write(-1, bytes(8))),
                refused(
                        "DDP-03c",
                        "A Write far behind the buffer ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        "a Write to the tagged offset + 2^40",
                        peer -> peer.write(1L << 40, bytes(8))),
                Check.responder("DDP-03d", "The last byte of the buffer may be written")
                        .clause(ERRORS)
                        .stimulus("a Write of 8 bytes that ends with the registered memory")
                        .answer("it is placed; nothing is said")
                        .course(greeted(peer -> {
                            int last = peer.registered() - 8;
                            peer.send(peer.write(last, bytes(8)));
                            peer.targetHolds(last, bytes(8));
                            peer.alive();
                        })),
                Check.responder("DDP-04", "A Write to the STag of another protection domain ends the stream")
                        .clause(ERRORS)
                        .inside("registers a region in another protection domain")
                        .stimulus("a Write to a region of another domain")
                        .answer("Terminate: " + TerminateCode.DDP_TAGGED_NOT_ASSOCIATED.text())
                        .course(greeted(peer -> {
                            try (var pd = peer.objects().device().allocPd();
                                    var region = pd.register(
                                            peer.objects().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE)) {
                                peer.refused(
                                        TerminateCode.DDP_TAGGED_NOT_ASSOCIATED,
                                        Ulpdu.write(region.rKey(), region.address() + PLACE, bytes(8)));
                                peer.untouched(PLACE, 8);
                            }
                        })),
                refused(
                        "DDP-05",
                        "A Write whose tagged offset wraps ends the stream",
                        ERRORS,
                        TerminateCode.DDP_TAGGED_OFFSET_WRAP,
                        "a Write of 8 bytes to tagged offset 2^64 - 4",
                        peer -> Ulpdu.write(peer.target().sTag(), -4, bytes(8))));
    }

    private static List<Check> untagged() {
        return List.of(
                refused(
                        "DDP-06a",
                        "A Send on queue 3 ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_QUEUE_NUMBER,
                        "a Send with QN 3",
                        peer -> onQueue(peer, 3)),
                refused(
                        "DDP-06b",
                        "A Send on queue 2^32 - 1 ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_QUEUE_NUMBER,
                        "a Send with QN 0xffffffff",
                        peer -> onQueue(peer, -1)),
                Check.responder("DDP-07", "A Send that no receive waits for ends the stream")
                        .clause(ERRORS)
                        .stimulus("one Send more than receives are posted, all at once")
                        .answer("Terminate: " + TerminateCode.DDP_UNTAGGED_NO_BUFFER.text()
                                + "; the others are delivered")
                        .course(greeted(peer -> {
                            int receives = peer.session().application().receives();
                            Ulpdu[] sends = new Ulpdu[receives + 1];
                            for (int place = 0; place <= receives; place++) {
                                sends[place] = peer.send(place);
                            }
                            peer.sendTogether(sends);
                            peer.terminates(TerminateCode.DDP_UNTAGGED_NO_BUFFER);
                            for (int place = 0; place < receives; place++) {
                                peer.completes(peer.receive(place), WcStatus.SUCCESS);
                            }
                            peer.completesNothing();
                        })),
                refused(
                        "DDP-08a",
                        "A Send whose MSN was there already ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_MSN_RANGE,
                        "a Send with the MSN before the one that is due",
                        peer -> peer.send(-1)),
                refused(
                        "DDP-08b",
                        "A Send whose MSN is one too far ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_MSN_RANGE,
                        "a Send with the MSN behind the one that is due",
                        peer -> peer.send(1)),
                refused(
                        "DDP-08c",
                        "A Send with MSN 2^32 - 1 ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_MSN_RANGE,
                        "a Send with MSN 0xffffffff",
                        peer -> Ulpdu.send(-1, peer.message(0))),
                refused(
                        "DDP-08d",
                        "A Read Request whose MSN is one too far ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_MSN_RANGE,
                        "a Read Request with the MSN behind the one that is due",
                        peer -> peer.read(1, 0, 8)),
                refused(
                        "DDP-09a",
                        "A message that does not start with offset 0 ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET,
                        "a Send whose first segment has MO 4",
                        peer -> peer.sendPart(0, 4, SIZE, true)),
                offset("DDP-09b", "leaves a gap", "MO 12", 12),
                offset("DDP-09c", "overlaps the one before", "MO 4", 4),
                refused(
                        "DDP-10a",
                        "A Send that is longer than its receive ends the stream",
                        ERRORS,
                        TerminateCode.DDP_UNTAGGED_TOO_LONG,
                        "a Send of 17 bytes to a receive of 16",
                        peer -> Ulpdu.send(peer.sendMsn(0), bytes(SIZE + 1)),
                        peer -> peer.completes(peer.receive(0), WcStatus.LOC_LEN_ERR)),
                Check.responder("DDP-10b", "A Send whose last segment is too long for its receive ends the stream")
                        .clause(ERRORS)
                        .stimulus("a Send of 8 bytes and 9 more, to a receive of 16")
                        .answer("Terminate: " + TerminateCode.DDP_UNTAGGED_TOO_LONG.text())
                        .course(greeted(peer -> {
                            peer.send(peer.sendPart(0, 0, 8, false));
                            peer.refused(
                                    TerminateCode.DDP_UNTAGGED_TOO_LONG,
                                    Ulpdu.untagged(
                                            RdmapOpcode.SEND,
                                            true,
                                            UntaggedHeader.SEND_QUEUE,
                                            peer.sendMsn(0),
                                            8,
                                            bytes(9)));
                            peer.completes(peer.receive(0), WcStatus.LOC_LEN_ERR);
                        })));
    }

    private static Ulpdu onQueue(IwarpScene peer, int queue) {
        return Ulpdu.untagged(RdmapOpcode.SEND, true, queue, 1, 0, peer.message(0));
    }

    private static Check offset(String id, String what, String offset, int second) {
        return Check.responder(id, "A segment that " + what + " ends the stream")
                .clause(ERRORS)
                .stimulus("a Send's first segment of 8 bytes, then one with " + offset)
                .answer("Terminate: " + TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET.text())
                .course(greeted(peer -> {
                    peer.send(peer.sendPart(0, 0, 8, false));
                    peer.refused(
                            TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET,
                            Ulpdu.untagged(
                                    RdmapOpcode.SEND,
                                    true,
                                    UntaggedHeader.SEND_QUEUE,
                                    peer.sendMsn(0),
                                    second,
                                    bytes(4)));
                    peer.flushed(0);
                }));
    }

    private static List<Check> messages() {
        return List.of(
                Check.responder("DDP-12a", "A Send ends with the segment that has the L bit, however short it is")
                        .clause("RFC 5041, 4.1")
                        .stimulus("a Send of 16 bytes in segments of 1, 2, 12 and 1 bytes")
                        .answer("it is delivered once, whole")
                        .course(greeted(peer -> {
                            peer.send(
                                    peer.sendPart(0, 0, 1, false),
                                    peer.sendPart(0, 1, 3, false),
                                    peer.sendPart(0, 3, 15, false),
                                    peer.sendPart(0, 15, SIZE, true));
                            peer.delivered(0);
                            peer.pastSends(1);
                            peer.completesNothing();
                            peer.alive();
                        })),
                Check.responder(
                                "DDP-12b",
                                "A Write ends with the segment that has the L bit, however short those before it are")
                        .clause("RFC 5041, 5.1")
                        .stimulus("a Write of 24 bytes in segments of 8, 1, 0 and 15 bytes")
                        .answer("all bytes are in their places")
                        .course(greeted(peer -> {
                            byte[] all = bytes(24);
                            peer.send(
                                    peer.writePart(PLACE, part(all, 0, 8)),
                                    peer.writePart(PLACE + 8, part(all, 8, 9)),
                                    peer.writePart(PLACE + 9),
                                    peer.write(PLACE + 9, part(all, 9, 24)));
                            peer.targetHolds(PLACE, all);
                            peer.alive();
                        })),
                Check.responder("DDP-12c", "Segments of a Write that do not follow one upon the other")
                        .clause("RFC 5041, 5.1")
                        .stimulus("a Write of 24 bytes in three segments, the last one first in memory")
                        .answer("each segment is placed where it says, or the stream is ended")
                        .open("each is placed where it says", "the stream is ended")
                        .course(greeted(peer -> {
                            byte[] all = bytes(24);
                            peer.send(
                                    peer.writePart(PLACE + 8, part(all, 8, 16)),
                                    peer.writePart(PLACE + 16, part(all, 16, 24)),
                                    peer.write(PLACE, part(all, 0, 8)));
                            if (peer.endsByTerminate()) {
                                peer.records("the stream is ended");
                                return;
                            }
                            peer.targetHolds(PLACE, all);
                            peer.records("each is placed where it says");
                            peer.alive();
                        })),
                Check.responder("DDP-13", "Segments of a Write and of a Send may be mixed")
                        .clause(ORDER)
                        .stimulus("a Write's first segment, a Send's, the Write's last, the Send's")
                        .answer("both are delivered")
                        .open("both are delivered", "the stream is ended")
                        .course(greeted(peer -> {
                            byte[] all = bytes(16);
                            peer.send(
                                    peer.writePart(PLACE, part(all, 0, 8)),
                                    peer.sendPart(0, 0, 8, false),
                                    peer.write(PLACE + 8, part(all, 8, 16)),
                                    peer.sendPart(0, 8, SIZE, true));
                            if (peer.endsByTerminate()) {
                                peer.records("the stream is ended");
                                return;
                            }
                            peer.delivered(0);
                            peer.pastSends(1);
                            peer.targetHolds(PLACE, all);
                            peer.records("both are delivered");
                            peer.alive();
                        })),
                Check.responder("DDP-14a", "A segment is placed before its message is whole, and not delivered")
                        .clause(ORDER)
                        .stimulus(
                                "a Write's first segment and a Read Request; a Send's first segment and a Read Request")
                        .answer("the Write's bytes are there; the Send is not delivered before its last segment")
                        .course(greeted(peer -> {
                            peer.send(peer.writePart(PLACE, bytes(8)));
                            peer.send(peer.write(PLACE + 8, bytes(8)));
                            peer.targetHolds(PLACE, bytes(8));
                            peer.send(peer.sendPart(0, 0, 8, false));
                            peer.silence();
                            peer.completesNothing();
                            peer.send(peer.sendPart(0, 8, SIZE, true));
                            peer.delivered(0);
                            peer.pastSends(1);
                            peer.alive();
                        })),
                Check.responder("DDP-14b", "Messages are delivered in their order")
                        .clause(ORDER)
                        .stimulus("as many Sends as receives are posted, at once")
                        .answer("each is delivered to its own receive, in order")
                        .course(greeted(peer -> {
                            int receives = peer.session().application().receives();
                            Ulpdu[] sends = new Ulpdu[receives];
                            for (int place = 0; place < receives; place++) {
                                sends[place] = peer.send(place);
                            }
                            peer.send(sends);
                            for (int place = 0; place < receives; place++) {
                                peer.delivered(place);
                            }
                            peer.pastSends(receives);
                            peer.completesNothing();
                            peer.alive();
                        })));
    }

    private static byte[] part(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }
}
