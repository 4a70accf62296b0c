package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Devices whose connections are not apart from each other. */
final class IsoMutants {

    /** A single one happens in many a check. */
    private static final int MANY = 12;

    private IsoMutants() {}

    static List<Mutant> all() {
        return List.of(
                tampered(
                        "iso-icrc",
                        "behind many wrong ICRCs the next good packet is lost",
                        () -> deafAfter(packet -> !packet.goodIcrc)),
                tampered(
                        "iso-migration",
                        "behind many changes of MigReq the next packet of another connection is lost",
                        () -> deafAfter(packet -> (packet.get(1) & 0x40) == 0)),
                tampered("iso-gap", "a gap stops all connections for one packet", () -> deafBehind(
                        Tampered::isNakSequence)),
                tampered("iso-error", "a refused connection takes all others with it", IsoMutants::endsAll));
    }

    private static int qpn(Tampered packet) {
        return packet.get32(4) & 0xFF_FFFF;
    }

    /** Behind many packets of a kind, the first of another connection is lost, again and again. */
    private static Tamper deafAfter(Predicate<Tampered> kind) {
        return new Tamper() {
            private final Set<Integer> sources = new HashSet<>();
            private int count;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (kind.test(packet)) {
                    count++;
                    sources.add(qpn(packet));
                }
                if (count >= MANY && !sources.contains(qpn(packet))) {
                    count = 0;
                    return;
                }
                ways.toDevice(packet);
            }
        };
    }

    private static Tamper deafBehind(Predicate<Tampered> answer) {
        return new Tamper() {
            private final Set<Integer> sources = new HashSet<>();
            private boolean deaf;
            private int last;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (deaf && !sources.contains(qpn(packet))) {
                    deaf = false;
                    return;
                }
                last = qpn(packet);
                ways.toDevice(packet);
            }

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (answer.test(packet)) {
                    deaf = true;
                    sources.add(last);
                }
                ways.fromDevice(packet);
            }
        };
    }

    private static Tamper endsAll() {
        return new Tamper() {
            private boolean ended;

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (!ended) {
                    ways.fromDevice(packet);
                }
                ended |= packet.isFatal();
            }
        };
    }
}
