package org.rdma4j.tools.conform.mutant.iwarp;

import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.omits;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.repeats;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.sends;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.takes;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.tampered;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/** Devices that end streams wrongly. */
final class TerminateMutants {

    private TerminateMutants() {}

    static List<IwarpMutant> all() {
        List<IwarpMutant> mutants = new ArrayList<>(said());
        mutants.addAll(ends());
        return mutants;
    }

    private static boolean isTerminate(Unit unit) {
        return unit.is(RdmapOpcode.TERMINATE);
    }

    private static IwarpMutant says(String id, String what, Consumer<byte[]> change) {
        return sends(id, what, TerminateMutants::isTerminate, unit -> {
            byte[] message = unit.payload();
            change.accept(message);
            unit.payload(message);
        });
    }

    private static boolean hasCopy(byte[] message) {
        return message.length > Terminate.DDP_HEADER_OFFSET;
    }

    private static boolean isCode(byte[] message, int first, int code) {
        return (message[0] & 0xFF) == first && (message[1] & 0xFF) == code;
    }

    /** Says one code for another. */
    private static IwarpMutant confuses(String id, String what, int first, int code, int otherFirst, int otherCode) {
        return says(id, what, message -> {
            if (isCode(message, first, code)) {
                message[0] = (byte) otherFirst;
                message[1] = (byte) otherCode;
            }
        });
    }

    private static List<IwarpMutant> said() {
        return List.of(
                omits("trm-none", "ends streams without a Terminate", TerminateMutants::isTerminate),
                repeats("trm-twice", "sends its Terminate twice", TerminateMutants::isTerminate),
                says("trm-swapped", "changes layer and type about, and the flags' bits, as siw does", message -> {
                    message[0] = (byte) (message[0] << 4 | (message[0] & 0xFF) >>> 4);
                    message[2] = (byte) (Integer.reverse(message[2] & 0xFF) >>> 24);
                }),
                sends(
                        "trm-queue",
                        "sends its Terminate on queue 0",
                        TerminateMutants::isTerminate,
                        unit -> unit.queue(0)),
                sends("trm-msn", "numbers its Terminate 2", TerminateMutants::isTerminate, unit -> unit.msn(2)),
                says("trm-length-of-payload", "tells the length of a segment's payload", message -> {
                    if (hasCopy(message)) {
                        message[Terminate.SEGMENT_LENGTH_OFFSET + 1] -= (byte) (message[0] == 0x11 ? 14 : 18);
                    }
                }),
                says("trm-tagged-copy", "copies the headers of tagged segments with a flipped bit", message -> {
                    if (hasCopy(message) && (message[Terminate.DDP_HEADER_OFFSET] & 0x80) != 0) {
                        message[Terminate.DDP_HEADER_OFFSET + 3] ^= 1;
                    }
                }),
                says("trm-untagged-copy", "copies the headers of untagged segments with a flipped bit", message -> {
                    if (hasCopy(message) && (message[Terminate.DDP_HEADER_OFFSET] & 0x80) == 0) {
                        message[Terminate.DDP_HEADER_OFFSET + 3] ^= 1;
                    }
                }),
                sends(
                        "trm-no-request",
                        "copies no RDMAP header of a Read Request",
                        unit -> isTerminate(unit)
                                && unit.payload().length > Terminate.DDP_HEADER_OFFSET + UntaggedHeader.LENGTH,
                        unit -> unit.payload(
                                Arrays.copyOf(unit.payload(), Terminate.DDP_HEADER_OFFSET + UntaggedHeader.LENGTH))),
                sends(
                        "trm-crc-copies",
                        "copies something of damaged FPDUs",
                        unit -> isTerminate(unit) && isCode(unit.payload(), 0x20, 2),
                        unit -> unit.payload(Arrays.copyOf(unit.payload(), 20))),
                confuses("trm-stag-as-bounds", "says bounds for an STag that nobody has", 0x11, 0, 0x11, 1),
                confuses("trm-bounds-as-stag", "says invalid STag for bounds", 0x11, 1, 0x11, 0),
                confuses("trm-domain-as-stag", "says invalid STag for that of another domain", 0x11, 2, 0x11, 0),
                confuses("trm-wrap-as-bounds", "says bounds where an offset wraps", 0x11, 3, 0x11, 1),
                confuses("trm-version-as-stag", "says invalid STag for a tagged segment's version", 0x11, 4, 0x11, 0),
                confuses("trm-queue-as-msn", "says wrong MSN for a wrong queue", 0x12, 1, 0x12, 3),
                confuses("trm-buffer-as-msn", "says wrong MSN where no receive waits", 0x12, 2, 0x12, 3),
                confuses("trm-msn-as-mo", "says wrong offset for a wrong MSN", 0x12, 3, 0x12, 4),
                confuses("trm-mo-as-msn", "says wrong MSN for a wrong offset", 0x12, 4, 0x12, 3),
                confuses("trm-long-as-buffer", "says no buffer for a message that is too long", 0x12, 5, 0x12, 2),
                confuses(
                        "trm-version-as-queue", "says wrong queue for an untagged segment's version", 0x12, 6, 0x12, 1),
                confuses(
                        "trm-read-stag-tagged",
                        "says a Read's wrong STag as that of a tagged segment",
                        0x01,
                        0,
                        0x11,
                        0),
                confuses(
                        "trm-read-bounds-tagged",
                        "says a Read's wrong bounds as those of a tagged segment",
                        0x01,
                        1,
                        0x11,
                        1),
                confuses("trm-access-as-stag", "says invalid STag for missing rights", 0x01, 2, 0x01, 0),
                confuses("trm-read-domain", "says invalid STag for a Read from another domain", 0x01, 3, 0x01, 0),
                confuses("trm-read-wrap", "says bounds where a Read's offset wraps", 0x01, 4, 0x01, 1),
                confuses("trm-rdmap-version", "says unexpected opcode for an RDMAP version", 0x02, 5, 0x02, 6),
                confuses("trm-opcode", "says wrong version for an unexpected opcode", 0x02, 6, 0x02, 5),
                confuses(
                        "trm-invalidate",
                        "says a protection error where an STag cannot be invalidated",
                        0x02,
                        9,
                        0x01,
                        9),
                confuses("trm-crc", "says wrong marker for a wrong CRC", 0x20, 2, 0x20, 3),
                confuses("trm-marker", "says wrong CRC for a wrong marker", 0x20, 3, 0x20, 2),
                confuses("trm-ird", "says no matching RTR for an insufficient IRD", 0x20, 6, 0x20, 7),
                confuses("trm-rtr", "says insufficient IRD for a wrong first message", 0x20, 7, 0x20, 6));
    }

    private static List<IwarpMutant> ends() {
        return List.of(
                tampered("trm-stays", "does not end its stream", () -> new StreamTamper() {
                    @Override
                    public void deviceEnds(Ways ways) {
                        // It goes on.
                    }
                }),
                tampered("trm-answers", "answers a Terminate by one", () -> new StreamTamper() {
                    private boolean heard;

                    @Override
                    public void toDevice(Unit unit, Ways ways) {
                        if (isTerminate(unit) && !heard) {
                            heard = true;
                            Unit answer = unit.copy();
                            answer.payload(new byte[Terminate.CONTROL_LENGTH]);
                            ways.fromDevice(answer);
                        }
                        ways.toDevice(unit);
                    }
                }),
                takes(
                        "trm-ignored",
                        "overlooks Terminates",
                        TerminateMutants::isTerminate,
                        unit -> unit.ulpdu(Ulpdu.write(0, 0).bytes())),
                takes(
                        "trm-malformed-ignored",
                        "overlooks Terminates that mean nothing",
                        unit -> isTerminate(unit) && !isCode(Arrays.copyOf(unit.payload(), 4), 1, 2)
                                || isTerminate(unit) && unit.payload().length > 4,
                        unit -> unit.ulpdu(Ulpdu.write(0, 0).bytes())),
                tampered(
                        "trm-second-counts",
                        "breaks off at a second Terminate, with one of its own",
                        () -> new StreamTamper() {
                            private int heard;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (isTerminate(unit) && ++heard == 2) {
                                    ways.fromDevice(unit.copy());
                                }
                                ways.toDevice(unit);
                            }
                        }),
                tampered(
                        "trm-goes-on",
                        "takes what comes behind what it ends the stream about",
                        () -> new StreamTamper() {
                            private Unit wrong;
                            private int sTag;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.is(RdmapOpcode.WRITE)) {
                                    sTag = sTag == 0 ? unit.tagged().sTag() : sTag;
                                    if (unit.tagged().sTag() == ~sTag && wrong == null) {
                                        wrong = unit; // told of when all the rest is placed
                                        return;
                                    }
                                }
                                ways.toDevice(unit);
                                if (wrong != null) {
                                    ways.toDevice(wrong);
                                    wrong = null;
                                }
                            }
                        }),
                tampered("trm-fin-terminates", "answers an end in order by a Terminate", () -> new StreamTamper() {
                    private Unit sample;

                    @Override
                    public void fromDevice(Unit unit, Ways ways) {
                        sample = unit.isSegment() ? unit.copy() : sample;
                        ways.fromDevice(unit);
                    }

                    @Override
                    public void deviceEnds(Ways ways) {
                        if (sample != null && !isTerminate(sample)) {
                            sample.ulpdu(Ulpdu.untagged(
                                            RdmapOpcode.TERMINATE,
                                            true,
                                            UntaggedHeader.TERMINATE_QUEUE,
                                            1,
                                            0,
                                            new byte[Terminate.CONTROL_LENGTH])
                                    .bytes());
                            ways.fromDevice(sample);
                        }
                        ways.endFromDevice();
                    }
                }),
                tampered("mpa-half-is-whole", "delivers what it has of a FPDU when the stream ends", HalfIsWhole::new),
                tampered("mpa-reset-unseen", "does not see that a connection breaks", () -> new StreamTamper() {
                    @Override
                    public boolean seesBreaks() {
                        return false;
                    }
                }),
                tampered(
                        "mpa-answers-half", "answers half of a request when the stream ends", () -> new StreamTamper() {
                            private boolean spoke;

                            @Override
                            public void fromDevice(Unit unit, Ways ways) {
                                spoke = true;
                                ways.fromDevice(unit);
                            }

                            @Override
                            public void deviceEnds(Ways ways) {
                                if (!spoke) {
                                    ways.fromDevice(new Unit(Unit.Kind.RAW, new byte[] {'M'}, false, 1));
                                }
                                ways.endFromDevice();
                            }
                        }),
                tampered(
                        "mpa-sends-without-reply",
                        "sends a FPDU though its request was not answered",
                        () -> new StreamTamper() {
                            private boolean asked;
                            private boolean answered;

                            @Override
                            public void fromDevice(Unit unit, Ways ways) {
                                asked |= unit.isRequest();
                                ways.fromDevice(unit);
                            }

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                answered = true;
                                ways.toDevice(unit);
                            }

                            @Override
                            public void deviceEnds(Ways ways) {
                                if (asked && !answered) {
                                    ways.fromDevice(new Unit(Unit.Kind.RAW, new byte[8], false, 1));
                                }
                                ways.endFromDevice();
                            }
                        }));
    }

    /** What is left of a FPDU when the stream ends is filled up to a good one. */
    private static final class HalfIsWhole implements StreamTamper {

        @Override
        public byte[] rest(byte[] bytes) {
            MemorySegment segment = MemorySegment.ofArray(bytes);
            if (bytes.length < Fpdu.HEADER_LENGTH || MpaFrame.startsWithKey(segment, 0, bytes.length, true)) {
                return bytes;
            }
            byte[] whole = Arrays.copyOf(bytes, Fpdu.length(Fpdu.ulpduLength(segment, 0)));
            Unit unit = new Unit(Unit.Kind.FPDU, whole, true, 1);
            unit.goodCrc(true);
            return unit.toBytes();
        }
    }
}
