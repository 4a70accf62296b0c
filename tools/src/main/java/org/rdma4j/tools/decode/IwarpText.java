package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.TerminateEncoding;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/** What units of iWARP are and say, in words. */
final class IwarpText {

    private IwarpText() {}

    /** What it is: {@code MPA Request}, {@code RDMAP Send}. */
    static String name(CapturedUnit unit) {
        return switch (unit) {
            case CapturedUnit.Setup setup -> setup.frame().request() ? "MPA Request" : "MPA Reply";
            case CapturedUnit.Fpdu fpdu -> {
                if (fpdu.ulpdu().byteSize() == 0) {
                    yield "MPA FPDU without ULPDU";
                }
                yield isMalformed(fpdu) ? "MPA FPDU" : "RDMAP " + RdmapOpcode.name(opcode(fpdu));
            }
            case CapturedUnit.Lost _ -> "MPA lost";
        };
    }

    static List<String> setup(CapturedUnit.Setup setup) {
        List<String> facts = new ArrayList<>();
        MpaFrame frame = setup.frame();
        facts.add("Rev " + frame.revision());
        if (frame.rejected()) {
            facts.add("REJECTED");
        }
        if (frame.crc()) {
            facts.add("wants CRCs");
        }
        if (frame.markers()) {
            facts.add("wants markers");
        }
        EnhancedData data = setup.data();
        if (data != null) {
            facts.add("IRD " + data.ird() + "  ORD " + data.ord());
            if (data.peerToPeer()) {
                facts.add("peer-to-peer by" + (data.writeRtr() ? " Write" : "") + (data.readRtr() ? " Read" : "")
                        + (data.sendRtr() ? " Send" : ""));
            }
        }
        facts.add(setup.privateData().byteSize() + " B private data");
        return facts;
    }

    /** A ULPDU too short for its headers. One of no bytes at all is a FPDU like another. */
    static boolean isMalformed(CapturedUnit.Fpdu fpdu) {
        return fpdu.ulpdu().byteSize() > 0 && fpdu.ulpdu().byteSize() < headers(fpdu);
    }

    /** Why it is malformed. */
    static String tooShort(CapturedUnit.Fpdu fpdu) {
        return "malformed: " + fpdu.ulpdu().byteSize() + " bytes do not hold the headers";
    }

    /** Bytes of the headers of DDP and RDMAP, as far as the ULPDU tells of them. */
    static int headers(CapturedUnit.Fpdu fpdu) {
        if (fpdu.ulpdu().byteSize() < DdpControl.LENGTH) {
            return DdpControl.LENGTH;
        }
        int control = control(fpdu);
        int ddp = DdpControl.headerLength(control);
        if (DdpControl.tagged(control)) {
            return ddp;
        }
        return ddp
                + switch (DdpControl.opcode(control)) {
                    case RdmapOpcode.READ_REQUEST -> ReadRequest.LENGTH;
                    case RdmapOpcode.ATOMIC_REQUEST -> AtomicRequest.LENGTH;
                    case RdmapOpcode.ATOMIC_RESPONSE -> AtomicResponse.LENGTH;
                    case RdmapOpcode.IMMEDIATE, RdmapOpcode.IMMEDIATE_SE -> ImmediateData.LENGTH;
                    case RdmapOpcode.TERMINATE -> Terminate.CONTROL_LENGTH;
                    default -> 0;
                };
    }

    static int opcode(CapturedUnit.Fpdu fpdu) {
        return DdpControl.opcode(control(fpdu));
    }

    static int control(CapturedUnit.Fpdu fpdu) {
        return TaggedHeader.control(fpdu.ulpdu(), 0);
    }

    /** What there is to say besides its place in a queue or buffer and its CRC; it is not malformed, and has a ULPDU. */
    static List<String> details(CapturedUnit.Fpdu fpdu) {
        List<String> facts = new ArrayList<>();
        MemorySegment ulpdu = fpdu.ulpdu();
        int control = control(fpdu);
        if (DdpControl.tagged(control) || RdmapOpcode.isSend(DdpControl.opcode(control))) {
            facts.add(ulpdu.byteSize() - DdpControl.headerLength(control) + " B");
        }
        if (!DdpControl.tagged(control)) {
            rdmap(fpdu, control, facts);
        }
        if (!DdpControl.last(control)) {
            facts.add("more follows");
        }
        if (DdpControl.ddpVersion(control) != DdpControl.DDP_VERSION) {
            facts.add("DDP version " + DdpControl.ddpVersion(control));
        }
        if (DdpControl.rdmapVersion(control) != DdpControl.RDMAP_VERSION) {
            facts.add("RDMAP version " + DdpControl.rdmapVersion(control));
        }
        return facts;
    }

    /** Where it belongs: queue, message and offset, or buffer and offset. */
    static String place(CapturedUnit.Fpdu fpdu) {
        MemorySegment ulpdu = fpdu.ulpdu();
        if (DdpControl.tagged(control(fpdu))) {
            return sTag("STag ", TaggedHeader.sTag(ulpdu, 0)) + offset("  TO ", TaggedHeader.taggedOffset(ulpdu, 0));
        }
        UntaggedHeader header = UntaggedHeader.parse(ulpdu, 0);
        return "QN " + Integer.toUnsignedString(header.queueNumber())
                + "  MSN " + Integer.toUnsignedString(header.messageSequenceNumber())
                + "  MO " + Integer.toUnsignedString(header.messageOffset());
    }

    private static void rdmap(CapturedUnit.Fpdu fpdu, int control, List<String> facts) {
        MemorySegment ulpdu = fpdu.ulpdu();
        long at = UntaggedHeader.LENGTH;
        switch (DdpControl.opcode(control)) {
            case RdmapOpcode.SEND_INVALIDATE, RdmapOpcode.SEND_SE_INVALIDATE ->
                facts.add(sTag("invalidate STag ", UntaggedHeader.invalidateSTag(ulpdu, 0)));
            case RdmapOpcode.READ_REQUEST -> {
                ReadRequest request = ReadRequest.parse(ulpdu, at);
                facts.add(request.size() + " B");
                facts.add(sTag("from STag ", request.sourceSTag()) + offset("  TO ", request.sourceOffset()));
                facts.add(sTag("to STag ", request.sinkSTag()) + offset("  TO ", request.sinkOffset()));
            }
            case RdmapOpcode.TERMINATE -> facts.add(terminate(ulpdu, at, fpdu.index() > 0));
            case RdmapOpcode.IMMEDIATE, RdmapOpcode.IMMEDIATE_SE ->
                facts.add(offset("imm ", ImmediateData.data(ulpdu, at)));
            case RdmapOpcode.ATOMIC_REQUEST -> facts.add(atomic(AtomicRequest.parse(ulpdu, at)));
            case RdmapOpcode.ATOMIC_RESPONSE ->
                facts.add("request " + Integer.toUnsignedString(AtomicResponse.identifier(ulpdu, at)) + "  was "
                        + Long.toUnsignedString(AtomicResponse.value(ulpdu, at)));
            default -> {
                // Sends: their payload is the ULP's.
            }
        }
    }

    private static String atomic(AtomicRequest request) {
        String data = Long.toUnsignedString(request.data());
        String operands = switch (request.operation()) {
            case AtomicRequest.FETCH_ADD -> "add " + data;
            case AtomicRequest.COMPARE_SWAP -> "if " + Long.toUnsignedString(request.compare()) + " then " + data;
            default -> "operation " + request.operation();
        };
        return "request " + Integer.toUnsignedString(request.identifier()) + sTag("  STag ", request.sTag())
                + offset("  TO ", request.taggedOffset()) + "  " + operands;
    }

    private static String terminate(MemorySegment ulpdu, long at, boolean fullOperation) {
        TerminateEncoding encoding = TerminateEncoding.of(ulpdu, at, fullOperation);
        TerminateCode code = Terminate.code(ulpdu, at, encoding);
        String why = code != null
                ? code.text()
                : TerminateCode.layerName(Terminate.layer(ulpdu, at, encoding)) + " error type "
                        + Terminate.errorType(ulpdu, at, encoding) + " code " + Terminate.errorCode(ulpdu, at);
        return encoding == TerminateEncoding.SIW ? why + " (in siw's encoding)" : why;
    }

    private static String sTag(String name, int sTag) {
        return name + String.format(Locale.ROOT, "0x%08x", sTag);
    }

    private static String offset(String name, long offset) {
        return name + String.format(Locale.ROOT, "0x%016x", offset);
    }
}
