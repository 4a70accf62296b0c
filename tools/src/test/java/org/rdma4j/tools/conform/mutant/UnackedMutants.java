package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.omits;
import static org.rdma4j.tools.conform.mutant.Mutant.repeats;
import static org.rdma4j.tools.conform.mutant.Mutant.sends;
import static org.rdma4j.tools.conform.mutant.Mutant.setUp;
import static org.rdma4j.tools.conform.mutant.Mutant.takes;
import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.List;
import org.rdma4j.tools.conform.check.Unacked;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;

/** Wrong devices of the services without acknowledgements, UC and UD. */
final class UnackedMutants {

    private static final int Q_KEY = Bth.LENGTH + Deth.Q_KEY_OFFSET;
    private static final int SOURCE_QP = Bth.LENGTH + Deth.SOURCE_QP_OFFSET;
    private static final int PORT_MTU = 4096;

    private UnackedMutants() {}

    static List<Mutant> all() {
        return List.of(
                tampered("uc-no-gap", "a gap inside of a UC message is not seen", UnackedTampers::closesGaps),
                tampered("uc-strict", "a UC message that has not the next PSN is dropped", UnackedTampers::strict),
                tampered(
                        "uc-in-order",
                        "packets of UC that follow each other are a message, whatever is missing",
                        UnackedTampers::takesWhatFollows),
                tampered("uc-no-start", "a UC message needs no start", UnackedTampers::needsNoStart),
                takes(
                        "uc-mixed",
                        "a UC WRITE may end a SEND",
                        it -> it.is(Opcode.UC_RDMA_WRITE_LAST),
                        it -> it.opcode(Opcode.UC_SEND_LAST)),
                tampered("uc-goes-on", "a UC message that starts inside of another is dropped", UnackedTampers::goesOn),
                tampered("uc-acks", "UC is acknowledged", UnackedTampers::acknowledges),
                tampered("uc-answers", "what UC has not gets a NAK", UnackedTampers::refuses),
                setUp(
                        "one-more-receive",
                        "there is a receive more than was posted",
                        setup -> setup.receives() < 0
                                ? setup
                                : setup.withReceives(setup.receives() + 1, setup.receiveSize())),
                takes(
                        "uc-imm-first",
                        "a UC WRITE with immediate is executed before a receive is looked for",
                        it -> it.is(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE),
                        it -> it.cut(Bth.LENGTH + Reth.LENGTH, ImmDt.LENGTH).opcode(Opcode.UC_RDMA_WRITE_ONLY)),
                takes(
                        "uc-any-length",
                        "the length of a UC WRITE ONLY is that of its payload",
                        it -> it.is(Opcode.UC_RDMA_WRITE_ONLY),
                        it -> it.reth(it.reth().virtualAddress(), it.reth().rKey(), it.payload())),
                tampered("uc-cut", "a UC SEND that is too long is cut", UnackedTampers::cutsLongSends),
                tampered("uc-any-mtu", "a UC SEND ONLY may be longer than the path MTU", UnackedTampers::anyMtu),
                tampered("uc-short-first", "a short FIRST of UC is taken for an ONLY", UnackedTampers::shortFirst),
                sends(
                        "uc-psn",
                        "the packets of a UC message all have the first one's PSN",
                        it -> it.isUc() && !Opcode.isFirstOrOnly(it.opcode()),
                        it -> it.movePsn(-1)),
                omits("uc-no-write", "UC WRITEs are not sent", it -> it.isUc() && Opcode.isWrite(it.opcode())),
                repeats("uc-resends", "UC SENDs end twice", it -> it.is(Opcode.UC_SEND_LAST)),
                takes(
                        "ud-any-qkey",
                        "Q_Keys are not looked at",
                        Tampered::isDatagram,
                        it -> it.set32(Q_KEY, Unacked.Q_KEY)),
                takes(
                        "ud-sender",
                        "a datagram's sender is told wrongly",
                        Tampered::isDatagram,
                        it -> it.set32(SOURCE_QP, it.get32(SOURCE_QP) ^ 1)),
                takes(
                        "ud-imm-order",
                        "immediates of datagrams have the wrong byte order",
                        it -> it.is(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE),
                        it -> it.set32(
                                Bth.LENGTH + Deth.LENGTH, Integer.reverseBytes(it.get32(Bth.LENGTH + Deth.LENGTH)))),
                tampered(
                        "ud-strict", "datagrams must come in the order of their PSNs", UnackedTampers::strictDatagrams),
                takes(
                        "ud-any-opcode",
                        "whatever comes to a datagram's queue pair is a SEND ONLY",
                        it -> Opcode.service(it.opcode()) == Opcode.UD && !it.isDatagram(),
                        it -> it.opcode(Opcode.UD_SEND_ONLY)),
                tampered("ud-any-service", "SENDs of other services are datagrams", UnackedTampers::datagramsOfOthers),
                tampered("ud-cut", "a datagram that is too long for its receive is cut", UnackedTampers::cutsDatagrams),
                takes(
                        "ud-port-mtu",
                        "a datagram that is longer than the port's MTU is cut",
                        it -> it.isDatagram() && it.payload() > PORT_MTU,
                        it -> it.pad(0).resize(Bth.LENGTH + Deth.LENGTH + PORT_MTU)),
                takes(
                        "ud-longer",
                        "datagrams have four bytes more",
                        Tampered::isDatagram,
                        it -> it.resize(it.length() + 4)),
                sends(
                        "ud-own-qp",
                        "a datagram names another queue pair as its sender",
                        Tampered::isDatagram,
                        it -> it.set32(SOURCE_QP, it.get32(SOURCE_QP) ^ 1)),
                sends(
                        "ud-local-length",
                        "a datagram's last word is not sent",
                        it -> it.isDatagram() && it.payload() > 4,
                        it -> it.resize(it.length() - 4)));
    }
}
