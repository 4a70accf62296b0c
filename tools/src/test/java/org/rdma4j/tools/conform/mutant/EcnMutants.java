package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.omits;
import static org.rdma4j.tools.conform.mutant.Mutant.repeats;
import static org.rdma4j.tools.conform.mutant.Mutant.sends;
import static org.rdma4j.tools.conform.mutant.Mutant.takes;
import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.List;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.Opcode;

/** Devices that are wrong about congestion. */
final class EcnMutants {

    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int CNP_LENGTH = Bth.LENGTH + 16;

    private EcnMutants() {}

    static List<Mutant> all() {
        return List.of(
                omits("no-cnp", "no CNP is sent", EcnMutants::isCnp),
                repeats("cnp-twice", "each CNP is sent twice", EcnMutants::isCnp),
                sends("cnp-psn", "a CNP has a PSN", EcnMutants::isCnp, it -> it.psn(1)),
                sends("cnp-no-becn", "a CNP has no BECN", EcnMutants::isCnp, it -> it.set(4, it.get(4) & ~BECN)),
                sends("cnp-fecn", "a CNP has FECN", EcnMutants::isCnp, it -> it.set(4, it.get(4) | FECN)),
                sends("cnp-bytes", "a CNP's reserved bytes are set", EcnMutants::isCnp, it -> it.set(Bth.LENGTH, 1)),
                sends("cnp-short", "a CNP has no reserved bytes", EcnMutants::isCnp, it -> it.resize(Bth.LENGTH)),
                sends("cnp-ect", "a CNP goes as ECT(0)", EcnMutants::isCnp, it -> it.trafficClass |= Ecn.CAPABLE),
                sends(
                        "sent-marked",
                        "requests go out with the mark of congestion",
                        it -> it.is(Opcode.RC_RDMA_WRITE_ONLY),
                        it -> it.trafficClass |= Ecn.CONGESTED),
                takes(
                        "any-ecn",
                        "what could be marked is taken for marked",
                        it -> it.trafficClass != 0,
                        it -> it.trafficClass = Ecn.CONGESTED),
                tampered("cnp-early", "a mark is told before the packet is looked at", EcnMutants::tellsAtOnce),
                tampered("cnp-for-gaps", "a NAK comes with a CNP", EcnMutants::tellsOfGaps),
                takes(
                        "any-cnp",
                        "of a CNP nothing but the opcode is looked at",
                        EcnMutants::isCnp,
                        it -> it.resize(CNP_LENGTH)
                                .set(CNP_LENGTH - 1, 0)
                                .set(2, 0xFF)
                                .set(3, 0xFF)
                                .set(4, BECN)));
    }

    private static boolean isCnp(Tampered packet) {
        return packet.is(Opcode.CNP);
    }

    private static Tampered cnp(Tampered like) {
        return like.copy().resize(CNP_LENGTH).opcode(Opcode.CNP).psn(0);
    }

    private static Tamper tellsAtOnce() {
        return new Tampers.Remembering() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (last != null && packet.trafficClass == Ecn.CONGESTED) {
                    ways.fromDevice(cnp(last));
                }
                ways.toDevice(packet);
            }
        };
    }

    private static Tamper tellsOfGaps() {
        return new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (packet.isNakSequence()) {
                    ways.fromDevice(cnp(packet));
                }
                ways.fromDevice(packet);
            }
        };
    }
}
