package org.rdma4j.verbs;

import org.rdma4j.transport.CompletionRing;
import org.rdma4j.transport.Status;

/**
 * A completion ({@code struct ibv_wc}): made once by the application and filled by each poll. Where the status is not
 * SUCCESS only {@link #wrId()}, {@link #status()} and {@link #qpNum()} mean something.
 */
public final class WorkCompletion {

    private long wrId;
    private int status;
    private int opcode;
    private int flags;
    private int qpn;
    private int sourceQp;
    private int networkHeader;
    private long byteLength;
    private int immediate;
    private long timestamp;

    void take(CompletionRing ring) {
        wrId = ring.wrId();
        status = ring.status();
        opcode = ring.opcode();
        flags = ring.flags();
        qpn = ring.qpn();
        sourceQp = ring.sourceQp();
        networkHeader = ring.networkHeader();
        byteLength = Integer.toUnsignedLong(ring.byteCount());
        immediate = ring.immediate();
        timestamp = ring.hasTimestamps() ? ring.timestamp() : 0;
        ring.advance();
    }

    /** What the work request was given by its poster. */
    public long wrId() {
        return wrId;
    }

    public WcStatus status() {
        return WcStatus.of(status);
    }

    public boolean isSuccess() {
        return status == Status.SUCCESS;
    }

    public WcOpcode opcode() {
        return WcOpcode.of(opcode);
    }

    /** Bytes of the message, 0 to 2^31. */
    public long byteLength() {
        return byteLength;
    }

    public boolean hasImmediate() {
        return (flags & Status.WC_WITH_IMM) != 0;
    }

    /** The immediate data: the four bytes on the wire read as a big-endian number. */
    public int immediate() {
        return immediate;
    }

    /** True where the peer's SEND invalidated a key of ours. */
    public boolean hasInvalidatedKey() {
        return (flags & Status.WC_WITH_INV) != 0;
    }

    public int invalidatedKey() {
        return immediate;
    }

    /**
     * When it came, by {@link DeviceContext#rawClock} ({@code ibv_wc_read_completion_ts}); 0 from a queue without
     * timestamps. {@link DeviceContext#wallclock} makes a time of it.
     */
    public long timestamp() {
        return timestamp;
    }

    /** The local queue pair's number. */
    public int qpNum() {
        return qpn;
    }

    /** XRC: the number of the shared receive queue that a message was for. */
    public int srqNum() {
        return sourceQp;
    }

    /** The sender's queue pair, where the service tells (UD). */
    public int sourceQp() {
        return sourceQp;
    }

    /** True where the receive starts with 40 bytes of network header ({@code IBV_WC_GRH}); they count in the length. */
    public boolean hasGrh() {
        return (flags & Status.WC_GRH) != 0;
    }

    /** What stands in a datagram's first 40 bytes. */
    public NetworkHeader networkHeader() {
        return NetworkHeader.of(networkHeader);
    }

    /** The P_Key's index, of a datagram. */
    public int pkeyIndex() {
        return 0;
    }

    /** The sender's LID: 0, for Ethernet has none. */
    public int slid() {
        return 0;
    }

    /** The service level, of a datagram: 0, for it does not cross Ethernet. */
    public int sl() {
        return 0;
    }

    @Override
    public String toString() {
        return String.format(
                "completion wr_id=%d status=%s opcode=%s byte_len=%d qp=0x%06x",
                wrId, status(), opcode(), byteLength, qpn);
    }
}
