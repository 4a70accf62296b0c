package org.rdma4j.tools.conform.mutant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** Wrong requesters that remember something. */
final class RequesterTampers {

    private static final int UNKNOWN = -1;

    private RequesterTampers() {}

    /** Knows which PSNs the device has sent and which were acknowledged. */
    abstract static class Watching implements Tamper {

        int oldest = UNKNOWN;
        int newest = UNKNOWN;
        int acknowledged = UNKNOWN;
        Tampered last;

        @Override
        public void fromDevice(Tampered packet, Ways ways) {
            if (oldest == UNKNOWN) {
                oldest = packet.psn();
                acknowledged = oldest - 1 & Psn.MASK;
            }
            if (newest == UNKNOWN || Psn.difference(packet.psn(), newest) > 0) {
                newest = packet.psn();
            }
            last = packet.copy();
            request(packet, ways);
        }

        void request(Tampered packet, Ways ways) {
            ways.fromDevice(packet);
        }

        @Override
        public void toDevice(Tampered packet, Ways ways) {
            response(packet, ways);
            if (packet.isAck() && packet.goodIcrc && isOutstanding(packet.psn())) {
                acknowledged = packet.psn();
            }
        }

        void response(Tampered packet, Ways ways) {
            ways.toDevice(packet);
        }

        boolean isOutstanding(int psn) {
            return newest != UNKNOWN && Psn.difference(psn, acknowledged) > 0 && Psn.difference(psn, newest) <= 0;
        }
    }

    static Tamper nakRestarts() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet.isNakSequence() ? packet.psn(acknowledged + 1) : packet);
            }
        };
    }

    static Tamper believesRnr() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet.isRnr() && !isOutstanding(packet.psn()) ? packet.psn(newest) : packet);
            }
        };
    }

    static Tamper believesAcks() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet.isAck() && !isOutstanding(packet.psn()) ? packet.psn(newest) : packet);
            }
        };
    }

    static Tamper believesNaks() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet);
                if (packet.isNakSequence() && !isOutstanding(packet.psn()) && last != null) {
                    ways.fromDevice(last.copy());
                }
            }
        };
    }

    static Tamper ackCompletesMessage() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet.isAck() && isOutstanding(packet.psn()) ? packet.psn(newest) : packet);
            }
        };
    }

    static Tamper oneAckOneMessage() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                boolean covers = packet.isAck() && Psn.difference(packet.psn(), acknowledged) > 1;
                ways.toDevice(covers ? packet.psn(acknowledged + 1) : packet);
            }
        };
    }

    static Tamper neverAsksForRest() {
        return new Watching() {
            @Override
            void request(Tampered packet, Ways ways) {
                if (!packet.is(Opcode.RC_RDMA_READ_REQUEST) || packet.psn() == oldest) {
                    ways.fromDevice(packet);
                }
            }
        };
    }

    static Tamper asksForWholeAgain() {
        return new Watching() {
            private Reth first;

            @Override
            void request(Tampered packet, Ways ways) {
                if (packet.is(Opcode.RC_RDMA_READ_REQUEST)) {
                    first = first == null ? packet.reth() : first;
                    packet.psn(oldest).reth(first.virtualAddress(), first.rKey(), first.dmaLength());
                }
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper asksForRestFromStart() {
        return new Watching() {

            private long start;

            @Override
            void request(Tampered packet, Ways ways) {
                if (packet.is(Opcode.RC_RDMA_READ_REQUEST)) {
                    Reth reth = packet.reth();
                    start = packet.psn() == oldest ? reth.virtualAddress() : start;
                    packet.reth(start, reth.rKey(), reth.dmaLength());
                }
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper takesAnyReadOrder() {
        return new Watching() {
            private int expected = UNKNOWN;

            @Override
            void response(Tampered packet, Ways ways) {
                if (packet.isReadResponse()) {
                    expected = expected == UNKNOWN ? oldest : Psn.next(expected);
                    if (packet.is(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE) && expected == oldest) {
                        byte[] with = new byte[packet.length() + 4];
                        System.arraycopy(packet.bytes(), 0, with, 0, Bth.LENGTH);
                        System.arraycopy(
                                packet.bytes(), Bth.LENGTH, with, Bth.LENGTH + 4, packet.length() - Bth.LENGTH);
                        ways.toDevice(new Tampered(with, packet.goodIcrc, packet.sourcePort)
                                .opcode(Opcode.RC_RDMA_READ_RESPONSE_FIRST)
                                .syndrome(Syndrome.ACK_UNLIMITED));
                        return;
                    }
                    packet.psn(expected);
                }
                ways.toDevice(packet);
            }
        };
    }

    static Tamper responseIsAck() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                boolean wrong = packet.isReadResponse() && last != null && !last.is(Opcode.RC_RDMA_READ_REQUEST);
                ways.toDevice(wrong ? Tampers.ack(packet, packet.psn(), Syndrome.ACK_UNLIMITED) : packet);
            }
        };
    }

    /** Does something to packets that were sent before. */
    private static Tamper resends(Consumer<Tampered> change, boolean sent) {
        return new Watching() {
            private final Set<Integer> before = new HashSet<>();

            @Override
            void request(Tampered packet, Ways ways) {
                boolean again = !before.add(packet.psn());
                if (again) {
                    change.accept(packet);
                }
                if (!again || sent) {
                    ways.fromDevice(packet);
                }
            }
        };
    }

    static Tamper resendDiffers() {
        return resends(packet -> packet.flipPayload(0), true);
    }

    static Tamper resendHasOtherHeader() {
        return resends(packet -> packet.set(19, packet.get(19) + 8), true);
    }

    static Tamper neverResends() {
        return resends(packet -> {}, false);
    }

    static Tamper resendsAcknowledged() {
        return new Watching() {
            private final Map<Integer, Tampered> sent = new HashMap<>();

            @Override
            void request(Tampered packet, Ways ways) {
                boolean again = sent.put(packet.psn(), packet.copy()) != null;
                Tampered before = sent.get(packet.psn() - 1 & Psn.MASK);
                if (again && before != null) {
                    ways.fromDevice(before.copy());
                }
                ways.fromDevice(packet);
            }
        };
    }

    static Tamper readTakesOnePsn() {
        return new Watching() {
            private int reads;

            @Override
            void request(Tampered packet, Ways ways) {
                boolean later = packet.is(Opcode.RC_RDMA_READ_REQUEST) && reads++ > 0;
                ways.fromDevice(later ? packet.psn(oldest + 1) : packet);
            }
        };
    }

    static Tamper atomicTakesTwoPsns() {
        return new Watching() {
            private int atomics;

            @Override
            void request(Tampered packet, Ways ways) {
                boolean later = packet.isAtomic() && packet.psn() != oldest && atomics++ == 0;
                ways.fromDevice(later ? packet.movePsn(1) : packet);
            }
        };
    }

    static Tamper sendsAheadOfReads() {
        return new Watching() {
            @Override
            void request(Tampered packet, Ways ways) {
                ways.fromDevice(packet);
                if (packet.is(Opcode.RC_RDMA_READ_REQUEST)) {
                    ways.fromDevice(
                            packet.copy().opcode(Opcode.RC_RDMA_WRITE_ONLY).movePsn(1));
                }
            }
        };
    }

    static Tamper losesWhatFollowsReads() {
        return new Watching() {
            private boolean read;

            @Override
            void request(Tampered packet, Ways ways) {
                if (!read || packet.is(Opcode.RC_RDMA_READ_REQUEST)) {
                    ways.fromDevice(packet);
                }
                read |= packet.is(Opcode.RC_RDMA_READ_REQUEST);
            }
        };
    }

    static Tamper cnpIsNak() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                if (packet.is(Opcode.CNP)) {
                    ways.toDevice(Tampers.ack(packet, acknowledged + 1, Syndrome.NAK_PSN_SEQUENCE));
                } else {
                    ways.toDevice(packet);
                }
            }
        };
    }

    static Tamper sendsFromErr() {
        return new Watching() {
            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet);
                if (packet.isFatal()) {
                    ways.fromDevice(last.copy());
                }
            }
        };
    }

    static Tamper ackAgainCompletes() {
        return new Watching() {
            private final Set<Integer> heard = new HashSet<>();

            @Override
            void response(Tampered packet, Ways ways) {
                ways.toDevice(packet.isAck() && !heard.add(packet.psn()) ? packet.psn(newest) : packet);
            }
        };
    }

    static Tamper writesWaitForCredits() {
        return new Watching() {
            private boolean stalled;
            private int first = UNKNOWN;

            @Override
            void request(Tampered packet, Ways ways) {
                first = first == UNKNOWN ? packet.psn() : first;
                stalled |= packet.psn() != first && packet.isWrite() && packet.payload() == 64;
                if (!stalled) {
                    ways.fromDevice(packet);
                }
            }
        };
    }
}
