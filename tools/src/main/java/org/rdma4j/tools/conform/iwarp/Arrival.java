package org.rdma4j.tools.conform.iwarp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.TerminateEncoding;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/**
 * A FPDU of the peer's.
 *
 * @param ulpdu its DDP segment
 * @param pad the bytes behind it
 * @param crc its CRC field
 */
public record Arrival(MemorySegment ulpdu, MemorySegment pad, int crc) {

    /** Stands for the end of the peer's stream. */
    static final Arrival END = new Arrival(MemorySegment.ofArray(new byte[0]), MemorySegment.NULL, 0);

    boolean isWhole() {
        return ulpdu.byteSize() >= DdpControl.LENGTH && ulpdu.byteSize() >= DdpControl.headerLength(control());
    }

    public int control() {
        return TaggedHeader.control(ulpdu, 0);
    }

    public int opcode() {
        return DdpControl.opcode(control());
    }

    public boolean isLast() {
        return DdpControl.last(control());
    }

    public TaggedHeader tagged() {
        return TaggedHeader.parse(ulpdu, 0);
    }

    public UntaggedHeader untagged() {
        return UntaggedHeader.parse(ulpdu, 0);
    }

    /** What stands behind the DDP header. */
    public byte[] payload() {
        return ulpdu.asSlice(DdpControl.headerLength(control())).toArray(ValueLayout.JAVA_BYTE);
    }

    /** What a Terminate says, in either encoding; {@code null} where that is nothing that the RFCs know. */
    TerminateCode terminateCode() {
        return terminateCode(true);
    }

    /** @param fullOperation false where it is about the connection's setup */
    TerminateCode terminateCode(boolean fullOperation) {
        MemorySegment bytes = MemorySegment.ofArray(payload());
        if (bytes.byteSize() < Terminate.CONTROL_LENGTH) {
            return null;
        }
        return Terminate.code(bytes, 0, TerminateEncoding.of(bytes, 0, fullOperation));
    }

    /** In a few words. */
    @Override
    public String toString() {
        if (!isWhole()) {
            return "a FPDU of " + ulpdu.byteSize() + " bytes, too short for a DDP header";
        }
        String name = RdmapOpcode.name(opcode()) + (isLast() ? "" : ", not the last segment");
        if (DdpControl.tagged(control())) {
            TaggedHeader header = tagged();
            return String.format(
                    "%s to STag 0x%08x, offset 0x%x, %d bytes",
                    name, header.sTag(), header.taggedOffset(), payload().length);
        }
        if (opcode() == RdmapOpcode.TERMINATE) {
            return "a Terminate: " + text(terminateCode(), payload());
        }
        UntaggedHeader header = untagged();
        return name + " on queue " + header.queueNumber() + ", MSN "
                + Integer.toUnsignedString(header.messageSequenceNumber()) + ", MO "
                + Integer.toUnsignedString(header.messageOffset()) + ", " + payload().length + " bytes";
    }

    private static String text(TerminateCode code, byte[] payload) {
        return code == null
                ? "a code that no RFC knows, 0x" + HexFormat.of().formatHex(payload, 0, Math.min(4, payload.length))
                : named(code);
    }

    /** A code in words, with its numbers. */
    static String named(TerminateCode code) {
        return code.text() + " (" + code.layer() + "/" + code.errorType() + "/" + code.errorCode() + ")";
    }
}
