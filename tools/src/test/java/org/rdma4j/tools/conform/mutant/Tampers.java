package org.rdma4j.tools.conform.mutant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** Wrong responders that remember something. */
final class Tampers {

    private static final long RANGE = Inside.TARGET;

    private Tampers() {}

    /** An ACK with the header of a packet that the device sent before, or an empty one. */
    static Tampered ack(Tampered like, int psn, int syndrome) {
        byte[] bytes = new byte[Bth.LENGTH + Aeth.LENGTH];
        System.arraycopy(like.bytes(), 0, bytes, 0, Bth.LENGTH);
        return new Tampered(bytes, true, like.sourcePort)
                .opcode(Opcode.RC_ACKNOWLEDGE)
                .pad(0)
                .psn(psn)
                .syndrome(syndrome);
    }

    /** Keeps the last answer, so that others can be made from it. */
    abstract static class Remembering implements Tamper {

        Tampered last;

        @Override
        public void fromDevice(Tampered packet, Ways ways) {
            last = packet.copy();
            answer(packet, ways);
        }

        void answer(Tampered packet, Ways ways) {
            ways.fromDevice(packet);
        }

        void answers(Ways ways, int psn, int syndrome) {
            if (last != null) {
                ways.fromDevice(ack(last, psn, syndrome).msn(last.hasAeth() ? last.msn() : 0));
            }
        }
    }

    static Tamper withoutRepeatedAcks() {
        return new Tamper() {
            private final Set<Integer> acknowledged = new HashSet<>();

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (!packet.isAck() || acknowledged.add(packet.psn())) {
                    ways.fromDevice(packet);
                }
            }
        };
    }

    static Tamper nakForEach() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (last != null && last.isNakSequence() && Psn.difference(packet.psn(), last.psn()) > 0) {
                    ways.fromDevice(last.copy());
                }
                ways.toDevice(packet);
            }
        };
    }

    static Tamper nakBehindRnr() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (last != null && last.isRnr() && packet.psn() != last.psn()) {
                    answers(ways, last.psn(), Syndrome.NAK_PSN_SEQUENCE);
                }
                ways.toDevice(packet);
            }
        };
    }

    static Tamper msnCountsPackets() {
        return new Tamper() {
            private int packets;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                packets += Opcode.isLastOrOnly(packet.opcode()) ? 0 : 1;
                ways.toDevice(packet);
            }

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                ways.fromDevice(packet.hasAeth() ? packet.msn(packet.msn() + packets) : packet);
            }
        };
    }

    static Tamper swappedAcks() {
        return new Tamper() {
            private Tampered held;
            private int count;

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (packet.isAck() && ++count > 1) {
                    if (held == null) {
                        held = packet.copy().movePsn(-1);
                    } else {
                        ways.fromDevice(held);
                        held = null;
                    }
                    ways.fromDevice(packet);
                    ways.fromDevice(packet.copy().movePsn(-1));
                    return;
                }
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper wrongReadBytes() {
        return new Tamper() {
            private int count;

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                ways.fromDevice(packet.isReadResponse() && count++ % 2 == 1 ? packet.flipPayload(0) : packet);
            }
        };
    }

    static Tamper otherBytesAgain() {
        return new Tamper() {

            private final Set<Integer> sent = new HashSet<>();

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                boolean again = packet.isReadResponse() && !sent.add(packet.psn());
                ways.fromDevice(again ? packet.flipPayload(0) : packet);
            }
        };
    }

    /** Answers are sent once. */
    private static Tamper once(Predicate<Tampered> kind) {
        return new Tamper() {
            private final Set<Integer> sent = new HashSet<>();

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (!kind.test(packet) || sent.add(packet.psn())) {
                    ways.fromDevice(packet);
                }
            }
        };
    }

    static Tamper readsOnce() {
        return once(Tampered::isReadResponse);
    }

    static Tamper atomicsOnce() {
        return once(packet -> packet.is(Opcode.RC_ATOMIC_ACKNOWLEDGE));
    }

    static Tamper repeatsAnyRead() {
        return new Tamper() {
            private final Map<Integer, Tampered> sent = new HashMap<>();

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                Tampered before = packet.is(Opcode.RC_RDMA_READ_REQUEST) ? sent.get(packet.psn()) : null;
                if (before == null) {
                    ways.toDevice(packet);
                } else {
                    ways.fromDevice(before.copy());
                }
            }

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (packet.isReadResponse()) {
                    sent.put(packet.psn(), packet.copy());
                }
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper readsLate() {
        return new Tamper() {
            private Tampered held;

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (packet.isReadResponse() && held == null) {
                    held = packet;
                    return;
                }
                ways.fromDevice(packet);
                if (held != null) {
                    ways.fromDevice(held);
                    held = null;
                }
            }
        };
    }

    /** A repeated PSN becomes a new one for the device, and is counted back in its answers. */
    private static Tamper again(Predicate<Tampered> kind) {
        return new Tamper() {
            private final Set<Integer> seen = new HashSet<>();
            private int more;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (kind.test(packet) && !seen.add(packet.psn())) {
                    more++;
                }
                ways.toDevice(packet.movePsn(more));
            }

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (packet.hasAeth()) {
                    packet.msn(packet.msn() - more);
                }
                ways.fromDevice(packet.movePsn(-more));
            }
        };
    }

    static Tamper executesAtomicsAgain() {
        return again(Tampered::isAtomic);
    }

    static Tamper executesDuplicates() {
        return again(Tampered::isWrite);
    }

    static Tamper newestAtomic() {
        return new Remembering() {
            private final Set<Integer> seen = new HashSet<>();

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (packet.isAtomic() && !seen.add(packet.psn()) && last != null) {
                    ways.fromDevice(last.copy().psn(packet.psn()));
                    return;
                }
                ways.toDevice(packet);
            }
        };
    }

    static Tamper changingPorts() {
        return new Tamper() {
            private int count;

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                packet.sourcePort += count++;
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper answersFromErr() {
        return new Remembering() {
            private boolean ended;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (ended && packet.ackReq()) {
                    answers(ways, packet.psn(), Syndrome.ACK_UNLIMITED);
                }
                ways.toDevice(packet);
            }

            @Override
            void answer(Tampered packet, Ways ways) {
                ended |= packet.isFatal();
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper acknowledgesAtOnce() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (packet.is(Opcode.RC_RDMA_WRITE_ONLY) && packet.ackReq()) {
                    answers(ways, packet.psn(), Syndrome.ACK_UNLIMITED);
                }
                ways.toDevice(packet);
            }
        };
    }

    /** Acknowledges each good WRITE in the device's place, whatever state its queue pair is in. */
    static Tamper answersInAnyState() {
        return new Remembering() {
            private boolean refused;
            private int acknowledged = -1;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                boolean good = packet.is(Opcode.RC_RDMA_WRITE_ONLY)
                        && packet.goodIcrc
                        && (packet.get(1) & 0x0F) == 0
                        && (packet.get(2) & 0x7F) == 0x7F
                        && packet.payload() == 8;
                if (last != null && !refused && good && packet.psn() == Psn.next(last.psn()) && last.isAck()) {
                    acknowledged = packet.psn();
                    ways.fromDevice(
                            ack(last, packet.psn(), Syndrome.ACK_UNLIMITED).msn(last.msn() + 1));
                }
                ways.toDevice(packet);
            }

            @Override
            void answer(Tampered packet, Ways ways) {
                refused |= !packet.isAck();
                if (!packet.isAck() || packet.psn() != acknowledged) {
                    ways.fromDevice(packet);
                }
            }
        };
    }

    static Tamper takesAnyQpn() {
        return new Tamper() {
            private int first;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                int qpn = packet.get(5) << 16 | packet.get(6) << 8 | packet.get(7);
                first = first == 0 ? qpn : first;
                ways.toDevice(packet.set(5, first >> 16).set(6, first >> 8).set(7, first));
            }
        };
    }

    /** A packet to a queue pair that is not there gets a NAK, to the very number. */
    static Tamper naksFromNowhere() {
        return new Tamper() {
            private int first;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                int qpn = packet.get32(4) & 0xFF_FFFF;
                first = first == 0 ? qpn : first;
                if (qpn != first && packet.ackReq()) {
                    ways.fromDevice(nakTo(qpn, packet));
                }
                ways.toDevice(packet);
            }
        };
    }

    /** A packet of another partition gets a NAK, to queue pair 0. */
    static Tamper naksForPartitions() {
        return new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (packet.get(3) != 0xFF && packet.ackReq()) {
                    ways.fromDevice(nakTo(0, packet));
                }
                ways.toDevice(packet);
            }
        };
    }

    private static Tampered nakTo(int qpn, Tampered packet) {
        return packet.copy()
                .resize(Bth.LENGTH + Aeth.LENGTH)
                .opcode(Opcode.RC_ACKNOWLEDGE)
                .pad(0)
                .set32(4, qpn)
                .syndrome(Syndrome.NAK_INVALID_REQUEST)
                .msn(0);
    }

    static Tamper portIsIdentity() {
        return new Tamper() {
            private int port;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                port = port == 0 ? packet.sourcePort : port;
                if (port == packet.sourcePort) {
                    ways.toDevice(packet);
                }
            }
        };
    }

    static Tamper acknowledgesCnp() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (packet.is(Opcode.CNP)) {
                    answers(ways, packet.psn(), Syndrome.ACK_UNLIMITED);
                }
                ways.toDevice(packet);
            }
        };
    }

    static Tamper nakForResponses() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (packet.hasAeth()) {
                    answers(ways, packet.psn(), Syndrome.NAK_INVALID_REQUEST);
                }
                ways.toDevice(packet);
            }
        };
    }

    /** Learns where the memory is from the good exchange before the story. */
    private abstract static class Knowing implements Tamper {

        private Reth good;

        @Override
        public void toDevice(Tampered packet, Ways ways) {
            if (packet.hasReth()) {
                good = good == null ? packet.reth() : good;
                Reth taken = taken(packet.reth(), good);
                packet.reth(taken.virtualAddress(), taken.rKey(), taken.dmaLength());
            }
            ways.toDevice(packet);
        }

        /** What the device takes a RETH for that knows a good one. */
        abstract Reth taken(Reth asked, Reth known);
    }

    static Tamper anyKey() {
        return new Knowing() {
            @Override
            Reth taken(Reth asked, Reth known) {
                return new Reth(asked.virtualAddress(), known.rKey(), asked.dmaLength());
            }
        };
    }

    static Tamper anyKeyByte() {
        return new Knowing() {
            @Override
            Reth taken(Reth asked, Reth known) {
                boolean sameIndex = (asked.rKey() ^ known.rKey()) == 1;
                return sameIndex ? new Reth(asked.virtualAddress(), known.rKey(), asked.dmaLength()) : asked;
            }
        };
    }

    static Tamper anyRange() {
        return new Knowing() {
            @Override
            Reth taken(Reth asked, Reth known) {
                long offset = asked.virtualAddress() - known.virtualAddress();
                boolean inside = offset >= 0 && offset < RANGE;
                return inside ? asked : new Reth(known.virtualAddress(), asked.rKey(), asked.dmaLength());
            }
        };
    }

    static Tamper farAheadIsOld() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                boolean far = last != null && Psn.difference(packet.psn(), last.psn()) == -Psn.HALF;
                ways.toDevice(far ? packet.psn(last.psn()) : packet);
            }
        };
    }

    static Tamper farBehindIsGap() {
        return new Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                boolean far = last != null
                        && Psn.distance(last.psn(), packet.psn()) >= Psn.HALF - 2
                        && Psn.difference(packet.psn(), last.psn()) < 0;
                ways.toDevice(far ? packet.psn(last.psn() + 9) : packet);
            }
        };
    }
}
