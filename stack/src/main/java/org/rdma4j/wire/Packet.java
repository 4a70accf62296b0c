package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rdma4j.trace.Rule;

/**
 * A transport packet from BTH to pad as a value, for those who look at packets or make odd ones; the protocol's own path
 * reads and writes the headers in place. {@link #emit} gives back the bytes that were parsed, reserved bits and pad too.
 *
 * @param bth the base header
 * @param extensions the headers behind it, in their order
 * @param payload a view of the payload where it lies, without the pad
 * @param pad a view of the pad: as many bytes as the BTH's PadCnt says
 */
public record Packet(Bth bth, List<ExtensionHeader> extensions, MemorySegment payload, MemorySegment pad)
        implements ParsedPacket {

    public Packet {
        extensions = List.copyOf(extensions);
    }

    /** A packet with a pad of zeros, as many as the BTH says. */
    public static Packet of(Bth bth, List<ExtensionHeader> extensions, MemorySegment payload) {
        return new Packet(bth, extensions, payload, MemorySegment.ofArray(new byte[bth.padCount()]));
    }

    /**
     * Cuts a packet into its headers. A reserved opcode is known to have a BTH only: all behind it is payload.
     *
     * @param length bytes from BTH to pad, without the ICRC
     */
    public static ParsedPacket parse(MemorySegment segment, long offset, int length) {
        if (length < Bth.LENGTH) {
            return new Malformed(Rule.TOO_SHORT, length + " bytes are shorter than a BTH");
        }
        if (length % 4 != 0) {
            return new Malformed(Rule.LENGTH_NOT_WORDS, length + " bytes are no multiple of 4");
        }
        Bth bth = Bth.parse(segment, offset);
        int opcode = bth.opcode();
        int headers = Opcode.isReserved(opcode) ? Bth.LENGTH : Opcode.headerLength(opcode);
        if (length < headers + bth.padCount()) {
            return new Malformed(
                    Rule.TOO_SHORT,
                    length + " bytes are shorter than the " + headers + " bytes of headers and " + bth.padCount()
                            + " of pad of " + Opcode.name(opcode));
        }
        int payloadLength = length - headers - bth.padCount();
        return new Packet(
                bth,
                extensions(segment, offset, opcode),
                segment.asSlice(offset + headers, payloadLength),
                segment.asSlice(offset + headers + payloadLength, bth.padCount()));
    }

    private static List<ExtensionHeader> extensions(MemorySegment segment, long offset, int opcode) {
        List<ExtensionHeader> found = new ArrayList<>(3);
        if (Opcode.hasXrceth(opcode)) {
            found.add(Xrceth.parse(segment, offset + Opcode.xrcethOffset(opcode)));
        }
        if (Opcode.hasDeth(opcode)) {
            found.add(Deth.parse(segment, offset + Opcode.dethOffset(opcode)));
        }
        if (Opcode.hasFeth(opcode)) {
            found.add(Feth.parse(segment, offset + Opcode.fethOffset(opcode)));
        }
        if (Opcode.hasReth(opcode)) {
            found.add(Reth.parse(segment, offset + Opcode.rethOffset(opcode)));
        }
        if (Opcode.hasAtomicEth(opcode)) {
            found.add(AtomicEth.parse(segment, offset + Opcode.atomicEthOffset(opcode)));
        }
        if (Opcode.hasAeth(opcode)) {
            found.add(Aeth.parse(segment, offset + Opcode.aethOffset(opcode)));
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            found.add(AtomicAckEth.parse(segment, offset + Opcode.atomicAckEthOffset(opcode)));
        }
        if (Opcode.hasImm(opcode)) {
            found.add(ImmDt.parse(segment, offset + Opcode.immOffset(opcode)));
        }
        if (Opcode.hasIeth(opcode)) {
            found.add(Ieth.parse(segment, offset + Opcode.iethOffset(opcode)));
        }
        return found;
    }

    /** The extension header of a kind, where the packet has it. */
    public <T extends ExtensionHeader> Optional<T> extension(Class<T> kind) {
        return extensions.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** Bytes of BTH and extension headers. */
    public int headerLength() {
        return Bth.LENGTH
                + extensions.stream().mapToInt(ExtensionHeader::length).sum();
    }

    /** Bytes from BTH to pad. */
    public int length() {
        return headerLength() + (int) (payload.byteSize() + pad.byteSize());
    }

    /** Writes {@link #length()} bytes. */
    public void emit(MemorySegment segment, long offset) {
        bth.emit(segment, offset);
        long at = offset + Bth.LENGTH;
        for (ExtensionHeader extension : extensions) {
            extension.emit(segment, at);
            at += extension.length();
        }
        MemorySegment.copy(payload, 0, segment, at, payload.byteSize());
        MemorySegment.copy(pad, 0, segment, at + payload.byteSize(), pad.byteSize());
    }

    /** The bytes of the whole packet. */
    public byte[] toBytes() {
        byte[] bytes = new byte[length()];
        emit(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }
}
