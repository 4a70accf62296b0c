package org.rdma4j.tools.conform.mutant.iwarp;

import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.sends;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.takes;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.tampered;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;

/** Devices that take DDP segments wrongly. */
final class DdpMutants {

    private static final int SIZE = IwarpSetup.RECEIVE_SIZE;
    private static final int RECEIVES = IwarpSetup.STOCK.receives();

    /** Bytes of the region that the target is in. */
    private static final int REGION = Inside.RECEIVES + RECEIVES * SIZE;

    private DdpMutants() {}

    static List<IwarpMutant> all() {
        return List.of(
                takes(
                        "ddp-tagged-version",
                        "does not look at the DDP version of tagged segments",
                        Unit::isTagged,
                        unit -> unit.ddpVersion(DdpControl.DDP_VERSION)),
                takes(
                        "ddp-untagged-version",
                        "does not look at the DDP version of untagged segments",
                        Unit::isUntagged,
                        unit -> unit.ddpVersion(DdpControl.DDP_VERSION)),
                tampered("ddp-any-stag", "takes any STag for the one that was used before", () -> new Knowing() {
                    @Override
                    void taken(Unit write) {
                        write.tagged(
                                sTag,
                                write.tagged().sTag() == sTag ? write.tagged().taggedOffset() : base + 64);
                    }
                }),
                tampered("ddp-any-key-byte", "does not look at an STag's lowest byte", () -> new Knowing() {
                    @Override
                    void taken(Unit write) {
                        if ((write.tagged().sTag() ^ sTag) >>> 8 == 0) {
                            write.tagged(sTag, write.tagged().taggedOffset());
                        }
                    }
                }),
                tampered("ddp-end-off-by-one", "lets a Write end one byte behind its buffer", () -> new Knowing() {
                    @Override
                    void taken(Unit write) {
                        if (offset(write) + write.payload().length == REGION + 1) {
                            write.tagged(sTag, write.tagged().taggedOffset() - 1);
                        }
                    }
                }),
                tampered(
                        "ddp-start-off-by-one",
                        "lets a Write start one byte in front of its buffer",
                        () -> new Knowing() {
                            @Override
                            void taken(Unit write) {
                                if (offset(write) == -1) {
                                    write.tagged(sTag, base);
                                }
                            }
                        }),
                tampered("ddp-offset-32-bits", "takes only 32 bits of tagged offsets", () -> new Knowing() {
                    @Override
                    void taken(Unit write) {
                        if (offset(write) >>> 32 != 0 && (int) offset(write) == offset(write) << 32 >> 32) {
                            write.tagged(sTag, base + (int) offset(write));
                        }
                    }
                }),
                tampered("ddp-last-byte", "lets nobody write the last byte of a buffer", () -> new Knowing() {
                    @Override
                    void taken(Unit write) {
                        if (offset(write) + write.payload().length == REGION) {
                            write.tagged(sTag, write.tagged().taggedOffset() + 1);
                        }
                    }
                }),
                takes(
                        "ddp-wrap",
                        "does not see that a tagged offset wraps",
                        unit -> unit.is(RdmapOpcode.WRITE)
                                && unit.tagged().taggedOffset() < 0
                                && unit.tagged().taggedOffset() > -16,
                        unit -> unit.ulpdu(nothing())),
                takes(
                        "ddp-any-queue",
                        "takes queues that are not there for the first one",
                        unit -> unit.isUntagged() && (unit.untagged().queueNumber() & ~3) != 0
                                || unit.isUntagged() && unit.untagged().queueNumber() == 3,
                        unit -> unit.queue(UntaggedHeader.SEND_QUEUE)),
                tampered("ddp-no-buffer-ignored", "drops a Send that no receive waits for", () -> new StreamTamper() {
                    private int messages;

                    @Override
                    public void toDevice(Unit unit, Ways ways) {
                        messages += unit.is(RdmapOpcode.SEND) && unit.isLast() ? 1 : 0;
                        if (!unit.is(RdmapOpcode.SEND) || messages <= RECEIVES) {
                            ways.toDevice(unit);
                        }
                    }
                }),
                tampered("ddp-any-msn", "does not look at the MSN of Sends", () -> new Counting(RdmapOpcode.SEND)),
                tampered(
                        "ddp-any-read-msn",
                        "does not look at the MSN of Read Requests",
                        () -> new Counting(RdmapOpcode.READ_REQUEST)),
                tampered("ddp-any-mo", "does not look at message offsets", () -> new Sending() {
                    @Override
                    void taken(Unit send) {
                        send.messageOffset(filled);
                    }
                }),
                tampered("ddp-too-long-cut", "cuts a message that is longer than its receive", () -> new Sending() {
                    @Override
                    void taken(Unit send) {
                        int room = Math.max(0, SIZE - filled);
                        if (send.payload().length > room) {
                            send.payload(Arrays.copyOf(send.payload(), room));
                        }
                    }
                }),
                takes(
                        "ddp-first-is-last",
                        "delivers a Send with its first segment",
                        unit -> unit.is(RdmapOpcode.SEND) && unit.untagged().messageOffset() == 0,
                        unit -> unit.last(true)),
                tampered(
                        "ddp-short-is-last",
                        "delivers a Send with a segment of less than 8 bytes",
                        () -> new Sending() {
                            @Override
                            void taken(Unit send) {
                                send.last(send.isLast() || send.payload().length < 8);
                            }
                        }),
                tampered(
                        "ddp-write-goes-on",
                        "places a Write's later segments behind its first one",
                        () -> new StreamTamper() {
                            private long next;
                            private boolean amid;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.is(RdmapOpcode.WRITE)) {
                                    TaggedHeader header = unit.tagged();
                                    long at = amid ? next : header.taggedOffset();
                                    unit.tagged(header.sTag(), at);
                                    next = at + unit.payload().length;
                                    amid = !unit.isLast();
                                }
                                ways.toDevice(unit);
                            }
                        }),
                takes(
                        "ddp-empty-ends",
                        "takes a segment of a Write without a payload for too short",
                        unit -> unit.is(RdmapOpcode.WRITE) && !unit.isLast() && unit.payload().length == 0,
                        unit -> unit.ulpdu(unit.halfHeader())),
                tampered(
                        "ddp-no-mixing",
                        "ends the stream where a Write and a Send are mixed",
                        () -> new StreamTamper() {
                            private boolean writing;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.is(RdmapOpcode.WRITE)) {
                                    writing = !unit.isLast();
                                } else if (writing && unit.is(RdmapOpcode.SEND)) {
                                    unit.ddpVersion(0);
                                }
                                ways.toDevice(unit);
                            }
                        }),
                tampered(
                        "ddp-out-of-order",
                        "swaps the contents of its second and third message",
                        () -> new StreamTamper() {
                            private Unit second;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (!unit.is(RdmapOpcode.SEND) || unit.payload().length != SIZE) {
                                    ways.toDevice(unit);
                                } else if (unit.untagged().messageSequenceNumber() == 2) {
                                    second = unit;
                                } else {
                                    if (second != null) {
                                        byte[] payload = second.payload();
                                        second.payload(unit.payload());
                                        unit.payload(payload);
                                        ways.toDevice(second);
                                        second = null;
                                    }
                                    ways.toDevice(unit);
                                }
                            }
                        }),
                flips("ddp-write-flips", "places Writes with a flipped bit", unit -> unit.is(RdmapOpcode.WRITE)),
                flips("ddp-send-flips", "delivers Sends with a flipped bit", unit -> unit.is(RdmapOpcode.SEND)),
                sends(
                        "ddp-response-offset",
                        "sends Read Responses one byte too far",
                        unit -> unit.is(RdmapOpcode.READ_RESPONSE),
                        unit -> unit.tagged(unit.tagged().sTag(), unit.tagged().taggedOffset() + 1)));
    }

    private static byte[] nothing() {
        return Ulpdu.write(0, 0).bytes();
    }

    private static IwarpMutant flips(String id, String what, Predicate<Unit> when) {
        return takes(id, what, unit -> when.test(unit) && unit.payload().length > 0, unit -> {
            byte[] payload = unit.payload();
            payload[payload.length - 1] ^= 1;
            unit.payload(payload);
        });
    }

    /** One that knows where the peer's buffer is: from the first Write, which is a good one. */
    private abstract static class Knowing implements StreamTamper {

        int sTag;
        long base;
        private boolean knows;

        @Override
        public void toDevice(Unit unit, Ways ways) {
            if (unit.is(RdmapOpcode.WRITE)) {
                if (!knows) {
                    knows = true;
                    sTag = unit.tagged().sTag();
                    base = unit.tagged().taggedOffset();
                }
                taken(unit);
            }
            ways.toDevice(unit);
        }

        long offset(Unit write) {
            return write.tagged().taggedOffset() - base;
        }

        /** Changes a Write to what it is taken for. */
        abstract void taken(Unit write);
    }

    /** One that numbers messages itself. */
    private static final class Counting implements StreamTamper {

        private final int opcode;
        private int msn = 1;

        Counting(int opcode) {
            this.opcode = opcode;
        }

        @Override
        public void toDevice(Unit unit, Ways ways) {
            if (unit.is(opcode)) {
                unit.msn(msn);
                msn += unit.isLast() ? 1 : 0;
            }
            ways.toDevice(unit);
        }
    }

    /** One that knows how much of a message has come. */
    private abstract static class Sending implements StreamTamper {

        int filled;

        @Override
        public void toDevice(Unit unit, Ways ways) {
            if (unit.is(RdmapOpcode.SEND)) {
                taken(unit);
                filled = unit.isLast() ? 0 : filled + unit.payload().length;
            }
            ways.toDevice(unit);
        }

        abstract void taken(Unit send);
    }
}
