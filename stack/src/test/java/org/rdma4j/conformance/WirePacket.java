package org.rdma4j.conformance;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedPacket;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Xrceth;

/**
 * A packet of a story: one that the peer sends, or one that it expects. What is not said has its usual value when sent
 * and any value when expected.
 */
final class WirePacket {

    private final int opcode;
    private final int psn;
    private Boolean ackReq;
    private Boolean solicited;
    private Boolean migReq;
    private Integer pad;
    private Integer version;
    private Integer pKey;
    private Integer destQp;
    private int reserved6;
    private int reserved7;
    private boolean fecn;
    private boolean becn;
    private Deth deth;
    private Feth feth;
    private Xrceth xrceth;
    private Reth reth;
    private AtomicEth atomic;
    private Integer syndrome;
    private Integer msn;
    private Long original;
    private Integer immediate;
    private Integer invalidated;
    private byte[] payload;
    private byte[] payloadAndPad;
    private byte padByte;
    private int cut;

    WirePacket(int opcode, int psn) {
        this.opcode = opcode;
        this.psn = psn & 0xFF_FFFF;
    }

    WirePacket ackReq() {
        return ackReq(true);
    }

    WirePacket ackReq(boolean value) {
        ackReq = value;
        return this;
    }

    WirePacket solicited() {
        return solicited(true);
    }

    WirePacket solicited(boolean value) {
        solicited = value;
        return this;
    }

    WirePacket migReq(boolean value) {
        migReq = value;
        return this;
    }

    WirePacket pad(int count) {
        pad = count;
        return this;
    }

    /** What the pad bytes hold when sent. */
    WirePacket padOf(int value) {
        padByte = (byte) value;
        return this;
    }

    WirePacket version(int value) {
        version = value;
        return this;
    }

    WirePacket pKey(int value) {
        pKey = value;
        return this;
    }

    WirePacket destQp(int value) {
        destQp = value;
        return this;
    }

    WirePacket reserved(int six, int seven) {
        reserved6 = six;
        reserved7 = seven;
        return this;
    }

    WirePacket congestion(boolean forward, boolean backward) {
        fecn = forward;
        becn = backward;
        return this;
    }

    /** Which shared receive queue an XRC request is for. */
    WirePacket srq(int number) {
        xrceth = new Xrceth(number);
        return this;
    }

    /** What a FLUSH wants. */
    WirePacket feth(int selectivity, int placement) {
        feth = new Feth(selectivity, placement);
        return this;
    }

    WirePacket deth(int qKey, int sourceQp) {
        deth = new Deth(qKey, sourceQp);
        return this;
    }

    /** The RETH. */
    WirePacket reth(long address, int rKey, long dmaLength) {
        reth = new Reth(address, rKey, dmaLength);
        return this;
    }

    /** The RETH of an access to a region, from an offset on. */
    WirePacket at(MemoryRegion region, long offset, long dmaLength) {
        return reth(region.address() + offset, region.rKey(), dmaLength);
    }

    WirePacket atomic(long address, int rKey, long swapOrAdd, long compare) {
        atomic = new AtomicEth(address, rKey, swapOrAdd, compare);
        return this;
    }

    WirePacket syndrome(int value) {
        syndrome = value;
        return this;
    }

    WirePacket msn(int value) {
        msn = value;
        return this;
    }

    WirePacket original(long value) {
        original = value;
        return this;
    }

    WirePacket imm(int value) {
        immediate = value;
        return this;
    }

    WirePacket invalidates(int rKey) {
        invalidated = rKey;
        return this;
    }

    WirePacket payload(byte... bytes) {
        payload = bytes;
        return this;
    }

    /** So many bytes, known from the PSN; compared when expected. */
    WirePacket payload(int length) {
        payload = HandPlayedLink.bytes(psn, length);
        return this;
    }

    /** The payload and the pad behind it, compared together. */
    WirePacket withPad(byte... bytes) {
        payloadAndPad = bytes;
        return this;
    }

    /** The last bytes do not arrive. */
    WirePacket cutBy(int bytes) {
        cut = bytes;
        return this;
    }

    byte[] bytes() {
        return payload;
    }

    /** The bytes on the wire, from BTH to pad. */
    byte[] toBytes(int peerOfQpn) {
        byte[] body = payload == null ? new byte[0] : payload;
        int padCount = pad == null ? -body.length & 3 : pad;
        Bth bth = new Bth(
                opcode,
                isTrue(solicited),
                migReq == null || migReq,
                padCount,
                version == null ? 0 : version,
                pKey == null ? 0xFFFF : pKey,
                fecn,
                becn,
                reserved6,
                destQp == null ? peerOfQpn : destQp,
                isTrue(ackReq),
                reserved7,
                psn);
        byte[] padding = new byte[-body.length & 3];
        Arrays.fill(padding, padByte);
        Packet packet = new Packet(bth, headers(), MemorySegment.ofArray(body), MemorySegment.ofArray(padding));
        byte[] bytes = packet.toBytes();
        return Arrays.copyOf(bytes, bytes.length - cut);
    }

    private static boolean isTrue(Boolean flag) {
        return flag != null && flag;
    }

    private List<ExtensionHeader> headers() {
        List<ExtensionHeader> headers = new ArrayList<>();
        if (Opcode.hasDeth(opcode)) {
            headers.add(deth == null ? new Deth(0, 0) : deth);
        }
        if (Opcode.hasXrceth(opcode)) {
            headers.add(xrceth == null ? new Xrceth(0) : xrceth);
        }
        if (Opcode.hasFeth(opcode)) {
            headers.add(feth == null ? new Feth(Feth.RANGE, Feth.GLOBAL_VISIBILITY) : feth);
        }
        if (Opcode.hasReth(opcode)) {
            headers.add(reth == null ? new Reth(0, 0, 0) : reth);
        }
        if (Opcode.hasAtomicEth(opcode)) {
            headers.add(atomic == null ? new AtomicEth(0, 0, 0, 0) : atomic);
        }
        if (Opcode.hasAeth(opcode)) {
            headers.add(new Aeth(syndrome == null ? 0x1F : syndrome, msn == null ? 0 : msn));
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            headers.add(new AtomicAckEth(original == null ? 0 : original));
        }
        if (Opcode.hasImm(opcode)) {
            headers.add(new ImmDt(immediate == null ? 0 : immediate));
        }
        if (Opcode.hasIeth(opcode)) {
            headers.add(new Ieth(invalidated == null ? 0 : invalidated));
        }
        return headers;
    }

    /** @return what of {@code seen} is not as it is said here, or {@code null} where all is */
    String mismatch(ParsedPacket seen) {
        if (!(seen instanceof Packet packet)) {
            return "malformed";
        }
        Bth bth = packet.bth();
        List<String> wrong = new ArrayList<>();
        compare(wrong, "opcode", Opcode.name(opcode), Opcode.name(bth.opcode()));
        compare(wrong, "PSN", psn, bth.psn());
        compare(wrong, "AckReq", ackReq, bth.ackReq());
        compare(wrong, "SE", solicited, bth.solicited());
        compare(wrong, "MigReq", migReq, bth.migReq());
        compare(wrong, "PadCnt", pad, bth.padCount());
        compare(wrong, "TVer", version, bth.transportVersion());
        compare(wrong, "P_Key", pKey, bth.pKey());
        compare(wrong, "DestQP", destQp, bth.destQp());
        compare(wrong, "DETH", deth, packet.extension(Deth.class).orElse(null));
        compare(wrong, "XRCETH", xrceth, packet.extension(Xrceth.class).orElse(null));
        compare(wrong, "FETH", feth, packet.extension(Feth.class).orElse(null));
        compare(wrong, "RETH", reth, packet.extension(Reth.class).orElse(null));
        compare(wrong, "AtomicETH", atomic, packet.extension(AtomicEth.class).orElse(null));
        Aeth aeth = packet.extension(Aeth.class).orElse(new Aeth(-1, -1));
        compare(wrong, "syndrome", syndrome, aeth.syndrome());
        compare(wrong, "MSN", msn, aeth.msn());
        compare(
                wrong,
                "original value",
                original,
                packet.extension(AtomicAckEth.class).map(AtomicAckEth::original).orElse(null));
        compare(
                wrong,
                "immediate",
                immediate,
                packet.extension(ImmDt.class).map(ImmDt::data).orElse(null));
        compare(
                wrong,
                "invalidated key",
                invalidated,
                packet.extension(Ieth.class).map(Ieth::rKey).orElse(null));
        byte[] body = packet.payload().toArray(ValueLayout.JAVA_BYTE);
        if (payload != null && !Arrays.equals(payload, body)) {
            wrong.add("payload: expected " + payload.length + " bytes, got " + body.length + ", first difference at "
                    + Arrays.mismatch(payload, body));
        }
        if (payloadAndPad != null) {
            byte[] all = packet.toBytes();
            byte[] end = Arrays.copyOfRange(all, all.length - payloadAndPad.length, all.length);
            if (!Arrays.equals(payloadAndPad, end)) {
                wrong.add("payload and pad: first difference at " + Arrays.mismatch(payloadAndPad, end));
            }
        }
        return wrong.isEmpty() ? null : String.join("; ", wrong);
    }

    private static void compare(List<String> wrong, String what, Object expected, Object seen) {
        if (expected != null && !Objects.equals(expected, seen)) {
            wrong.add(what + ": expected " + expected + ", got " + seen);
        }
    }

    static ParsedPacket parse(byte[] bytes) {
        return Packet.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    @Override
    public String toString() {
        return Ladder.describe(parse(toBytes(0)));
    }
}
