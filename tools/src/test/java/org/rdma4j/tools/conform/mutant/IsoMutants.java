package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.rdma4j.wire.Psn;

/** Devices whose connections are not apart from each other. */
final class IsoMutants {

    /** A single one happens in many a check. */
    private static final int MANY = 12;

    private static final int LOST = 4;

    private IsoMutants() {}

    static List<Mutant> all() {
        return List.of(
                tampered(
                        "iso-icrc",
                        "behind many wrong ICRCs packets of other connections are lost",
                        () -> deafAfter(MANY, packet -> !packet.goodIcrc)),
                tampered(
                        "iso-migration",
                        "behind many packets with MigReq 0 packets of other connections are lost",
                        () -> deafAfter(MANY, packet -> (packet.get(1) & 0x40) == 0)),
                tampered("iso-gap", "behind a gap packets of other connections are lost", () -> deafAfter(1, gaps())),
                tampered("iso-error", "a refused connection takes all others with it", IsoMutants::endsAll));
    }

    private static int qpn(Tampered packet) {
        return packet.get32(4) & 0xFF_FFFF;
    }

    /** True for a packet that is more than one PSN ahead of the one before to its queue pair. */
    private static Predicate<Tampered> gaps() {
        Map<Integer, Integer> before = new HashMap<>();
        return packet -> {
            Integer last = before.put(qpn(packet), packet.psn());
            return last != null && Psn.difference(packet.psn(), last) > 1;
        };
    }

    /** Behind so many packets of a kind, some of those connections that had none of the kind are lost. */
    private static Tamper deafAfter(int many, Predicate<Tampered> kind) {
        return new Tamper() {
            private final Set<Integer> sources = new HashSet<>();
            private int count;
            private int lost;

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (kind.test(packet)) {
                    count++;
                    sources.add(qpn(packet));
                }
                if (count >= many && !sources.contains(qpn(packet))) {
                    lost++;
                    if (lost == LOST) {
                        lost = 0;
                        count = 0;
                    }
                    return;
                }
                ways.toDevice(packet);
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
