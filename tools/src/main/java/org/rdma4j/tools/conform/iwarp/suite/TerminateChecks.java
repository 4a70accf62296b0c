package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.asked;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.called;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.greeted;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.iwarp.craft.FpduStream.Flaw;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.Arrival;
import org.rdma4j.tools.conform.iwarp.IwarpScene;

/** TRM: how streams end (RFC 5040, 4.8, 5.4 and 7). */
final class TerminateChecks {

    private static final String FORMAT = "RFC 5040, 4.8";
    private static final String ENDS = "RFC 5040, 5.4";
    private static final String ERRORS = "RFC 5040, 7";

    private TerminateChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(sent());
        checks.addAll(received());
        checks.addAll(ends());
        return checks;
    }

    private static Ulpdu wrongWrite(IwarpScene peer) {
        return Ulpdu.write(~peer.target().sTag(), peer.at(0), bytes(8));
    }

    private static List<Check> sent() {
        return List.of(
                Check.responder("TRM-01a", "A Terminate is one message, on queue 2, with MSN 1, and the last one")
                        .clause(ENDS)
                        .stimulus("a Write to an STag that nobody has, and Read Requests behind it")
                        .answer("one Terminate with QN 2, MSN 1 and MO 0, then the stream's end")
                        .course(greeted(peer -> {
                            peer.sendTogether(wrongWrite(peer), peer.read(0, 0, 8), peer.read(1, 0, 8));
                            peer.expectMessage(RdmapOpcode.TERMINATE, 1);
                            peer.closes();
                            peer.over();
                        })),
                Check.responder("TRM-01b", "Who has sent a Terminate takes nothing more")
                        .clause(ENDS)
                        .stimulus("a Write to an STag that nobody has, and a good one behind it")
                        .answer("a Terminate, the stream's end; the good Write is not placed")
                        .course(greeted(peer -> {
                            peer.sendTogether(wrongWrite(peer), peer.write(IwarpScene.SMALL, bytes(8)));
                            peer.terminates(TerminateCode.DDP_TAGGED_INVALID_STAG);
                            peer.untouched(IwarpScene.SMALL, 8);
                        })),
                Check.responder("TRM-02a", "A Terminate's first word is laid out as the RFC draws it")
                        .clause(FORMAT)
                        .stimulus("a Write to an STag that nobody has")
                        .answer(
                                "layer 1 in the upper half of the first byte, type 1 in the lower; M and D the highest bits of"
                                        + " the third")
                        .course(greeted(peer -> {
                            peer.send(wrongWrite(peer));
                            byte[] said = peer.terminate();
                            peer.over();
                            String word = HexFormat.of().formatHex(said, 0, Terminate.CONTROL_LENGTH);
                            peer.require(
                                    (said[0] & 0xFF) == 0x11
                                            && said[1] == 0
                                            && (said[2] & 0xFF) == 0xC0
                                            && said[3] == 0,
                                    "the first word is " + word + ", due is 1100c000");
                        })),
                Check.responder("TRM-02b", "A Terminate about an untagged segment has layer and type apart")
                        .clause(FORMAT)
                        .stimulus("a Send with an MSN that is not due")
                        .answer("the first word is 1203c000")
                        .course(greeted(peer -> {
                            peer.send(peer.send(1));
                            byte[] said = peer.terminate();
                            peer.over();
                            String word = HexFormat.of().formatHex(said, 0, Terminate.CONTROL_LENGTH);
                            peer.require(word.equals("1203c000"), "the first word is " + word + ", due is 1203c000");
                        })),
                copies(
                        "TRM-02c",
                        "the DDP header of a tagged segment",
                        "a Write of 8 bytes to an STag that nobody has",
                        TaggedHeader.LENGTH,
                        TerminateChecks::wrongWrite),
                copies(
                        "TRM-02d",
                        "the DDP header of an untagged segment",
                        "a Send with an MSN that is not due",
                        UntaggedHeader.LENGTH,
                        peer -> peer.send(1)),
                copies(
                        "TRM-02e",
                        "the headers of a Read Request",
                        "a Read Request from an STag that nobody has",
                        UntaggedHeader.LENGTH + ReadRequest.LENGTH,
                        peer -> Ulpdu.read(
                                peer.readMsn(0),
                                IwarpScene.SINK_TAG,
                                IwarpScene.SINK,
                                8,
                                ~peer.target().sTag(),
                                peer.at(0))),
                Check.responder("TRM-02f", "A Terminate tells the length of the segment that it is about")
                        .clause(FORMAT)
                        .stimulus("a Write of 8 bytes to an STag that nobody has")
                        .answer("DDP segment length 22: header and payload")
                        .course(greeted(peer -> {
                            peer.send(wrongWrite(peer));
                            byte[] said = peer.terminate();
                            peer.over();
                            peer.require(
                                    said.length > Terminate.SEGMENT_LENGTH_OFFSET + 1,
                                    "the Terminate has only " + said.length + " bytes");
                            int length = (said[Terminate.SEGMENT_LENGTH_OFFSET] & 0xFF) << 8
                                    | said[Terminate.SEGMENT_LENGTH_OFFSET + 1] & 0xFF;
                            peer.require(
                                    length == TaggedHeader.LENGTH + 8,
                                    "the DDP segment length is " + length + ", due is " + (TaggedHeader.LENGTH + 8));
                        })),
                Check.responder("TRM-02g", "A Terminate about a damaged FPDU copies nothing of it")
                        .clause("RFC 5044, 8")
                        .stimulus("a FPDU with a wrong CRC")
                        .answer("Terminate: " + TerminateCode.MPA_CRC.text() + ", of 4 bytes")
                        .course(called(peer -> {
                            peer.establish(peer.request().crc(true));
                            peer.meet();
                            peer.send(peer.write(IwarpScene.SMALL, bytes(8)), Flaw.crc(1));
                            Arrival said = peer.terminates(TerminateCode.MPA_CRC);
                            peer.require(
                                    said.payload().length == Terminate.CONTROL_LENGTH,
                                    "the Terminate has " + said.payload().length + " bytes, due are 4");
                        })),
                Check.responder("TRM-04", "Of two errors the first one is told")
                        .clause(ERRORS)
                        .stimulus("a Write to an STag that nobody has and a Send with a wrong MSN, together")
                        .answer("one Terminate, about the Write")
                        .course(greeted(peer -> {
                            peer.sendTogether(wrongWrite(peer), peer.send(5));
                            peer.terminates(TerminateCode.DDP_TAGGED_INVALID_STAG);
                            peer.flushed(0);
                        })));
    }

    /** What a Terminate has of the segment that it is about. */
    private static Check copies(
            String id, String what, String stimulus, int length, Function<IwarpScene, Ulpdu> wrong) {
        return Check.responder(id, "A Terminate copies " + what)
                .clause(FORMAT)
                .stimulus(stimulus)
                .answer("a Terminate with these " + length + " bytes behind its first six")
                .course(greeted(peer -> {
                    Ulpdu sent = wrong.apply(peer);
                    peer.send(sent);
                    byte[] said = peer.terminate();
                    peer.over();
                    peer.require(
                            said.length == Terminate.DDP_HEADER_OFFSET + length,
                            "the Terminate has " + said.length + " bytes, due are "
                                    + (Terminate.DDP_HEADER_OFFSET + length));
                    byte[] copied = Arrays.copyOfRange(said, Terminate.DDP_HEADER_OFFSET, said.length);
                    int difference = Arrays.mismatch(copied, Arrays.copyOf(sent.bytes(), length));
                    peer.require(difference < 0, "the copy differs at byte " + difference);
                }));
    }

    private static Ulpdu terminate(int queue, byte... message) {
        return Ulpdu.untagged(RdmapOpcode.TERMINATE, true, queue, 1, 0, message);
    }

    private static Ulpdu terminate(byte... message) {
        return terminate(UntaggedHeader.TERMINATE_QUEUE, message);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static List<Check> received() {
        return List.of(
                heard(
                        "TRM-03a",
                        "A Terminate is the end, and not answered",
                        "Terminate: local catastrophic error",
                        terminate(hex("00000000"))),
                heard(
                        "TRM-03b",
                        "A Terminate about a Write is the end, and not answered",
                        "Terminate: access rights violation, without a copy",
                        terminate(hex("01020000"))),
                heard("TRM-05a", "A Terminate without its first word ends the stream", "one of 0 bytes", terminate()),
                heard(
                        "TRM-05b",
                        "A Terminate that is cut short ends the stream",
                        "one that says that a DDP header follows, and ends",
                        terminate(hex("0102c0000010"))),
                heard(
                        "TRM-05c",
                        "A Terminate with a code that nobody knows ends the stream",
                        "one of 0xff",
                        terminate(hex("ffffffff"))),
                Check.responder("TRM-05d", "A second Terminate is no matter")
                        .clause(ERRORS)
                        .stimulus("two Terminates, together")
                        .answer("the peer ends its stream without a word")
                        .course(greeted(peer -> {
                            peer.sendTogether(terminate(hex("01020000")), terminate(hex("01020000")));
                            peer.closes();
                            peer.over();
                            peer.flushed(0);
                        })));
    }

    private static Check heard(String id, String title, String stimulus, Ulpdu terminate) {
        return Check.responder(id, title)
                .clause(ERRORS)
                .stimulus(stimulus)
                .answer("the peer ends its stream without a word; everything posted is flushed")
                .course(greeted(peer -> {
                    peer.send(terminate);
                    peer.closes();
                    peer.over();
                    peer.flushed(0);
                }));
    }

    private static List<Check> ends() {
        return List.of(
                Check.responder("TRM-06a", "An end in order is answered by an end, without a Terminate")
                        .clause(ENDS)
                        .stimulus("the end of the hand-played side's stream (FIN)")
                        .answer("the peer ends its own; everything posted is flushed")
                        .course(greeted(peer -> {
                            peer.session().strand().finish();
                            peer.closes();
                            peer.over();
                            peer.flushed(0);
                        })),
                Check.responder("TRM-06b", "Who ends in order sends no Terminate")
                        .clause(ENDS)
                        .inside("has the device disconnect")
                        .stimulus("the peer's application disconnects")
                        .answer("the peer's stream ends, and nothing comes before")
                        .course(greeted(peer -> {
                            peer.disconnects();
                            peer.closes();
                            peer.session().strand().finish();
                            peer.over();
                            peer.flushed(0);
                        })),
                Check.responder("MPA-21a", "A stream that ends within a FPDU delivers nothing of it")
                        .clause("RFC 5044, 8")
                        .stimulus("half of a Send's FPDU, then the end of the stream (FIN)")
                        .answer("the peer ends its stream; the receive is flushed")
                        .course(greeted(peer -> {
                            byte[] fpdu = peer.fpdu(peer.send(0), Flaw.NONE);
                            peer.sendRaw(Arrays.copyOf(fpdu, fpdu.length / 2));
                            peer.session().strand().finish();
                            peer.endsSomehow();
                            peer.over();
                            peer.flushed(0);
                        })),
                Check.responder("MPA-21b", "A stream that breaks within a FPDU delivers nothing of it")
                        .clause("RFC 5044, 8")
                        .inside("looks at what becomes of the receives")
                        .stimulus("half of a Send's FPDU, then a reset (RST)")
                        .answer("the receives are flushed")
                        .course(greeted(peer -> {
                            byte[] fpdu = peer.fpdu(peer.send(0), Flaw.NONE);
                            peer.sendRaw(Arrays.copyOf(fpdu, fpdu.length / 2));
                            peer.session().strand().reset();
                            peer.over();
                            peer.flushed(0);
                        })),
                Check.responder("MPA-21c", "A stream that ends within the request is closed")
                        .clause("RFC 5044, 7.1.2")
                        .stimulus("half of a request, then the end of the stream (FIN)")
                        .answer("the peer closes without an answer")
                        .course(called(peer -> {
                            byte[] request = peer.request().bytes();
                            peer.sendRaw(Arrays.copyOf(request, request.length / 2));
                            peer.session().strand().finish();
                            peer.closesWithoutAnswer();
                        })),
                Check.requester("MPA-21d", "A stream that ends in place of the reply is closed")
                        .clause("RFC 5044, 7.1.2")
                        .stimulus("the end of the stream (FIN) in place of a reply")
                        .answer("the peer closes without a FPDU")
                        .course(asked(peer -> {
                            peer.hear();
                            peer.session().strand().finish();
                            peer.closesWithoutAnswer();
                        })));
    }
}
