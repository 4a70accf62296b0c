package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.greeted;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.verbs.WcStatus;

/** RDMAP, the half that asks: Reads of the peer's, and what it sends (RFC 5040). */
final class ReadSinkChecks {

    private static final String ERRORS = "RFC 5040, 7.1";
    private static final int SIZE = 64;

    private ReadSinkChecks() {}

    static List<Check> all() {
        return List.of(
                wrong(
                        "RDP-09a",
                        "to another STag than was asked for",
                        "the Response's STag is the complement of the right one",
                        TerminateCode.DDP_TAGGED_INVALID_STAG,
                        (peer, asked) -> response(~asked.sinkSTag(), asked.sinkOffset(), SIZE)),
                wrong(
                        "RDP-09b",
                        "to another offset than was asked for",
                        "the Response's offset is 8 too far",
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        (peer, asked) -> response(asked.sinkSTag(), asked.sinkOffset() + 8, SIZE)),
                wrong(
                        "RDP-09c",
                        "that is too short",
                        "a Response of one byte less than was asked for",
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        (peer, asked) -> response(asked.sinkSTag(), asked.sinkOffset(), SIZE - 1)),
                wrong(
                        "RDP-09d",
                        "that is too long",
                        "a Response of one byte more than was asked for",
                        TerminateCode.DDP_TAGGED_BOUNDS,
                        (peer, asked) -> response(asked.sinkSTag(), asked.sinkOffset(), SIZE + 1)),
                Check.requester("RDP-08c", "A Read completes when its Response is whole")
                        .clause("RFC 5040, 5.1")
                        .stimulus("a Response in three segments")
                        .answer("the Read completes, once, and its bytes are there")
                        .course(greeted(peer -> {
                            ReadRequest asked = provoked(peer);
                            byte[] all = bytes(SIZE);
                            for (int at = 0; at < SIZE; at += 24) {
                                int end = Math.min(SIZE, at + 24);
                                peer.completesNothing();
                                peer.send(Ulpdu.tagged(
                                        RdmapOpcode.READ_RESPONSE,
                                        end == SIZE,
                                        asked.sinkSTag(),
                                        asked.sinkOffset() + at,
                                        Arrays.copyOfRange(all, at, end)));
                            }
                            peer.session().application().readDone(peer);
                            peer.targetHolds(
                                    (int) (asked.sinkOffset() - peer.target().offset()), all);
                            peer.alive();
                        })),
                Check.requester("RDP-10", "A Read Response that nobody has asked for ends the stream")
                        .clause(ERRORS)
                        .stimulus("a Read Response to the target")
                        .answer("Terminate: " + TerminateCode.RDMAP_UNEXPECTED_OPCODE.text() + "; nothing is placed")
                        .course(greeted(peer -> {
                            peer.refused(
                                    TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                                    response(peer.target().sTag(), peer.at(IwarpScene.SMALL), 8));
                            peer.untouched(IwarpScene.SMALL, 8);
                            peer.flushed(0);
                        })),
                Check.requester("RDP-13", "No more Reads are outstanding than were agreed upon")
                        .clause("RFC 5040, 6.1")
                        .inside("has the device post 3 Reads")
                        .stimulus("3 Reads posted where 2 were agreed upon; a Response")
                        .answer("two Read Requests, and the third with the first Response")
                        .course(greeted(peer -> {
                            peer.post(new Work(Work.Op.READ, SIZE, 3));
                            ReadRequest first = peer.wanted(peer.expectMessage(RdmapOpcode.READ_REQUEST, 1));
                            peer.expectMessage(RdmapOpcode.READ_REQUEST, 2);
                            peer.silence();
                            peer.send(response(first.sinkSTag(), first.sinkOffset(), SIZE));
                            peer.expectMessage(RdmapOpcode.READ_REQUEST, 3);
                            peer.completes(0, WcStatus.SUCCESS);
                        })),
                Check.requester("RDP-15c", "A Write and the Send behind it leave in their order")
                        .clause("RFC 5040, 5.5")
                        .stimulus("the peer is brought to WRITE 9000 bytes, and to SEND then")
                        .answer("a Write in as many segments as it takes, then the Send")
                        .course(greeted(peer -> {
                            peer.session().application().provokeWrite(peer, 9000);
                            byte[] written = peer.expectTagged(RdmapOpcode.WRITE, IwarpScene.SINK_TAG, IwarpScene.SINK);
                            peer.require(
                                    written.length == 9000, "the Write has " + written.length + " bytes, not 9000");
                            peer.expect(RdmapOpcode.SEND);
                            peer.alive();
                        })),
                Check.requester("DDP-11a", "The MSNs of Sends start at 1 and grow by 1")
                        .clause("RFC 5041, 5.2")
                        .inside("has the device post 3 Sends")
                        .stimulus("3 Sends are posted")
                        .answer("Sends with MSN 1, 2 and 3")
                        .course(greeted(peer -> {
                            peer.post(new Work(Work.Op.SEND, IwarpSetup.RECEIVE_SIZE, 3));
                            for (int msn = 1; msn <= 3; msn++) {
                                peer.expectMessage(RdmapOpcode.SEND, msn);
                            }
                            peer.alive();
                        })),
                Check.requester("DDP-11b", "Read Requests are numbered by themselves")
                        .clause("RFC 5041, 5.2")
                        .inside("has the device post Sends and Reads")
                        .stimulus("two Sends and two Reads are posted")
                        .answer("Sends with MSN 1 and 2, Read Requests with MSN 1 and 2")
                        .course(greeted(peer -> {
                            peer.post(new Work(Work.Op.SEND, IwarpSetup.RECEIVE_SIZE, 2));
                            peer.post(new Work(Work.Op.READ, SIZE, 2));
                            peer.expectMessage(RdmapOpcode.SEND, 1);
                            peer.expectMessage(RdmapOpcode.SEND, 2);
                            peer.expectMessage(RdmapOpcode.READ_REQUEST, 1);
                            peer.expectMessage(RdmapOpcode.READ_REQUEST, 2);
                        })));
    }

    private static Ulpdu response(int sTag, long offset, int length) {
        return Ulpdu.tagged(RdmapOpcode.READ_RESPONSE, true, sTag, offset, bytes(length));
    }

    private static ReadRequest provoked(IwarpScene peer) {
        ReadRequest asked = peer.wanted(peer.session().application().provokeRead(peer, SIZE));
        peer.require(
                asked.size() == SIZE
                        && asked.sourceSTag() == IwarpScene.SINK_TAG
                        && asked.sourceOffset() == IwarpScene.SINK,
                "the Read Request is for other bytes: " + asked);
        return asked;
    }

    private static Check wrong(
            String id,
            String what,
            String stimulus,
            TerminateCode code,
            BiFunction<IwarpScene, ReadRequest, Ulpdu> response) {
        return Check.requester(id, "A Read Response " + what + " ends the stream")
                .clause(ERRORS)
                .stimulus(stimulus)
                .answer("Terminate: " + code.text() + "; the Read fails")
                .course(greeted(peer -> {
                    peer.refused(code, response.apply(peer, provoked(peer)));
                    peer.completes(0, WcStatus.BAD_RESP_ERR);
                }));
    }
}
