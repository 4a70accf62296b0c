package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.trace.Rule;

/**
 * A management datagram of connection management, header and message (IBTA volume 1, 16.7).
 *
 * @param transactionId chosen by whoever starts an exchange, carried back by all that answer it
 * @param attributeModifier 0, but where an extension of the vendor is offered
 * @param message what it says
 */
public record CmMad(long transactionId, int attributeModifier, CmMessage message) implements ParsedMad {

    /** Looks into the payload of a packet to the GSI's queue pair. Never throws for what the bytes are. */
    public static ParsedMad parse(MemorySegment segment, long offset, int length) {
        if (length != MadHeader.MAD_LENGTH) {
            return new Malformed(Rule.MAD_LENGTH, length + " bytes, a management datagram has " + MadHeader.MAD_LENGTH);
        }
        MadHeader header = MadHeader.parse(segment, offset);
        if (header.baseVersion() != MadHeader.BASE_VERSION) {
            return new Malformed(Rule.MAD_VERSION, "base version " + header.baseVersion());
        }
        if (header.managementClass() != MadHeader.CLASS_CM) {
            return new OtherMad(header, MadClass.words(header, segment, offset));
        }
        if (header.classVersion() != MadHeader.CM_CLASS_VERSION) {
            return new Malformed(Rule.MAD_VERSION, "class version " + header.classVersion());
        }
        if (header.method() != MadHeader.METHOD_SEND || header.status() != 0) {
            return new Malformed(
                    Rule.MAD_METHOD, String.format("method 0x%02x, status 0x%04x", header.method(), header.status()));
        }
        long at = offset + MadHeader.LENGTH;
        CmMessage message = switch (header.attributeId()) {
            case CmReq.ATTRIBUTE_ID -> CmReq.parse(segment, at);
            case CmMra.ATTRIBUTE_ID -> CmMra.parse(segment, at);
            case CmRej.ATTRIBUTE_ID -> CmRej.parse(segment, at);
            case CmRep.ATTRIBUTE_ID -> CmRep.parse(segment, at);
            case CmRtu.ATTRIBUTE_ID -> CmRtu.parse(segment, at);
            case CmDreq.ATTRIBUTE_ID -> CmDreq.parse(segment, at);
            case CmDrep.ATTRIBUTE_ID -> CmDrep.parse(segment, at);
            case CmSidrReq.ATTRIBUTE_ID -> CmSidrReq.parse(segment, at);
            case CmSidrRep.ATTRIBUTE_ID -> CmSidrRep.parse(segment, at);
            case CmLap.ATTRIBUTE_ID -> CmLap.parse(segment, at);
            case CmApr.ATTRIBUTE_ID -> CmApr.parse(segment, at);
            default -> null;
        };
        if (message == null) {
            return new OtherMad(header, String.format("attribute 0x%04x", header.attributeId()));
        }
        return new CmMad(header.transactionId(), header.attributeModifier(), message);
    }

    /** Writes all {@link MadHeader#MAD_LENGTH} bytes. */
    public void emit(MemorySegment segment, long offset) {
        MadHeader.cm(transactionId, message.attributeId(), attributeModifier).emit(segment, offset);
        message.emit(segment, offset + MadHeader.LENGTH);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[MadHeader.MAD_LENGTH];
        emit(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }
}
