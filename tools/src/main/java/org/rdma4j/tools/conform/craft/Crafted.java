package org.rdma4j.tools.conform.craft;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Reth;

/**
 * A packet to be sent, right unless it is told to be wrong: every method changes one thing and leaves the others. Pad,
 * ICRC and the peer's queue pair are filled in when it goes out.
 */
public final class Crafted {

    private static final int UNSAID = -1;

    private final int opcode;
    private final int psn;
    private final List<ExtensionHeader> headers = new ArrayList<>(2);
    private byte[] payload = {};
    private boolean ackReq;
    private boolean solicited;
    private boolean migReq = true;
    private boolean fecn;
    private boolean becn;
    private int reserved6;
    private int reserved7;
    private int version;
    private int pKey = 0xFFFF;
    private int destQp = UNSAID;
    private int pad = UNSAID;
    private byte padByte;
    private int cut;
    private int icrcXor;
    private int sourcePort;
    private int trafficClass;
    private Framing framing;
    private byte[] whole; // in place of all of the above

    /** A packet with a BTH and these headers behind it. */
    public Crafted(int opcode, int psn, ExtensionHeader... headers) {
        this.opcode = opcode;
        this.psn = psn;
        this.headers.addAll(List.of(headers));
    }

    /** A packet whose bytes from BTH to pad are known; only {@link #icrcXor} and {@link #sourcePort} change anything of it. */
    public static Crafted exactly(byte[] packet) {
        MemorySegment bytes = MemorySegment.ofArray(packet);
        Crafted crafted = new Crafted(Bth.opcode(bytes, 0), Bth.psn(bytes, 0));
        crafted.whole = packet;
        return crafted;
    }

    /** A datagram to the peer's queue pair 1. */
    public static Crafted mad(int psn, byte[] mad) {
        return new Crafted(Opcode.UD_SEND_ONLY, psn, new Deth(MadHeader.GSI_Q_KEY, MadHeader.GSI_QPN))
                .destQp(MadHeader.GSI_QPN)
                .payload(mad);
    }

    /** So many bytes that are known from the PSN; the RETH, where there is one, is left as it is. */
    public Crafted payload(int length) {
        return payload(Pattern.of(psn, length));
    }

    public Crafted payload(byte[] bytes) {
        payload = bytes;
        return this;
    }

    public byte[] bytes() {
        return payload;
    }

    public int psn() {
        return psn;
    }

    public int opcode() {
        return opcode;
    }

    public Crafted ackReq() {
        ackReq = true;
        return this;
    }

    public Crafted solicited() {
        solicited = true;
        return this;
    }

    public Crafted migReq(boolean value) {
        migReq = value;
        return this;
    }

    /** FECN and BECN. */
    public Crafted congestion() {
        fecn = true;
        becn = true;
        return this;
    }

    /** BECN alone, as a congestion notification has it. */
    public Crafted becn() {
        becn = true;
        return this;
    }

    /** The reserved bits of byte 4 (six) and byte 8 (seven), all set. */
    public Crafted reserved() {
        reserved6 = 0x3F;
        reserved7 = 0x7F;
        return this;
    }

    public Crafted version(int value) {
        version = value;
        return this;
    }

    public Crafted pKey(int value) {
        pKey = value;
        return this;
    }

    public Crafted destQp(int value) {
        destQp = value;
        return this;
    }

    /** A PadCnt that need not be true. */
    public Crafted pad(int count) {
        pad = count;
        return this;
    }

    public Crafted padOf(int value) {
        padByte = (byte) value;
        return this;
    }

    /** The last bytes do not go out; the ICRC is that of what does. */
    public Crafted cutBy(int bytes) {
        cut = bytes;
        return this;
    }

    /** An ICRC that differs from the right one in these bits. */
    public Crafted icrcXor(int bits) {
        icrcXor = bits;
        return this;
    }

    /** A UDP source port of its own. */
    public Crafted sourcePort(int port) {
        sourcePort = port;
        return this;
    }

    /** DSCP and ECN of its IP header. */
    public Crafted trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    public Crafted address(long address) {
        return reth(old -> new Reth(address, old.rKey(), old.dmaLength()))
                .atomic(old -> new AtomicEth(address, old.rKey(), old.swapOrAdd(), old.compare()));
    }

    /** So many bytes behind (or before) where it pointed. */
    public Crafted moved(long bytes) {
        return reth(old -> new Reth(old.virtualAddress() + bytes, old.rKey(), old.dmaLength()))
                .atomic(old -> new AtomicEth(old.virtualAddress() + bytes, old.rKey(), old.swapOrAdd(), old.compare()));
    }

    public Crafted rKey(int rKey) {
        return reth(old -> new Reth(old.virtualAddress(), rKey, old.dmaLength()))
                .atomic(old -> new AtomicEth(old.virtualAddress(), rKey, old.swapOrAdd(), old.compare()));
    }

    public Crafted dmaLength(long length) {
        return reth(old -> new Reth(old.virtualAddress(), old.rKey(), length));
    }

    public Crafted msn(int msn) {
        replace(Aeth.class, old -> new Aeth(old.syndrome(), msn));
        return this;
    }

    private Crafted reth(UnaryOperator<Reth> change) {
        replace(Reth.class, change);
        return this;
    }

    private Crafted atomic(UnaryOperator<AtomicEth> change) {
        replace(AtomicEth.class, change);
        return this;
    }

    private <T extends ExtensionHeader> void replace(Class<T> kind, UnaryOperator<T> change) {
        headers.replaceAll(header -> kind.isInstance(header) ? change.apply(kind.cast(header)) : header);
    }

    /** With an immediate. */
    public Crafted imm(int value) {
        headers.add(new ImmDt(value));
        return this;
    }

    /** With a key to be invalidated. */
    public Crafted invalidates(int rKey) {
        headers.add(new Ieth(rKey));
        return this;
    }

    /** With the value that an atomic found. */
    public Crafted original(long value) {
        headers.add(new AtomicAckEth(value));
        return this;
    }

    int icrcXor() {
        return icrcXor;
    }

    int sourcePort() {
        return sourcePort;
    }

    /** In a frame that no link would make. */
    public Crafted in(Framing value) {
        framing = value;
        return this;
    }

    Framing framing() {
        return framing;
    }

    int trafficClass() {
        return trafficClass;
    }

    /** From BTH to pad. */
    byte[] toBytes(int peerQpn) {
        if (whole != null) {
            return whole;
        }
        int missing = -payload.length & 3;
        byte[] padding = new byte[missing];
        Arrays.fill(padding, padByte);
        Bth bth = new Bth(
                opcode,
                solicited,
                migReq,
                pad == UNSAID ? missing : pad,
                version,
                pKey,
                fecn,
                becn,
                reserved6,
                destQp == UNSAID ? peerQpn : destQp,
                ackReq,
                reserved7,
                psn);
        byte[] whole =
                new Packet(bth, headers, MemorySegment.ofArray(payload), MemorySegment.ofArray(padding)).toBytes();
        return Arrays.copyOf(whole, whole.length - cut);
    }
}
