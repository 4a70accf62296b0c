package org.rdma4j.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;

/** What a ladder writes on its arrows and beside them. */
final class LadderText {

    private LadderText() {}

    /** The name of an end: its IP address, or its LID. */
    static String end(Encapsulation encapsulation, Gid gid) {
        return encapsulation == Encapsulation.INFINIBAND_LOCAL ? "LID " + gid.low() : IpText.of(gid.toAddress());
    }

    /** What stands on the arrow: an acknowledge's syndrome in words, a message of connection management, any other's opcode. */
    static String label(Packet packet) {
        int opcode = packet.bth().opcode();
        if (Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE && Opcode.isResponse(opcode)) {
            int syndrome = packet.extension(Aeth.class).map(Aeth::syndrome).orElse(Syndrome.ACK_UNLIMITED);
            return service(opcode) + Syndrome.toString(syndrome);
        }
        return CmText.name(packet).orElseGet(() -> service(opcode) + operation(opcode));
    }

    /** RC is so common that it is left out. */
    private static String service(int opcode) {
        String name = Opcode.shortName(opcode);
        boolean isDefined = !Opcode.isReserved(opcode) && opcode != Opcode.CNP;
        return isDefined && Opcode.service(opcode) != Opcode.RC ? name.substring(0, name.indexOf(' ') + 1) : "";
    }

    private static String operation(int opcode) {
        String name = Opcode.shortName(opcode);
        boolean isDefined = !Opcode.isReserved(opcode) && opcode != Opcode.CNP;
        return isDefined ? name.substring(name.indexOf(' ') + 1) : name;
    }

    /** What a message of connection management says, for below the arrow: it is too long for beside it. */
    static Optional<String> message(Packet packet) {
        return CmText.mad(packet)
                .filter(CmMad.class::isInstance)
                .map(CmMad.class::cast)
                .map(mad -> CmText.words(mad.message()));
    }

    /** What stands beside the arrow. */
    static List<String> facts(RoceFrame frame, Packet packet, PacketPlace place) {
        List<String> facts = new ArrayList<>();
        int opcode = packet.bth().opcode();
        if (Opcode.operation(opcode) == Opcode.RC_RDMA_READ_REQUEST && Opcode.hasReth(opcode)) {
            facts.add("asks for "
                    + packet.extension(Reth.class).map(Reth::dmaLength).orElse(0L) + " B");
        } else if (Opcode.hasPayload(opcode) && opcode != Opcode.CNP) {
            facts.add(bytes(packet.payload().byteSize(), place));
        }
        packet.extension(AtomicEth.class).ifPresent(atomic -> facts.add(operands(opcode, atomic)));
        packet.extension(AtomicAckEth.class)
                .ifPresent(answer -> facts.add("was " + Long.toUnsignedString(answer.original())));
        packet.extension(ImmDt.class).ifPresent(imm -> facts.add(hex("imm ", imm.data())));
        packet.extension(Ieth.class).ifPresent(ieth -> facts.add(hex("key ", ieth.rKey())));
        packet.extension(Aeth.class).ifPresent(aeth -> facts.add("MSN " + aeth.msn()));
        if (packet.bth().ackReq()) {
            facts.add("AckReq");
        }
        if (packet.bth().solicited()) {
            facts.add("SE");
        }
        if (place.missing() > 0) {
            facts.add("gap of " + place.missing());
        }
        if (place.isLate()) {
            facts.add("late");
        }
        if (place.again() > 0) {
            facts.add(place.repetition());
        }
        if ((frame.trafficClass() & 3) == 3) {
            facts.add("CE");
        }
        if (place.isFirst() && place.firstPsn() != 0) {
            facts.add("PSN 0 is " + place.firstPsn());
        }
        return facts;
    }

    /** {@code PSN 3}, {@code PSN 3–7}. */
    static String psns(int first, int count) {
        return count == 1 ? "PSN " + first : "PSN " + first + "–" + (first + count - 1);
    }

    static LadderPainter.Kind kind(Packet packet) {
        int opcode = packet.bth().opcode();
        if (opcode == Opcode.CNP) {
            return LadderPainter.Kind.CONGESTION;
        }
        if (packet.bth().destQp() <= 1) {
            return LadderPainter.Kind.MANAGEMENT;
        }
        if (!Opcode.isResponse(opcode)) {
            return LadderPainter.Kind.REQUEST;
        }
        int syndrome = packet.extension(Aeth.class).map(Aeth::syndrome).orElse(Syndrome.ACK_UNLIMITED);
        if (!Syndrome.isAck(syndrome)) {
            return LadderPainter.Kind.NAK;
        }
        return Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE
                ? LadderPainter.Kind.ACKNOWLEDGE
                : LadderPainter.Kind.RESPONSE;
    }

    private static String bytes(long payload, PacketPlace place) {
        boolean isPart = place.messageLength() > payload || place.messageBytes() > payload;
        if (!isPart || place.messageBytes() < 0) {
            return payload + " B";
        }
        return place.messageLength() < 0
                ? place.messageBytes() + " B so far"
                : place.messageBytes() + " of " + place.messageLength() + " B";
    }

    private static String operands(int opcode, AtomicEth atomic) {
        return Opcode.operation(opcode) == Opcode.RC_FETCH_ADD
                ? "add " + Long.toUnsignedString(atomic.swapOrAdd())
                : "if " + Long.toUnsignedString(atomic.compare()) + " then "
                        + Long.toUnsignedString(atomic.swapOrAdd());
    }

    private static String hex(String name, int value) {
        return String.format(Locale.ROOT, "%s0x%08x", name, value);
    }
}
