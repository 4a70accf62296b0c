package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.trace.CmText;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.OtherMad;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedMad;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;
import org.rdma4j.wire.Xrceth;

/** A packet in one line: number, seconds, ends, opcode, queue pair, PSN, the ICRC's verdict, what its headers say. */
final class PacketLine {

    private PacketLine() {}

    /** What there is to say about a packet, for below its line. */
    static List<String> findings(DecodedFrame decoded) {
        return decoded.findings().stream()
                .map(finding -> String.format(
                        Locale.ROOT,
                        "%6d %12s  %s %s",
                        decoded.number(),
                        finding.kind().severity().text(),
                        "└",
                        finding.line()))
                .toList();
    }

    static String of(DecodedFrame decoded) {
        StringBuilder line = new StringBuilder(160);
        line.append(String.format(Locale.ROOT, "%6d %12.6f  ", decoded.number(), decoded.sinceFirst() / 1e9));
        RoceFrame frame = decoded.frame();
        if (frame == null && decoded.malformed() == null) {
            line.append("an exchange over TCP");
        } else if (frame == null) {
            line.append("malformed: ").append(decoded.malformed().reason());
        } else {
            Bth bth = Bth.parse(frame.segment(), frame.bthOffset());
            line.append(String.format(
                    Locale.ROOT,
                    "%s → %s  %-28s  QP 0x%06x  PSN %-8d  ICRC %s",
                    NetworkHeaders.end(frame, frame.source()),
                    NetworkHeaders.end(frame, frame.destination()),
                    Opcode.name(bth.opcode()),
                    bth.destQp(),
                    bth.psn(),
                    decoded.icrc().text()));
            facts(decoded, bth).forEach(fact -> line.append("  ").append(fact));
        }
        decoded.captured().comments().forEach(comment -> line.append("  # ").append(comment));
        return line.toString();
    }

    private static List<String> facts(DecodedFrame decoded, Bth bth) {
        List<String> facts = new ArrayList<>();
        if (decoded.malformed() != null) {
            facts.add("malformed: " + decoded.malformed().reason());
        } else {
            Packet packet = decoded.packet();
            packet.extensions().forEach(extension -> facts.add(extension(extension, bth.opcode())));
            if (Opcode.hasPayload(bth.opcode()) || packet.payload().byteSize() > 0) {
                facts.add(payload(packet.payload().byteSize(), decoded.place()));
            }
            if (!decoded.captured().cutShort()) {
                CmText.mad(packet).ifPresent(mad -> facts.add(management(mad)));
            }
        }
        flags(decoded.frame(), bth, facts);
        place(decoded.place(), facts);
        return facts;
    }

    private static String management(ParsedMad parsed) {
        return switch (parsed) {
            case CmMad mad -> mad.message().name() + ": " + CmText.words(mad.message());
            case OtherMad other -> "MAD of " + other.what();
            case Malformed malformed -> "malformed MAD: " + malformed.reason();
        };
    }

    private static void flags(RoceFrame frame, Bth bth, List<String> facts) {
        if (bth.ackReq()) {
            facts.add("AckReq");
        }
        if (bth.solicited()) {
            facts.add("SE");
        }
        if (bth.transportVersion() != 0) {
            facts.add("TVer " + bth.transportVersion());
        }
        if ((bth.pKey() & 0x7FFF) != 0x7FFF) {
            facts.add(hex("P_Key ", bth.pKey(), 4));
        }
        if (bth.fecn()) {
            facts.add("FECN");
        }
        if (bth.becn()) {
            facts.add("BECN");
        }
        if ((frame.trafficClass() & 3) == 3) {
            facts.add("CE");
        }
        frame.vlan().ifPresent(vlan -> facts.add("VLAN " + vlan.id()));
    }

    private static void place(PacketPlace place, List<String> facts) {
        if (place.missing() > 0) {
            facts.add("gap of " + place.missing());
        }
        if (place.isLate()) {
            facts.add("late");
        }
        if (place.again() > 0) {
            String why = place.resend().text();
            String cause = place.cause() > 0 ? ", frame " + place.cause() : "";
            facts.add(place.repetition() + (why.isEmpty() ? "" : " (" + why + cause + ")"));
        }
    }

    private static String payload(long bytes, PacketPlace place) {
        boolean isPart = place.messageBytes() >= 0 && place.messageLength() > bytes;
        return isPart ? bytes + " B (" + place.messageBytes() + " of " + place.messageLength() + ")" : bytes + " B";
    }

    private static String extension(ExtensionHeader extension, int opcode) {
        return switch (extension) {
            case Xrceth xrceth -> hex("SRQ ", xrceth.srqn(), 6);
            case Deth deth ->
                hex("from QP ", deth.sourceQp(), 6) + hex("  Q_Key ", Integer.toUnsignedLong(deth.qKey()), 8);
            case Feth feth -> "PLT " + feth.placement() + "  SEL " + feth.selectivity();
            case Reth reth ->
                hex("VA ", reth.virtualAddress(), 16)
                        + hex("  R_Key ", Integer.toUnsignedLong(reth.rKey()), 8)
                        + "  DMALen " + reth.dmaLength();
            case AtomicEth atomic -> atomic(atomic, opcode);
            case Aeth aeth -> Syndrome.toString(aeth.syndrome()) + "  MSN " + aeth.msn();
            case AtomicAckEth answer -> "was " + Long.toUnsignedString(answer.original());
            case ImmDt imm -> hex("imm ", Integer.toUnsignedLong(imm.data()), 8);
            case Ieth ieth -> hex("invalidate R_Key ", Integer.toUnsignedLong(ieth.rKey()), 8);
        };
    }

    private static String atomic(AtomicEth atomic, int opcode) {
        String swapOrAdd = Long.toUnsignedString(atomic.swapOrAdd());
        String operands = Opcode.operation(opcode) == Opcode.RC_FETCH_ADD
                ? "add " + swapOrAdd
                : "if " + Long.toUnsignedString(atomic.compare()) + " then " + swapOrAdd;
        return hex("VA ", atomic.virtualAddress(), 16)
                + hex("  R_Key ", Integer.toUnsignedLong(atomic.rKey()), 8)
                + "  " + operands;
    }

    private static String hex(String name, long value, int digits) {
        return name + String.format(Locale.ROOT, "0x%0" + digits + "x", value);
    }
}
