package org.rdma4j.tools.conform.iwarp.suite;

import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.bytes;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.called;
import static org.rdma4j.tools.conform.iwarp.suite.IwarpShapes.greeted;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.rdma4j.iwarp.craft.FpduStream.Flaw;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.Arrival;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.MpaCraft;

/** MPA, the stream: FPDUs, their CRCs, markers and pads, and how a peer-to-peer connection starts (RFC 5044; RFC 6581). */
final class FpduChecks {

    private static final String FRAMING = "RFC 5044, 4";
    private static final String ERRORS = "RFC 5044, 8";
    private static final String READY = "RFC 6581, 9.2";
    private static final int PLACE = 64;

    private FpduChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>();
        checks.addAll(crcs());
        checks.addAll(cuts());
        checks.addAll(lengths());
        checks.addAll(ready());
        return checks;
    }

    private static List<Check> crcs() {
        return List.of(
                Check.responder("MPA-05a", "Where CRCs are not in use their place is not looked at")
                        .clause("RFC 5044, 4.4")
                        .stimulus("a request without the C flag; a Write with 0xffffffff for a CRC")
                        .answer("it is placed")
                        .course(called(peer -> {
                            peer.establish(peer.request().crc(false));
                            peer.meet();
                            peer.send(peer.write(PLACE, bytes(8)), Flaw.crc(-1));
                            peer.targetHolds(PLACE, bytes(8));
                            peer.alive();
                        })),
                damaged("MPA-13a", "whose CRC has a flipped bit", "its CRC's lowest bit flipped", peer -> {
                    peer.send(peer.write(PLACE, bytes(8)), Flaw.crc(1));
                }),
                damaged("MPA-13b", "without a CRC where CRCs are in use", "0 in place of its CRC", peer -> {
                    byte[] fpdu = peer.fpdu(peer.write(PLACE, bytes(8)), Flaw.NONE);
                    Arrays.fill(fpdu, fpdu.length - 4, fpdu.length, (byte) 0);
                    peer.sendRaw(fpdu);
                }),
                damaged("MPA-13c", "with a flipped bit in its payload", "a bit of its payload flipped", peer -> {
                    byte[] fpdu = peer.fpdu(peer.write(PLACE, bytes(8)), Flaw.NONE);
                    fpdu[20] ^= 0x10;
                    peer.sendRaw(fpdu);
                }),
                damaged("MPA-13d", "with a flipped bit in its pad", "a bit of its pad flipped", peer -> {
                    byte[] fpdu = peer.fpdu(peer.write(PLACE, bytes(7)), Flaw.NONE);
                    fpdu[fpdu.length - 5] ^= 1; // 2 + 14 + 7 bytes and one of pad
                    peer.sendRaw(fpdu);
                }),
                damaged(
                        "MPA-13e",
                        "whose CRC has its bytes the other way about",
                        "the CRC's bytes in reverse",
                        peer -> {
                            byte[] fpdu = peer.fpdu(peer.write(PLACE, bytes(8)), Flaw.NONE);
                            for (int at = 0; at < 2; at++) {
                                byte low = fpdu[fpdu.length - 4 + at];
                                fpdu[fpdu.length - 4 + at] = fpdu[fpdu.length - 1 - at];
                                fpdu[fpdu.length - 1 - at] = low;
                            }
                            peer.sendRaw(fpdu);
                        }),
                Check.responder("MPA-14", "A marker that does not point to its FPDU's start ends the stream")
                        .clause(ERRORS)
                        .inside("has the device ask for markers")
                        .stimulus("a Write of 2000 bytes whose markers point 4 bytes aside")
                        .answer("Terminate: " + TerminateCode.MPA_MARKER.text() + "; nothing is placed")
                        .course(called(IwarpSetup.STOCK.withMpa(mpa -> mpa.withMarkers(true, true)), peer -> {
                            peer.establish();
                            peer.meet();
                            peer.send(peer.write(0, bytes(8)));
                            peer.targetHolds(0, bytes(8));
                            peer.send(peer.write(PLACE, bytes(2000)), Flaw.marker(4));
                            peer.terminates(TerminateCode.MPA_MARKER);
                            peer.untouched(PLACE, 2000);
                        })),
                Check.responder("MPA-15a", "The pad is not looked at")
                        .clause("RFC 5044, 4.1")
                        .stimulus("Writes of 5, 6 and 7 bytes whose pads are 0xff, with right CRCs")
                        .answer("all are placed")
                        .course(greeted(peer -> {
                            for (int length = 5; length <= 7; length++) {
                                peer.send(peer.write(PLACE + 8L * length, bytes(length)), Flaw.pad(0xFF));
                                peer.targetHolds(PLACE + 8 * length, bytes(length));
                            }
                            peer.alive();
                        })),
                Check.responder("MPA-15b", "The pad is sent as zeros")
                        .clause("RFC 5044, 4.1")
                        .stimulus("Read Requests of 1 to 8 bytes")
                        .answer("Responses whose pads are zeros")
                        .course(greeted(peer -> {
                            for (int length = 1; length <= 8; length++) {
                                peer.send(peer.read(0, 0, length));
                                peer.pastReads(1);
                                Arrival response = peer.expect(RdmapOpcode.READ_RESPONSE);
                                for (byte pad : response.pad().toArray(ValueLayout.JAVA_BYTE)) {
                                    peer.require(pad == 0, "the pad of a Response of " + length + " bytes is not 0");
                                }
                            }
                            peer.alive();
                        })));
    }

    private static Check damaged(String id, String what, String stimulus, Consumer<IwarpScene> damage) {
        return Check.responder(id, "A FPDU " + what + " ends the stream, and is not placed")
                .clause(ERRORS)
                .stimulus("a request with the C flag; a Write with " + stimulus)
                .answer("Terminate: " + TerminateCode.MPA_CRC.text() + "; nothing is placed")
                .course(called(peer -> {
                    peer.establish(peer.request().crc(true));
                    peer.meet();
                    damage.accept(peer);
                    peer.terminates(TerminateCode.MPA_CRC);
                    peer.untouched(PLACE, 8);
                }));
    }

    private static List<Check> cuts() {
        return List.of(
                Check.responder("MPA-12a", "A FPDU may come byte by byte")
                        .clause(FRAMING)
                        .stimulus("a Write and a Read Request, a byte in each TCP segment")
                        .answer("both are carried out")
                        .course(greeted(peer -> {
                            peer.sendBytewise(peer.fpdu(peer.write(PLACE, bytes(9)), Flaw.NONE));
                            peer.targetHolds(PLACE, bytes(9));
                            peer.sendBytewise(peer.fpdu(peer.read(0, PLACE, 9), Flaw.NONE));
                            peer.pastReads(1);
                            peer.expectResponse(bytes(9));
                            peer.alive();
                        })),
                Check.responder("MPA-12b", "A FPDU may be cut anywhere")
                        .clause(FRAMING)
                        .stimulus("Writes cut once, each one byte later than the one before")
                        .answer("all are placed")
                        .course(greeted(peer -> {
                            int length = peer.write(PLACE, bytes(10)).bytes().length + 6;
                            for (int cut = 1; cut < length; cut++) {
                                byte[] fpdu = peer.fpdu(peer.write(PLACE + cut, bytes(10)), Flaw.NONE);
                                peer.sendRaw(Arrays.copyOf(fpdu, cut));
                                peer.sendRaw(Arrays.copyOfRange(fpdu, cut, fpdu.length));
                            }
                            peer.targetHolds(PLACE + length - 1, bytes(10));
                            peer.alive();
                        })),
                Check.responder("MPA-12c", "Many FPDUs may come at once")
                        .clause(FRAMING)
                        .stimulus("100 Writes in one piece")
                        .answer("all are placed")
                        .course(greeted(peer -> {
                            byte[] all = bytes(800);
                            Ulpdu[] writes = new Ulpdu[100];
                            for (int at = 0; at < writes.length; at++) {
                                writes[at] = peer.write(PLACE + 8L * at, Arrays.copyOfRange(all, 8 * at, 8 * at + 8));
                            }
                            peer.sendTogether(writes);
                            peer.targetHolds(PLACE, all);
                            peer.alive();
                        })));
    }

    private static List<Check> lengths() {
        return List.of(
                Check.responder("MPA-16a", "A FPDU without a ULPDU in the midst of a stream is no segment")
                        .clause("RFC 5044, 4.5")
                        .stimulus("a FPDU with ULPDU_Length 0")
                        .answer("the stream ends, or nothing happens; nothing behind it is misread")
                        .open("the stream ends", "nothing happens")
                        .course(greeted(peer -> tooShort(peer, 0))),
                cut("MPA-16b", 1),
                cut("MPA-16c", 13),
                Check.responder("MPA-16d", "An untagged segment one byte short of its header ends the stream")
                        .clause("RFC 5041, 4.3")
                        .stimulus("a Send cut to 17 bytes")
                        .answer("the stream ends; nothing is delivered")
                        .course(greeted(peer -> {
                            peer.send(peer.send(0).length(17));
                            peer.endsSomehow();
                            peer.over();
                            peer.flushed(0);
                        })),
                Check.responder("MPA-16e", "A ULPDU longer than the peer's own longest one is taken")
                        .clause("RFC 5044, 4.5")
                        .stimulus("a Write of 16,000 bytes in one segment")
                        .answer("it is placed")
                        .course(greeted(peer -> {
                            peer.send(peer.write(0, bytes(16_000)));
                            peer.targetHolds(0, bytes(16_000));
                            peer.alive();
                        })));
    }

    private static Check cut(String id, int length) {
        return Check.responder(id, "A ULPDU of " + length + (length == 1 ? " byte" : " bytes") + " ends the stream")
                .clause("RFC 5041, 4.2")
                .stimulus("a Write cut to " + length + (length == 1 ? " byte" : " bytes"))
                .answer("the stream ends; nothing is placed")
                .course(greeted(peer -> {
                    peer.send(peer.write(PLACE, bytes(8)).length(length));
                    peer.endsSomehow();
                    peer.over();
                    peer.untouched(PLACE, 8);
                }));
    }

    private static void tooShort(IwarpScene peer, int length) {
        peer.send(peer.write(PLACE, bytes(8)).length(length));
        if (peer.isAliveStill()) {
            peer.records("nothing happens");
        } else {
            peer.records("the stream ends");
            peer.over();
        }
    }

    private static List<Check> ready() {
        return List.of(
                starts("MPA-19a", "Write", new EnhancedData(true, false, 2, true, false, 2)),
                starts("MPA-19b", "Read", new EnhancedData(true, false, 2, false, true, 2)),
                starts("MPA-19c", "Send", new EnhancedData(true, true, 2, false, false, 2)),
                Check.responder("MPA-19d", "Another first message than the one agreed upon ends the connection")
                        .clause(READY)
                        .stimulus(
                                "a request for a peer-to-peer connection that starts with a Write; a Read of no bytes")
                        .answer("Terminate: " + TerminateCode.MPA_NO_MATCHING_RTR.text())
                        .course(called(peer -> {
                            peer.establish(peerToPeer(peer, new EnhancedData(true, false, 2, true, false, 2)));
                            peer.send(Ulpdu.read(1, IwarpScene.SINK_TAG, IwarpScene.SINK, 0, 0, 0));
                            peer.terminatesSetup(TerminateCode.MPA_NO_MATCHING_RTR);
                        })),
                Check.responder("MPA-19e", "A peer-to-peer connection may end before its first message")
                        .clause(READY)
                        .stimulus("a request for a peer-to-peer connection, its reply, and the stream's end (FIN)")
                        .answer("the peer ends its stream; other connections work")
                        .course(called(peer -> {
                            peer.establish(peerToPeer(peer, new EnhancedData(true, false, 2, true, false, 2)));
                            peer.session().strand().finish();
                            peer.endsSomehow();
                            peer.spend();
                        })));
    }

    private static MpaCraft peerToPeer(IwarpScene peer, EnhancedData data) {
        return peer.request().enhanced(true).revision(2).data(data);
    }

    private static Check starts(String id, String name, EnhancedData offered) {
        return Check.responder(id, "A peer-to-peer connection may start with a " + name + " of no bytes")
                .clause(READY)
                .stimulus("a request with flag A that offers a " + name + "; that message; a Write and a Read")
                .answer("a reply with flag A that names it; the connection works")
                .course(called(peer -> {
                    peer.establish(peerToPeer(peer, offered));
                    EnhancedData answer = peer.heard().data();
                    peer.require(answer != null && answer.peerToPeer(), "the reply has no flag A");
                    peer.ready(answer); // also where it is another one: a peer that waits for it is let go of
                    peer.require(
                            answer.sendRtr() == offered.sendRtr()
                                    && answer.writeRtr() == offered.writeRtr()
                                    && answer.readRtr() == offered.readRtr(),
                            "the reply names another message");
                    peer.alive();
                }));
    }
}
