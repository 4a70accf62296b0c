package org.rdma4j.tools.decode;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.rdma4j.analysis.Flow;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.trace.CmText;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.FrameBytes;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.OtherMad;
import org.rdma4j.wire.ParsedMad;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;
import org.rdma4j.wire.Xrceth;

/** A packet in one line: number, seconds, ends, opcode, queue pair, PSN, the ICRC's verdict, what its headers say. */
final class PacketLine {

    private static final byte[] VA = LineText.utf8("  VA ");
    private static final byte[] R_KEY = LineText.utf8("  R_Key ");
    private static final byte[] DMA_LENGTH = LineText.utf8("  DMALen ");
    private static final byte[] MSN = LineText.utf8("  MSN ");
    private static final byte[] ACK_REQ = LineText.utf8("  AckReq");
    private static final byte[][] ICRC =
            texts(IcrcVerdict.values().length, at -> "ICRC " + IcrcVerdict.values()[at].text());
    private static final byte[][] SYNDROMES = texts(256, Syndrome::toString);

    private static final int REMEMBERED = 256;

    /** What is the same for all packets of a flow with one opcode: ends, opcode, queue pair. */
    private record Start(Flow flow, int opcode, int destQp, Encapsulation encapsulation, LineText text) {

        boolean isOf(Flow other, RoceFrame frame) {
            return flow == other
                    && opcode == frame.opcode()
                    && destQp == frame.destQp()
                    && encapsulation == frame.encapsulation();
        }
    }

    private final LineText line = new LineText();
    private final Start[] starts = new Start[REMEMBERED];

    PacketLine() {}

    private static byte[][] texts(int count, IntFunction<String> text) {
        return IntStream.range(0, count)
                .mapToObj(at -> LineText.utf8("  " + text.apply(at)))
                .toArray(byte[][]::new);
    }

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

    /** The line, good until the next one. */
    LineText of(DecodedFrame decoded) {
        line.clear();
        line.right(decoded.number(), 6).add(' ').seconds(decoded.sinceFirst());
        RoceFrame frame = decoded.frame();
        if (frame == null) {
            withoutFrame(decoded);
        } else {
            line.add(start(decoded.place().flow(), frame));
            line.left(frame.psn(), 8);
            line.add(ICRC[decoded.icrc().ordinal()]);
            if (decoded.malformed() != null) {
                line.add("  malformed: ").add(decoded.malformed().reason());
            } else {
                headers(decoded, frame);
            }
            flags(frame);
            place(decoded.place());
        }
        for (String comment : decoded.captured().comments()) {
            line.add("  # ").add(comment);
        }
        return line;
    }

    private void withoutFrame(DecodedFrame decoded) {
        if (decoded.malformed() == null) {
            line.add("  an exchange over TCP");
        } else {
            line.add("  malformed: ").add(decoded.malformed().reason());
        }
    }

    private LineText start(Flow flow, RoceFrame frame) {
        if (flow == null) {
            return startOf(frame);
        }
        int slot = (flow.number() * 61 + frame.opcode()) & REMEMBERED - 1;
        Start known = starts[slot];
        if (known == null || !known.isOf(flow, frame)) {
            known = new Start(flow, frame.opcode(), frame.destQp(), frame.encapsulation(), startOf(frame));
            starts[slot] = known;
        }
        return known.text;
    }

    private static LineText startOf(RoceFrame frame) {
        LineText start = new LineText();
        start.add("  ").add(NetworkHeaders.end(frame, frame.source()));
        start.add(" → ").add(NetworkHeaders.end(frame, frame.destination()));
        start.add("  ").left(Opcode.name(frame.opcode()), 28);
        return start.add("  QP ").hex(frame.destQp(), 6).add("  PSN ");
    }

    private void headers(DecodedFrame decoded, RoceFrame frame) {
        int opcode = decoded.opcode();
        extensions(opcode, frame.bytes(), frame.bthOffset());
        int payload = decoded.payloadLength();
        if (Opcode.hasPayload(opcode) || payload > 0) {
            payload(payload, decoded.place());
        }
        if (CmText.mayHold(opcode, frame.destQp()) && !decoded.captured().cutShort()) {
            CmText.mad(decoded.packet()).ifPresent(mad -> line.add("  ").add(management(mad)));
        }
    }

    private static String management(ParsedMad parsed) {
        return switch (parsed) {
            case CmMad mad -> mad.message().name() + ": " + CmText.words(mad.message());
            case OtherMad other -> "MAD of " + other.what();
            case Malformed malformed -> "malformed MAD: " + malformed.reason();
        };
    }

    private void flags(RoceFrame frame) {
        if (frame.ackReq()) {
            line.add(ACK_REQ);
        }
        if (frame.solicited()) {
            line.add("  SE");
        }
        if (frame.transportVersion() != 0) {
            line.add("  TVer ").add(frame.transportVersion());
        }
        if ((frame.pKey() & 0x7FFF) != 0x7FFF) {
            line.add("  P_Key ").hex(frame.pKey(), 4);
        }
        if (frame.fecn()) {
            line.add("  FECN");
        }
        if (frame.becn()) {
            line.add("  BECN");
        }
        if ((frame.trafficClass() & 3) == 3) {
            line.add("  CE");
        }
        frame.vlan().ifPresent(vlan -> line.add("  VLAN ").add(vlan.id()));
    }

    private void place(PacketPlace place) {
        if (place.missing() > 0) {
            line.add("  gap of ").add(place.missing());
        }
        if (place.isLate()) {
            line.add("  late");
        }
        if (place.again() > 0) {
            String why = place.resend().text();
            String cause = place.cause() > 0 ? ", frame " + place.cause() : "";
            line.add("  ").add(place.repetition()).add(why.isEmpty() ? "" : " (" + why + cause + ")");
        }
    }

    private void payload(long bytes, PacketPlace place) {
        line.add("  ").add(bytes).add(" B");
        if (place.messageBytes() >= 0 && place.messageLength() > bytes) {
            line.add(" (")
                    .add(place.messageBytes())
                    .add(" of ")
                    .add(place.messageLength())
                    .add(")");
        }
    }

    /** In the order in which they follow the BTH. */
    private void extensions(int opcode, FrameBytes bytes, long bth) {
        if (Opcode.hasXrceth(opcode)) {
            line.add("  SRQ ").hex(bytes.uint24(bth + Opcode.xrcethOffset(opcode) + Xrceth.SRQN_OFFSET), 6);
        }
        if (Opcode.hasDeth(opcode)) {
            long at = bth + Opcode.dethOffset(opcode);
            line.add("  from QP ").hex(bytes.uint24(at + Deth.SOURCE_QP_OFFSET), 6);
            line.add("  Q_Key ").hex(bytes.int32(at + Deth.Q_KEY_OFFSET), 8);
        }
        if (Opcode.hasFeth(opcode)) {
            long at = bth + Opcode.fethOffset(opcode);
            line.add("  PLT ").add(Feth.placement(bytes.segment(), at));
            line.add("  SEL ").add(Feth.selectivity(bytes.segment(), at));
        }
        if (Opcode.hasReth(opcode)) {
            long at = bth + Opcode.rethOffset(opcode);
            line.add(VA).hex(bytes.int64(at + Reth.VIRTUAL_ADDRESS_OFFSET), 16);
            line.add(R_KEY).hex(bytes.int32(at + Reth.R_KEY_OFFSET), 8);
            line.add(DMA_LENGTH).add(bytes.uint32(at + Reth.DMA_LENGTH_OFFSET));
        }
        if (Opcode.hasAtomicEth(opcode)) {
            atomic(opcode, bytes, bth + Opcode.atomicEthOffset(opcode));
        }
        if (Opcode.hasAeth(opcode)) {
            long at = bth + Opcode.aethOffset(opcode);
            line.add(SYNDROMES[bytes.uint8(at + Aeth.SYNDROME_OFFSET)]);
            line.add(MSN).add(bytes.uint24(at + Aeth.MSN_OFFSET));
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            long original = bytes.int64(bth + Opcode.atomicAckEthOffset(opcode) + AtomicAckEth.ORIGINAL_OFFSET);
            line.add("  was ").add(Long.toUnsignedString(original));
        }
        if (Opcode.hasImm(opcode)) {
            line.add("  imm ").hex(bytes.int32(bth + Opcode.immOffset(opcode) + ImmDt.DATA_OFFSET), 8);
        }
        if (Opcode.hasIeth(opcode)) {
            line.add("  invalidate R_Key ").hex(bytes.int32(bth + Opcode.iethOffset(opcode) + Ieth.R_KEY_OFFSET), 8);
        }
    }

    private void atomic(int opcode, FrameBytes bytes, long at) {
        line.add(VA).hex(bytes.int64(at + AtomicEth.VIRTUAL_ADDRESS_OFFSET), 16);
        line.add(R_KEY).hex(bytes.int32(at + AtomicEth.R_KEY_OFFSET), 8);
        String swapOrAdd = Long.toUnsignedString(bytes.int64(at + AtomicEth.SWAP_OR_ADD_OFFSET));
        if (Opcode.operation(opcode) == Opcode.RC_FETCH_ADD) {
            line.add("  add ").add(swapOrAdd);
        } else {
            String compare = Long.toUnsignedString(bytes.int64(at + AtomicEth.COMPARE_OFFSET));
            line.add("  if ").add(compare).add(" then ").add(swapOrAdd);
        }
    }
}
