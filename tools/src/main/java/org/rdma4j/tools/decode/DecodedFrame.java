package org.rdma4j.tools.decode;

import java.util.List;
import org.rdma4j.analysis.Finding;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/** A captured frame that is RoCE, or says that it is, or that something was found in. */
public final class DecodedFrame {

    private final long number;
    private final long sinceFirst;
    private final CapturedPacket captured;
    private final RoceFrame frame;
    private final IcrcVerdict icrc;
    private final Malformed malformed;
    private final PacketPlace place;
    private final List<Finding> findings;
    private Packet packet;

    DecodedFrame(
            long number,
            long sinceFirst,
            CapturedPacket captured,
            RoceFrame frame,
            IcrcVerdict icrc,
            Malformed malformed,
            PacketPlace place,
            List<Finding> findings) {
        this.number = number;
        this.sinceFirst = sinceFirst;
        this.captured = captured;
        this.frame = frame;
        this.icrc = icrc;
        this.malformed = malformed;
        this.place = place;
        this.findings = findings;
    }

    /** Its place in the file, 1 for the first frame. */
    long number() {
        return number;
    }

    /** Nanoseconds since the file's first frame. */
    long sinceFirst() {
        return sinceFirst;
    }

    /** What the file holds. */
    CapturedPacket captured() {
        return captured;
    }

    /** Where its parts lie; {@code null} where it breaks off before its BTH. */
    public RoceFrame frame() {
        return frame;
    }

    /** What its ICRC says; {@code null} without frame. */
    public IcrcVerdict icrc() {
        return icrc;
    }

    /** Why its headers cannot be told; {@code null} where they can. */
    Malformed malformed() {
        return malformed;
    }

    /** Where it stands in its conversation. */
    public PacketPlace place() {
        return place;
    }

    /** What there is to say about it. Valid until the next frame. */
    List<Finding> findings() {
        return findings;
    }

    int opcode() {
        return frame.opcode();
    }

    /** Bytes of payload, only where the headers can be told. */
    int payloadLength() {
        return frame.payloadLength();
    }

    /** Its headers as values; {@code null} where they cannot be told. Made when first asked for: whoever only counts does not. */
    public Packet packet() {
        if (packet == null && frame != null && malformed == null && frame.packet() instanceof Packet parsed) {
            packet = parsed;
        }
        return packet;
    }
}
