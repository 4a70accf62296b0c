package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;
import org.rdma4j.wire.Xrceth;

/** All headers of a frame, field by field, from the outermost to the ICRC. */
final class Headers {

    /** Payload bytes that are shown. */
    private static final int PAYLOAD_SHOWN = 32;

    private Headers() {}

    static List<Header> of(DecodedFrame decoded) {
        RoceFrame frame = decoded.frame();
        if (frame == null) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(NetworkHeaders.of(frame));
        if (decoded.packet() == null) {
            headers.add(bth(Bth.parse(frame.segment(), frame.bthOffset())));
        } else {
            packet(decoded.packet(), decoded.captured().cutShort(), headers);
        }
        headers.add(icrc(frame, decoded.icrc()));
        return headers;
    }

    private static void packet(Packet packet, boolean isCutShort, List<Header> headers) {
        headers.add(bth(packet.bth()));
        for (ExtensionHeader extension : packet.extensions()) {
            headers.add(extension(extension, packet.bth().opcode()));
        }
        List<Header> management = isCutShort ? List.of() : ManagementHeaders.of(packet);
        headers.addAll(management);
        if (packet.payload().byteSize() > 0 && management.isEmpty()) {
            Header payload =
                    new Header("payload").number("Length", packet.payload().byteSize());
            headers.add(isCutShort ? payload : payload.text("Start", start(packet.payload())));
        }
        if (packet.pad().byteSize() > 0) {
            headers.add(new Header("pad").text("Bytes", HexFormat.of().formatHex(bytes(packet.pad()))));
        }
    }

    private static Header bth(Bth bth) {
        return new Header("BTH")
                .number("OpCode", bth.opcode(), Opcode.name(bth.opcode()))
                .bit("SE", bth.solicited())
                .bit("M", bth.migReq())
                .number("PadCnt", bth.padCount())
                .number("TVer", bth.transportVersion())
                .hex("P_Key", bth.pKey(), 4)
                .bit("FECN", bth.fecn())
                .bit("BECN", bth.becn())
                .number("reserved6", bth.reserved6())
                .hex("DestQP", bth.destQp(), 6)
                .bit("AckReq", bth.ackReq())
                .number("reserved7", bth.reserved7())
                .number("PSN", bth.psn());
    }

    private static Header extension(ExtensionHeader extension, int opcode) {
        return switch (extension) {
            case Xrceth xrceth ->
                new Header("XRCETH").number("reserved", xrceth.reserved()).hex("XRCSRQ", xrceth.srqn(), 6);
            case Deth deth ->
                new Header("DETH")
                        .hex("Q_Key", Integer.toUnsignedLong(deth.qKey()), 8)
                        .number("reserved", deth.reserved())
                        .hex("SrcQP", deth.sourceQp(), 6);
            case Feth feth ->
                new Header("FETH")
                        .number("reserved", feth.reserved())
                        .number("SEL", feth.selectivity())
                        .number("PLT", feth.placement());
            case Reth reth ->
                new Header("RETH")
                        .hex("VA", reth.virtualAddress(), 16)
                        .hex("R_Key", Integer.toUnsignedLong(reth.rKey()), 8)
                        .number("DMALen", reth.dmaLength());
            case AtomicEth atomic -> atomic(atomic, opcode);
            case Aeth aeth ->
                new Header("AETH")
                        .hex("Syndrome", aeth.syndrome(), 2, Syndrome.toString(aeth.syndrome()))
                        .number("MSN", aeth.msn());
            case AtomicAckEth answer ->
                new Header("AtomicAckETH").text("OrigRemDt", Long.toUnsignedString(answer.original()));
            case ImmDt imm -> new Header("ImmDt").hex("ImmDt", Integer.toUnsignedLong(imm.data()), 8);
            case Ieth ieth -> new Header("IETH").hex("R_Key", Integer.toUnsignedLong(ieth.rKey()), 8);
        };
    }

    private static Header atomic(AtomicEth atomic, int opcode) {
        boolean isAdd = Opcode.operation(opcode) == Opcode.RC_FETCH_ADD;
        return new Header("AtomicETH")
                .hex("VA", atomic.virtualAddress(), 16)
                .hex("R_Key", Integer.toUnsignedLong(atomic.rKey()), 8)
                .text("SwapDt", Long.toUnsignedString(atomic.swapOrAdd()), isAdd ? "to add" : "")
                .text("CmpDt", Long.toUnsignedString(atomic.compare()));
    }

    private static Header icrc(RoceFrame frame, IcrcVerdict verdict) {
        Header header = new Header("ICRC");
        if (verdict == IcrcVerdict.CUT_OFF) {
            return header.text("ICRC", verdict.text());
        }
        byte[] asSent = bytes(frame.segment().asSlice(frame.icrcOffset(), Icrc.LENGTH));
        String note = verdict.text();
        if (verdict == IcrcVerdict.WRONG) {
            MemorySegment expected = MemorySegment.ofArray(new byte[Icrc.LENGTH]);
            Icrc.write(expected, 0, frame.expectedIcrc());
            note += ", expected " + HexFormat.of().formatHex(bytes(expected));
        }
        return header.text("ICRC", HexFormat.of().formatHex(asSent), note);
    }

    private static String start(MemorySegment payload) {
        boolean isLong = payload.byteSize() > PAYLOAD_SHOWN;
        byte[] shown = bytes(payload.asSlice(0, isLong ? PAYLOAD_SHOWN : payload.byteSize()));
        return HexFormat.of().formatHex(shown) + (isLong ? "…" : "");
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
