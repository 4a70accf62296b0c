package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rdma4j.transport.Op;

/**
 * A send work request ({@code struct ibv_send_wr}): made once, filled anew for each post, copied by it.
 *
 * <pre>{@code
 * qp.postSend(wr.reset(WrOpcode.RDMA_WRITE).wrId(7).sge(mr, 0, 4096).remote(address, rKey).signaled());
 * }</pre>
 */
public final class SendWorkRequest {

    private WrOpcode opcode = WrOpcode.SEND;
    private long wrId;
    private int flags;
    private int immediate;
    private long remoteAddress;
    private int remoteKey;
    private int remoteSrq;
    private long swapOrAdd;
    private long compare;
    private int count;
    private long length;
    private long[] addresses = new long[1];
    private int[] lengths = new int[1];
    private int[] keys = new int[1];
    private AddressHandle ah;
    private MemorySegment inline;
    private long inlineOffset;
    private MemoryWindow window;
    private MemoryRegion region;

    /** Starts anew: no flags, no memory, no remote address. */
    public SendWorkRequest reset(WrOpcode operation) {
        opcode = operation;
        wrId = 0;
        flags = 0;
        immediate = 0;
        remoteAddress = 0;
        remoteKey = 0;
        remoteSrq = 0;
        swapOrAdd = 0;
        compare = 0;
        count = 0;
        length = 0;
        ah = null;
        inline = null;
        inlineOffset = 0;
        window = null;
        region = null;
        return this;
    }

    public SendWorkRequest wrId(long value) {
        wrId = value;
        return this;
    }

    /** Appends a piece of a registered region: {@code size} bytes from {@code offset} bytes behind its start. */
    public SendWorkRequest sge(MemoryRegion region, long offset, int size) {
        return sge(region.address() + offset, size, region.lKey());
    }

    /** Appends a piece of local memory by its address and L_Key. */
    public SendWorkRequest sge(long address, int size, int lKey) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
            keys = Arrays.copyOf(keys, count * 2);
        }
        addresses[count] = address;
        lengths[count] = size;
        keys[count] = lKey;
        length += Integer.toUnsignedLong(size);
        count++;
        return this;
    }

    /** The payload itself, from memory that need not be registered and may be reused as soon as it is posted. */
    public SendWorkRequest inlineData(MemorySegment source, long offset, int size) {
        inline = source;
        inlineOffset = offset;
        length = size;
        flags |= Op.INLINE;
        return this;
    }

    /** Where the peer's memory is: for WRITE, READ and atomics. */
    public SendWorkRequest remote(long address, int rKey) {
        remoteAddress = address;
        remoteKey = rKey;
        return this;
    }

    /**
     * Where a datagram goes.
     *
     * @param remoteQpn 24 bits
     * @param remoteQKey the peer's; with bit 31 set the queue pair's own is sent instead (10.2.5)
     */
    public SendWorkRequest ud(AddressHandle way, int remoteQpn, int remoteQKey) {
        ah = way;
        remoteAddress = remoteQpn;
        remoteKey = remoteQKey;
        return this;
    }

    /** XRC: the number of the peer's shared receive queue that this is for. */
    public SendWorkRequest remoteSrq(int srqn) {
        remoteSrq = srqn;
        return this;
    }

    /** Immediate data: sent as a big-endian number. */
    public SendWorkRequest immediate(int value) {
        immediate = value;
        return this;
    }

    /** The key that the peer (SEND_WITH_INV) or this device (LOCAL_INV) shall invalidate. */
    public SendWorkRequest invalidate(int key) {
        immediate = key;
        return this;
    }

    /** ATOMIC_CMP_AND_SWP: {@code swap} is written where the value there equals {@code expected}. */
    public SendWorkRequest compareSwap(long expected, long swap) {
        compare = expected;
        swapOrAdd = swap;
        return this;
    }

    /** ATOMIC_FETCH_AND_ADD. */
    public SendWorkRequest fetchAdd(long value) {
        swapOrAdd = value;
        return this;
    }

    /** BIND_MW: the window of type 2, and its R_Key from then on: any low byte, such as the next one. */
    public SendWorkRequest window(MemoryWindow mw, int rKey) {
        window = mw;
        remoteKey = rKey;
        return this;
    }

    /**
     * BIND_MW: what the window shall open: {@code size} bytes from {@code offset} bytes behind the start of a region that has
     * MW_BIND, and LOCAL_WRITE where the window lets the peer write.
     *
     * @param access REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC, and for type 2 ZERO_BASED
     */
    public SendWorkRequest bindTo(MemoryRegion mr, long offset, long size, int access) {
        remoteAddress = mr.address() + offset;
        swapOrAdd = size;
        compare = Integer.toUnsignedLong(mr.lKey()) | (long) access << 32;
        return this;
    }

    /**
     * REG_MR: opens the memory that was mapped to a region of {@link ProtectionDomain#allocateRegion}.
     *
     * @param key its keys from then on: any low byte, such as the next one
     * @param access bits of {@link org.rdma4j.memory.AccessFlags}
     */
    public SendWorkRequest register(MemoryRegion mr, int key, int access) {
        region = mr;
        remoteKey = key;
        compare = (long) access << 32;
        return this;
    }

    /** FLUSH: what shall be where. The bytes are {@code size} from where {@link #remote} points. */
    public SendWorkRequest flush(FlushType type, FlushLevel level, long size) {
        swapOrAdd = size;
        compare = (long) level.number() << Op.FLUSH_LEVEL_SHIFT | type.number();
        return this;
    }

    /** ATOMIC_WRITE: the eight bytes, as this machine's memory holds a long. */
    public SendWorkRequest atomicWrite(long value) {
        swapOrAdd = value;
        return this;
    }

    /** A completion shall come of it. */
    public SendWorkRequest signaled() {
        flags |= Op.SIGNALED;
        return this;
    }

    /** Not before all READs and atomics posted earlier are complete. */
    public SendWorkRequest fence() {
        flags |= Op.FENCE;
        return this;
    }

    /** The peer's completion shall be a solicited one. */
    public SendWorkRequest solicited() {
        flags |= Op.SOLICITED;
        return this;
    }

    /** The pieces' bytes shall be copied when posted, whatever their keys say about local rights. */
    public SendWorkRequest inline() {
        flags |= Op.INLINE;
        return this;
    }

    AddressHandle ah() {
        return ah;
    }

    WrOpcode opcode() {
        return opcode;
    }

    long wrId() {
        return wrId;
    }

    int flags() {
        return flags;
    }

    int immediate() {
        return immediate;
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int remoteKey() {
        return remoteKey;
    }

    int remoteSrq() {
        return remoteSrq;
    }

    long swapOrAdd() {
        return swapOrAdd;
    }

    long compare() {
        return compare;
    }

    int count() {
        return count;
    }

    long length() {
        return length;
    }

    long address(int piece) {
        return addresses[piece];
    }

    int length(int piece) {
        return lengths[piece];
    }

    int key(int piece) {
        return keys[piece];
    }

    MemorySegment inlineSource() {
        return inline;
    }

    long inlineOffset() {
        return inlineOffset;
    }

    MemoryWindow window() {
        return window;
    }

    MemoryRegion region() {
        return region;
    }

    /** The rights of BIND_MW and REG_MR. */
    int access() {
        return (int) (compare >>> 32);
    }

    boolean isInline() {
        return (flags & Op.INLINE) != 0;
    }
}
