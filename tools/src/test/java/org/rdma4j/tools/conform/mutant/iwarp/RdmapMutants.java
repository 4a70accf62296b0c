package org.rdma4j.tools.conform.mutant.iwarp;

import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.ignores;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.omits;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.repeats;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.sends;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.setUp;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.takes;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.tampered;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;

/** Devices that take RDMAP's messages wrongly, or make them so. */
final class RdmapMutants {

    private static final int REGION = Inside.RECEIVES + IwarpSetup.STOCK.receives() * IwarpSetup.RECEIVE_SIZE;

    private RdmapMutants() {}

    static List<IwarpMutant> all() {
        List<IwarpMutant> mutants = new ArrayList<>(opcodes());
        mutants.addAll(requests());
        mutants.addAll(responses());
        mutants.addAll(sink());
        return mutants;
    }

    private static List<IwarpMutant> opcodes() {
        return List.of(
                takes(
                        "rdmap-tagged-version",
                        "does not look at the RDMAP version of tagged segments",
                        Unit::isTagged,
                        unit -> unit.rdmapVersion(DdpControl.RDMAP_VERSION)),
                takes(
                        "rdmap-untagged-version",
                        "does not look at the RDMAP version of untagged segments",
                        Unit::isUntagged,
                        unit -> unit.rdmapVersion(DdpControl.RDMAP_VERSION)),
                takes(
                        "rdmap-reserved-opcodes",
                        "takes reserved opcodes for Sends",
                        unit -> unit.isUntagged() && unit.opcode() > RdmapOpcode.ATOMIC_RESPONSE,
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-extended-opcodes",
                        "takes opcodes that were not agreed upon for Sends",
                        unit -> unit.isUntagged()
                                && unit.opcode() > RdmapOpcode.TERMINATE
                                && unit.opcode() <= RdmapOpcode.ATOMIC_RESPONSE,
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-untagged-is-send",
                        "takes whatever is untagged and on queue 0 for a Send",
                        unit -> unit.isUntagged()
                                && unit.untagged().queueNumber() == 0
                                && unit.opcode() < RdmapOpcode.SEND,
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-tagged-is-write",
                        "takes whatever is tagged for a Write",
                        Unit::isTagged,
                        unit -> unit.opcode(RdmapOpcode.WRITE)),
                takes(
                        "rdmap-opcode-changes",
                        "does not look at the opcode of a message's later segments",
                        unit -> unit.isUntagged() && unit.untagged().messageOffset() > 0,
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-queue-of-opcode",
                        "takes the queue from the opcode",
                        unit -> unit.isUntagged()
                                && unit.opcode() == RdmapOpcode.SEND
                                && unit.untagged().queueNumber() > 0
                                && unit.untagged().queueNumber() < 3,
                        unit -> {
                            unit.queue(UntaggedHeader.SEND_QUEUE);
                            unit.msn(1);
                        }),
                takes(
                        "rdmap-se-is-none",
                        "delivers Sends with SE without an event",
                        unit -> unit.is(RdmapOpcode.SEND_SE),
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-all-solicit",
                        "raises an event for every Send",
                        unit -> unit.is(RdmapOpcode.SEND),
                        unit -> unit.opcode(RdmapOpcode.SEND_SE)),
                ignores("rdmap-se-lost", "loses Sends with SE", unit -> unit.is(RdmapOpcode.SEND_SE)),
                takes(
                        "rdmap-invalidates-nothing",
                        "delivers a Send with Invalidate and leaves the STag",
                        unit -> unit.isUntagged() && RdmapOpcode.invalidates(unit.opcode()),
                        unit -> unit.opcode(RdmapOpcode.SEND)),
                takes(
                        "rdmap-write-nothing",
                        "looks up the STag of a Write of no bytes",
                        unit -> unit.is(RdmapOpcode.WRITE) && unit.payload().length == 0,
                        unit -> unit.payload(new byte[1])),
                tampered(
                        "rdmap-write-behind-send",
                        "places a Write when the Send behind it is delivered",
                        () -> new StreamTamper() {
                            private Unit held;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.is(RdmapOpcode.WRITE) && unit.payload().length == 500) {
                                    held = unit;
                                    return;
                                }
                                if (held != null && unit.is(RdmapOpcode.READ_REQUEST)) {
                                    byte[] payload = held.payload();
                                    payload[0] ^= 1;
                                    held.payload(payload);
                                    ways.toDevice(held);
                                    held = null;
                                }
                                ways.toDevice(unit);
                            }
                        }));
    }

    private static ReadRequest request(Unit unit) {
        return ReadRequest.parse(MemorySegment.ofArray(unit.payload()), 0);
    }

    /** Changes a whole Read Request to what it is taken for. */
    private static void change(Unit unit, UnaryOperator<ReadRequest> change) {
        byte[] payload = unit.payload();
        change.apply(request(unit)).emit(MemorySegment.ofArray(payload), 0);
        unit.payload(payload);
    }

    private static boolean isWholeRead(Unit unit) {
        return unit.is(RdmapOpcode.READ_REQUEST) && unit.payload().length == ReadRequest.LENGTH;
    }

    private static ReadRequest from(ReadRequest old, int sTag, long offset) {
        return new ReadRequest(old.sinkSTag(), old.sinkOffset(), old.size(), sTag, offset);
    }

    private static ReadRequest of(ReadRequest old, long size) {
        return new ReadRequest(old.sinkSTag(), old.sinkOffset(), size, old.sourceSTag(), old.sourceOffset());
    }

    /** One that knows where the peer's buffer is, from its first Read Request, which is a good one. */
    private abstract static class Knowing implements StreamTamper {

        int sTag;
        long base;
        private boolean knows;

        @Override
        public void toDevice(Unit unit, Ways ways) {
            if (isWholeRead(unit)) {
                ReadRequest asked = request(unit);
                if (!knows) {
                    knows = true;
                    sTag = asked.sourceSTag();
                    base = asked.sourceOffset();
                }
                change(unit, old -> taken(old, old.sourceOffset() - base));
            }
            ways.toDevice(unit);
        }

        abstract ReadRequest taken(ReadRequest asked, long offset);
    }

    private static List<IwarpMutant> requests() {
        return List.of(
                takes(
                        "rdmap-request-short",
                        "fills a Read Request that is too short with zeros",
                        unit -> unit.is(RdmapOpcode.READ_REQUEST) && unit.payload().length < ReadRequest.LENGTH,
                        unit -> unit.payload(new byte[ReadRequest.LENGTH])),
                takes(
                        "rdmap-request-long",
                        "takes the first 28 bytes of a Read Request that is too long",
                        unit -> unit.is(RdmapOpcode.READ_REQUEST) && unit.payload().length > ReadRequest.LENGTH,
                        unit -> unit.payload(Arrays.copyOf(unit.payload(), ReadRequest.LENGTH))),
                takes(
                        "rdmap-request-not-last",
                        "does not look at the L bit of Read Requests",
                        unit -> unit.is(RdmapOpcode.READ_REQUEST),
                        unit -> unit.last(true)),
                takes(
                        "rdmap-request-queue",
                        "takes a Read Request on queue 0",
                        unit -> unit.isUntagged()
                                && unit.opcode() == RdmapOpcode.READ_REQUEST
                                && unit.untagged().queueNumber() == 0,
                        unit -> {
                            unit.queue(UntaggedHeader.REQUEST_QUEUE);
                            unit.msn(2);
                        }),
                tampered(
                        "rdmap-ird-unlimited",
                        "keeps the Reads that are too many until it has answered",
                        () -> new StreamTamper() {
                            private final Deque<Unit> waiting = new ArrayDeque<>();
                            private int open;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (isWholeRead(unit) && open == IwarpSetup.STOCK.ird()) {
                                    waiting.add(unit);
                                } else {
                                    open += isWholeRead(unit) ? 1 : 0;
                                    ways.toDevice(unit);
                                }
                            }

                            @Override
                            public void fromDevice(Unit unit, Ways ways) {
                                ways.fromDevice(unit);
                                if (unit.is(RdmapOpcode.READ_RESPONSE) && unit.isLast()) {
                                    open--;
                                    if (!waiting.isEmpty()) {
                                        toDevice(waiting.poll(), ways);
                                    }
                                }
                            }
                        }),
                tampered(
                        "rdmap-read-any-stag",
                        "reads from its own buffer, whatever STag is named",
                        () -> new Knowing() {
                            @Override
                            ReadRequest taken(ReadRequest asked, long offset) {
                                return asked.sourceSTag() == sTag ? asked : from(asked, sTag, base);
                            }
                        }),
                tampered(
                        "rdmap-read-end-off-by-one", "lets a Read end one byte behind its buffer", () -> new Knowing() {
                            @Override
                            ReadRequest taken(ReadRequest asked, long offset) {
                                return offset + asked.size() == REGION + 1
                                        ? from(asked, sTag, asked.sourceOffset() - 1)
                                        : asked;
                            }
                        }),
                tampered(
                        "rdmap-read-start-off-by-one",
                        "lets a Read start one byte in front of its buffer",
                        () -> new Knowing() {
                            @Override
                            ReadRequest taken(ReadRequest asked, long offset) {
                                return offset == -1 ? from(asked, sTag, base) : asked;
                            }
                        }),
                tampered("rdmap-read-wraps", "does not see that a Read's offset wraps", () -> new Knowing() {
                    @Override
                    ReadRequest taken(ReadRequest asked, long offset) {
                        return asked.sourceOffset() == -4 ? from(asked, sTag, base) : asked;
                    }
                }),
                tampered("rdmap-read-16-bits", "takes only 16 bits of a Read's size", () -> new Knowing() {
                    @Override
                    ReadRequest taken(ReadRequest asked, long offset) {
                        return asked.size() > 0xFFFF ? of(asked, asked.size() & 0xFFFF) : asked;
                    }
                }),
                takes(
                        "rdmap-read-nothing",
                        "looks up the source of a Read of no bytes",
                        unit -> isWholeRead(unit) && request(unit).size() == 0,
                        unit -> change(unit, old -> of(old, 1))),
                takes(
                        "rdmap-read-one-more",
                        "reads one byte more than is asked for",
                        unit -> isWholeRead(unit) && request(unit).size() > 0,
                        unit -> change(unit, old -> of(old, old.size() + 1))));
    }

    private static List<IwarpMutant> responses() {
        return List.of(
                tampered("rdmap-responses-swapped", "answers the second of two Reads first", () -> new StreamTamper() {
                    private int waiting;
                    private Unit held;

                    @Override
                    public void toDevice(Unit unit, Ways ways) {
                        waiting += isWholeRead(unit) ? 1 : 0;
                        ways.toDevice(unit);
                    }

                    @Override
                    public void fromDevice(Unit unit, Ways ways) {
                        if (!unit.is(RdmapOpcode.READ_RESPONSE) || !unit.isLast()) {
                            ways.fromDevice(unit);
                        } else if (waiting == 2 && held == null) {
                            held = unit;
                        } else {
                            ways.fromDevice(unit);
                            if (held != null) {
                                ways.fromDevice(held);
                                held = null;
                            }
                            waiting = 0;
                        }
                    }
                }),
                sends(
                        "rdmap-response-always-last",
                        "says of every segment of a Read Response that it is the last",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE),
                        unit -> unit.last(true)),
                sends(
                        "rdmap-response-stag",
                        "sends Read Responses to the STag that was read",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE),
                        unit -> unit.tagged(~unit.tagged().sTag(), unit.tagged().taggedOffset())),
                omits(
                        "rdmap-no-empty-response",
                        "does not answer Reads of no bytes",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE) && unit.payload().length == 0),
                repeats(
                        "rdmap-response-twice",
                        "sends short Read Responses twice",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE) && unit.isLast()),
                sends(
                        "rdmap-response-flips",
                        "sends long Read Responses with a flipped bit",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE) && unit.payload().length > 64,
                        unit -> {
                            byte[] payload = unit.payload();
                            payload[payload.length - 1] ^= 1;
                            unit.payload(payload);
                        }));
    }

    /** One that knows the device's Read Request. */
    private abstract static class Asking implements StreamTamper {

        ReadRequest asked;
        int filled;

        @Override
        public void fromDevice(Unit unit, Ways ways) {
            if (isWholeRead(unit)) {
                asked = request(unit);
            }
            ways.fromDevice(unit);
        }

        @Override
        public void toDevice(Unit unit, Ways ways) {
            if (unit.is(RdmapOpcode.READ_RESPONSE)) {
                taken(unit);
                filled += unit.payload().length;
            }
            ways.toDevice(unit);
        }

        abstract void taken(Unit response);
    }

    private static List<IwarpMutant> sink() {
        return List.of(
                tampered("rdmap-sink-any-stag", "places a Read Response whatever STag it names", () -> new Asking() {
                    @Override
                    void taken(Unit response) {
                        if (asked != null) {
                            response.tagged(asked.sinkSTag(), response.tagged().taggedOffset());
                        }
                    }
                }),
                tampered(
                        "rdmap-sink-any-offset", "places a Read Response whatever offset it names", () -> new Asking() {
                            @Override
                            void taken(Unit response) {
                                if (asked != null) {
                                    response.tagged(response.tagged().sTag(), asked.sinkOffset() + filled);
                                }
                            }
                        }),
                tampered("rdmap-sink-any-length", "takes a Read Response of any length", () -> new Asking() {
                    @Override
                    void taken(Unit response) {
                        if (asked != null && response.isLast()) {
                            response.payload(Arrays.copyOf(response.payload(), (int) asked.size() - filled));
                        }
                    }
                }),
                tampered(
                        "rdmap-sink-first-is-last",
                        "completes a Read with its Response's first segment",
                        () -> new Asking() {
                            @Override
                            void taken(Unit response) {
                                response.last(true);
                            }
                        }),
                tampered(
                        "rdmap-unasked-is-write",
                        "takes a Read Response that nobody asked for as a Write",
                        () -> new Asking() {
                            @Override
                            void taken(Unit response) {
                                if (asked == null) {
                                    response.opcode(RdmapOpcode.WRITE);
                                }
                            }
                        }),
                setUp(
                        "rdmap-ord-exceeded",
                        "has one Read more outstanding than was agreed upon",
                        setup -> setup.withDepths(setup.ird(), setup.ord() + 1)),
                tampered(
                        "rdmap-send-before-write",
                        "sends a Send before the Write that was posted first",
                        () -> new StreamTamper() {
                            private final List<Unit> held = new ArrayList<>();

                            @Override
                            public void fromDevice(Unit unit, Ways ways) {
                                if (unit.is(RdmapOpcode.WRITE)) {
                                    held.add(unit);
                                    return;
                                }
                                ways.fromDevice(unit);
                                if (unit.is(RdmapOpcode.SEND)) {
                                    held.forEach(ways::fromDevice);
                                    held.clear();
                                }
                            }
                        }),
                sends(
                        "rdmap-msn-stands",
                        "numbers all of its messages 1",
                        unit -> unit.isUntagged() && unit.opcode() != RdmapOpcode.TERMINATE,
                        unit -> unit.msn(1)),
                tampered("rdmap-msn-shared", "counts Sends and Read Requests together", () -> new StreamTamper() {
                    private int msn;

                    @Override
                    public void fromDevice(Unit unit, Ways ways) {
                        if (unit.is(RdmapOpcode.SEND) || isWholeRead(unit)) {
                            unit.msn(++msn);
                        }
                        ways.fromDevice(unit);
                    }
                }));
    }
}
