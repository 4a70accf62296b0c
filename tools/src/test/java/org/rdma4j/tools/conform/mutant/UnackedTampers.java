package org.rdma4j.tools.conform.mutant;

import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** Wrong responders of UC and UD that remember something. */
final class UnackedTampers {

    private UnackedTampers() {}

    /** Knows the PSN and opcode of the packet before. */
    private abstract static class Following implements Tamper {

        int last = -1;
        boolean open; // a message has started and not ended

        @Override
        public final void toDevice(Tampered packet, Ways ways) {
            int psn = packet.psn();
            int opcode = packet.opcode();
            if (packet.isUc() || packet.isDatagram()) {
                take(packet, ways);
            } else {
                other(packet, ways);
            }
            if (packet.isUc() || packet.isDatagram()) {
                last = psn;
                open = packet.isUc() && !Opcode.isReserved(opcode) && !Opcode.isLastOrOnly(opcode);
            }
        }

        abstract void take(Tampered packet, Ways ways);

        void other(Tampered packet, Ways ways) {
            ways.toDevice(packet);
        }

        final boolean follows(Tampered packet) {
            return last < 0 || packet.psn() == Psn.next(last);
        }

        final boolean starts(Tampered packet) {
            return Opcode.isFirstOrOnly(packet.opcode());
        }
    }

    /** PSNs inside of a message are made to follow. */
    static Tamper closesGaps() {
        return new Following() {
            private int expected;

            @Override
            void take(Tampered packet, Ways ways) {
                expected = starts(packet) ? packet.psn() : expected;
                ways.toDevice(packet.psn(expected));
                expected = Psn.next(expected);
            }
        };
    }

    static Tamper strict() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                if (packet.isDatagram() || follows(packet) || !starts(packet)) {
                    ways.toDevice(packet);
                }
            }
        };
    }

    static Tamper strictDatagrams() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                if (packet.isUc() || follows(packet)) {
                    ways.toDevice(packet);
                }
            }
        };
    }

    /** Behind a gap the first packet in order with the one before is taken for the start of a message. */
    static Tamper takesWhatFollows() {
        return new Following() {
            private boolean lost;

            @Override
            void take(Tampered packet, Ways ways) {
                boolean gap = !starts(packet) && !follows(packet);
                boolean goesOn = lost && follows(packet) && packet.is(Opcode.UC_SEND_LAST);
                lost = !starts(packet) && (gap || lost);
                ways.toDevice(goesOn ? packet.opcode(Opcode.UC_SEND_ONLY) : packet);
            }
        };
    }

    static Tamper needsNoStart() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                boolean middleOfNothing = !open && packet.is(Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST);
                ways.toDevice(middleOfNothing ? packet.opcode(Opcode.UC_SEND_ONLY) : packet);
            }
        };
    }

    static Tamper goesOn() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                if (!open || !starts(packet)) {
                    ways.toDevice(packet);
                }
            }
        };
    }

    static Tamper acknowledges() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                ways.toDevice(packet);
                if (packet.isUc()) {
                    ways.fromDevice(answer(packet, ways.lineQpn(), Syndrome.ACK_UNLIMITED));
                }
            }
        };
    }

    /** Where UC is spoken, packets of no UC opcode get a NAK. */
    static Tamper refuses() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                ways.toDevice(packet);
            }

            @Override
            void other(Tampered packet, Ways ways) {
                if (last >= 0) {
                    ways.fromDevice(answer(packet, ways.lineQpn(), Syndrome.NAK_INVALID_REQUEST));
                }
                ways.toDevice(packet);
            }
        };
    }

    private static Tampered answer(Tampered request, int to, int syndrome) {
        return new Tampered(new byte[Bth.LENGTH + Aeth.LENGTH], true, request.sourcePort)
                .opcode(Opcode.RC_ACKNOWLEDGE)
                .set(2, 0xFF)
                .set(3, 0xFF)
                .set32(4, to)
                .psn(request.psn())
                .syndrome(syndrome);
    }

    /** What a receive has no room for is left out. */
    static Tamper cutsLongSends() {
        return new Following() {
            private int bytes;

            @Override
            void take(Tampered packet, Ways ways) {
                bytes = starts(packet) ? 0 : bytes;
                if (!packet.isUc() || !Opcode.isSend(packet.opcode()) || bytes >= Setup.RECEIVE_SIZE) {
                    if (!packet.isUc() || !Opcode.isSend(packet.opcode())) {
                        ways.toDevice(packet);
                    }
                    return;
                }
                bytes += packet.payload();
                boolean full = bytes == Setup.RECEIVE_SIZE && packet.is(Opcode.UC_SEND_MIDDLE);
                ways.toDevice(full ? packet.opcode(Opcode.UC_SEND_LAST) : packet);
            }
        };
    }

    static Tamper anyMtu() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                int more = packet.payload() - 1024;
                boolean tooLong = packet.is(Opcode.UC_SEND_ONLY) && more > 0;
                ways.toDevice(tooLong ? packet.resize(packet.length() - more) : packet);
            }
        };
    }

    static Tamper shortFirst() {
        return new Following() {
            @Override
            void take(Tampered packet, Ways ways) {
                boolean tooShort = packet.is(Opcode.UC_SEND_FIRST) && packet.payload() < 1024;
                ways.toDevice(tooShort ? packet.opcode(Opcode.UC_SEND_ONLY) : packet);
            }
        };
    }

    /** SENDs of RC and UC become datagrams where datagrams have come before. */
    static Tamper datagramsOfOthers() {
        return new Tamper() {
            private Tampered known;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                known = packet.isDatagram() ? packet.copy() : known;
                boolean other = known != null && packet.is(Opcode.RC_SEND_ONLY, Opcode.UC_SEND_ONLY);
                ways.toDevice(other ? known.copy() : packet);
            }
        };
    }

    /** The path MTU of the mutants' checks is 1024: so much and 40 bytes fit a receive. */
    static Tamper cutsDatagrams() {
        return new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                boolean tooLong = packet.isDatagram() && packet.payload() > 1024 && packet.payload() < 2048;
                ways.toDevice(tooLong ? packet.pad(0).resize(Bth.LENGTH + Deth.LENGTH + 1024) : packet);
            }
        };
    }
}
