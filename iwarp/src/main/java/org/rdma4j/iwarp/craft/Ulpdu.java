package org.rdma4j.iwarp.craft;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rdma4j.iwarp.wire.AtomicRequest;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/** DDP segments that a peer played by hand sends: right ones, and ones with a single thing wrong. */
public final class Ulpdu {

    private byte[] bytes;

    private Ulpdu(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Ulpdu tagged(int opcode, boolean last, int sTag, long offset, byte... payload) {
        byte[] bytes = new byte[TaggedHeader.LENGTH + payload.length];
        TaggedHeader.write(MemorySegment.ofArray(bytes), 0, DdpControl.of(opcode, last), sTag, offset);
        System.arraycopy(payload, 0, bytes, TaggedHeader.LENGTH, payload.length);
        return new Ulpdu(bytes);
    }

    public static Ulpdu write(int sTag, long offset, byte... payload) {
        return tagged(RdmapOpcode.WRITE, true, sTag, offset, payload);
    }

    public static Ulpdu untagged(int opcode, boolean last, int queue, int msn, int offset, byte... payload) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + payload.length];
        UntaggedHeader.write(MemorySegment.ofArray(bytes), 0, DdpControl.of(opcode, last), 0, queue, msn, offset);
        System.arraycopy(payload, 0, bytes, UntaggedHeader.LENGTH, payload.length);
        return new Ulpdu(bytes);
    }

    public static Ulpdu send(int msn, byte... payload) {
        return untagged(RdmapOpcode.SEND, true, UntaggedHeader.SEND_QUEUE, msn, 0, payload);
    }

    public static Ulpdu read(int msn, int sinkSTag, long sinkOffset, long size, int sourceSTag, long sourceOffset) {
        byte[] header = new byte[ReadRequest.LENGTH];
        ReadRequest.write(MemorySegment.ofArray(header), 0, sinkSTag, sinkOffset, size, sourceSTag, sourceOffset);
        return untagged(RdmapOpcode.READ_REQUEST, true, UntaggedHeader.REQUEST_QUEUE, msn, 0, header);
    }

    public static Ulpdu atomic(AtomicRequest request, int msn) {
        byte[] header = new byte[AtomicRequest.LENGTH];
        request.emit(MemorySegment.ofArray(header), 0);
        return untagged(RdmapOpcode.ATOMIC_REQUEST, true, UntaggedHeader.REQUEST_QUEUE, msn, 0, header);
    }

    /** The same with a control field of another value. */
    public Ulpdu control(int value) {
        bytes[0] = (byte) (value >> 8);
        bytes[1] = (byte) value;
        return this;
    }

    public Ulpdu ddpVersion(int value) {
        bytes[0] = (byte) (bytes[0] & ~3 | value);
        return this;
    }

    public Ulpdu rdmapVersion(int value) {
        bytes[1] = (byte) (bytes[1] & 0x3F | value << 6);
        return this;
    }

    public Ulpdu opcode(int value) {
        bytes[1] = (byte) (bytes[1] & 0xF0 | value);
        return this;
    }

    public Ulpdu invalidate(int sTag) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(
                segment,
                0,
                UntaggedHeader.control(segment, 0),
                sTag,
                UntaggedHeader.queueNumber(segment, 0),
                UntaggedHeader.messageSequenceNumber(segment, 0),
                UntaggedHeader.messageOffset(segment, 0));
        return this;
    }

    /** Cut to a length, or filled up with zeros. */
    public Ulpdu length(int value) {
        bytes = Arrays.copyOf(bytes, value);
        return this;
    }

    public byte[] bytes() {
        return bytes.clone();
    }
}
