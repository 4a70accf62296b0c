package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.wire.AtomicRequest;
import org.rdma4j.iwarp.wire.AtomicResponse;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.ImmediateData;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateEncoding;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/** All headers of a unit of iWARP, field by field, from MPA to the CRC. */
final class IwarpHeaders {

    /** Payload bytes that are shown. */
    private static final int PAYLOAD_SHOWN = 32;

    private IwarpHeaders() {}

    static List<Header> of(CapturedUnit unit) {
        return switch (unit) {
            case CapturedUnit.Setup setup -> setup(setup);
            case CapturedUnit.Fpdu fpdu -> fpdu(fpdu);
            case CapturedUnit.Lost _ -> List.of();
        };
    }

    private static List<Header> setup(CapturedUnit.Setup setup) {
        List<Header> headers = new ArrayList<>();
        MpaFrame frame = setup.frame();
        headers.add(new Header("MPA")
                .text("Key", frame.request() ? "MPA ID Req Frame" : "MPA ID Rep Frame")
                .bit("M", frame.markers())
                .bit("C", frame.crc())
                .bit("R", frame.rejected())
                .bit("S", frame.enhanced())
                .number("Res", frame.reserved())
                .number("Rev", frame.revision())
                .number("PD_Length", frame.privateDataLength()));
        EnhancedData data = setup.data();
        if (data != null) {
            headers.add(new Header("Enhanced")
                    .bit("A", data.peerToPeer())
                    .bit("B", data.sendRtr())
                    .number("IRD", data.ird())
                    .bit("C", data.writeRtr())
                    .bit("D", data.readRtr())
                    .number("ORD", data.ord()));
        }
        payload("PrivateData", setup.privateData(), 0, headers);
        return headers;
    }

    private static List<Header> fpdu(CapturedUnit.Fpdu fpdu) {
        List<Header> headers = new ArrayList<>();
        MemorySegment ulpdu = fpdu.ulpdu();
        headers.add(new Header("MPA").number("ULPDU_Length", ulpdu.byteSize()));
        if (ulpdu.byteSize() > 0 && !IwarpText.isMalformed(fpdu)) {
            int control = TaggedHeader.control(ulpdu, 0);
            headers.add(ddp(ulpdu, control));
            headers.add(new Header("RDMAP")
                    .number("RV", DdpControl.rdmapVersion(control))
                    .number("Opcode", DdpControl.opcode(control), RdmapOpcode.name(DdpControl.opcode(control))));
            if (!DdpControl.tagged(control)) {
                rdmap(fpdu, control, headers);
            }
            payload("Payload", ulpdu, IwarpText.headers(fpdu), headers);
        } else {
            payload("Bytes", ulpdu, 0, headers);
        }
        headers.add(new Header("MPA CRC")
                .hex(
                        "CRC",
                        Integer.toUnsignedLong(fpdu.crcField()),
                        8,
                        fpdu.crc().text()));
        return headers;
    }

    private static Header ddp(MemorySegment ulpdu, int control) {
        Header header = new Header("DDP")
                .bit("T", DdpControl.tagged(control))
                .bit("L", DdpControl.last(control))
                .number("DV", DdpControl.ddpVersion(control));
        if (DdpControl.tagged(control)) {
            return header.hex("STag", Integer.toUnsignedLong(TaggedHeader.sTag(ulpdu, 0)), 8)
                    .hex("TO", TaggedHeader.taggedOffset(ulpdu, 0), 16);
        }
        UntaggedHeader untagged = UntaggedHeader.parse(ulpdu, 0);
        return header.hex("InvalidateSTag", Integer.toUnsignedLong(untagged.invalidateSTag()), 8)
                .number("QN", Integer.toUnsignedLong(untagged.queueNumber()))
                .number("MSN", Integer.toUnsignedLong(untagged.messageSequenceNumber()))
                .number("MO", Integer.toUnsignedLong(untagged.messageOffset()));
    }

    private static void rdmap(CapturedUnit.Fpdu fpdu, int control, List<Header> headers) {
        MemorySegment ulpdu = fpdu.ulpdu();
        long at = UntaggedHeader.LENGTH;
        switch (DdpControl.opcode(control)) {
            case RdmapOpcode.READ_REQUEST -> {
                ReadRequest request = ReadRequest.parse(ulpdu, at);
                headers.add(new Header("ReadRequest")
                        .hex("SinkSTag", Integer.toUnsignedLong(request.sinkSTag()), 8)
                        .hex("SinkTO", request.sinkOffset(), 16)
                        .number("Size", request.size())
                        .hex("SourceSTag", Integer.toUnsignedLong(request.sourceSTag()), 8)
                        .hex("SourceTO", request.sourceOffset(), 16));
            }
            case RdmapOpcode.TERMINATE -> {
                TerminateEncoding encoding = TerminateEncoding.of(ulpdu, at, fpdu.index() > 0);
                headers.add(new Header("Terminate")
                        .text("Encoding", encoding.name())
                        .number("Layer", Terminate.layer(ulpdu, at, encoding))
                        .number("EType", Terminate.errorType(ulpdu, at, encoding))
                        .number("ErrorCode", Terminate.errorCode(ulpdu, at))
                        .bit("M", Terminate.hasSegmentLength(ulpdu, at, encoding))
                        .bit("D", Terminate.hasDdpHeader(ulpdu, at, encoding))
                        .bit("R", Terminate.hasRdmapHeader(ulpdu, at, encoding)));
            }
            case RdmapOpcode.IMMEDIATE, RdmapOpcode.IMMEDIATE_SE ->
                headers.add(new Header("Immediate").hex("Data", ImmediateData.data(ulpdu, at), 16));
            case RdmapOpcode.ATOMIC_REQUEST -> {
                AtomicRequest request = AtomicRequest.parse(ulpdu, at);
                headers.add(new Header("AtomicReq")
                        .number("AOpCode", request.operation())
                        .hex("Identifier", Integer.toUnsignedLong(request.identifier()), 8)
                        .hex("STag", Integer.toUnsignedLong(request.sTag()), 8)
                        .hex("TO", request.taggedOffset(), 16)
                        .hex("Data", request.data(), 16)
                        .hex("Mask", request.mask(), 16)
                        .hex("Compare", request.compare(), 16)
                        .hex("CompareMask", request.compareMask(), 16));
            }
            case RdmapOpcode.ATOMIC_RESPONSE ->
                headers.add(new Header("AtomicResp")
                        .hex("Identifier", Integer.toUnsignedLong(AtomicResponse.identifier(ulpdu, at)), 8)
                        .hex("Value", AtomicResponse.value(ulpdu, at), 16));
            default -> {
                // Sends have no header of RDMAP's own.
            }
        }
    }

    private static void payload(String name, MemorySegment segment, long offset, List<Header> headers) {
        long length = segment.byteSize() - offset;
        if (length == 0) {
            return;
        }
        byte[] shown = segment.asSlice(offset, Math.min(length, PAYLOAD_SHOWN)).toArray(ValueLayout.JAVA_BYTE);
        headers.add(new Header(name)
                .number("Length", length)
                .text("Bytes", HexFormat.of().formatHex(shown) + (length > PAYLOAD_SHOWN ? "…" : "")));
    }
}
