package org.rdma4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.rdma4j.link.Route;
import org.rdma4j.memory.MemoryBlock;

/**
 * The work requests of a send queue, from posting to completion: a ring of longs that one thread posts to and the
 * driving thread works off. Requests are named by their sequence number, which never wraps. The ring is allocated with
 * the first request, so that idle queue pairs are cheap.
 */
public final class SendQueue {

    /** The length bits of a piece's second word; the L_Key is above them. */
    private static final long LENGTH_MASK = 0xFFFF_FFFFL;

    private static final int WR_ID = 0;
    private static final int CONTROL = 1; // op 0-7, flags 8-15, pieces 16-23, immediate or key to invalidate 32-63
    private static final int REMOTE_ADDRESS = 2; // or the datagram's QPN
    private static final int REMOTE_KEY = 3; // R_Key or Q_Key 0-31, message length 32-63
    private static final int SWAP_OR_ADD = 4;
    private static final int COMPARE = 5;
    private static final int PSN = 6; // first PSN 0-23, number of PSNs 32-63; the requester's
    private static final int PIECES = 7;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(SendQueue.class, "tail", long.class);
            HEAD = lookup.findVarHandle(SendQueue.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int capacity;
    private final int maxPieces;
    private final int maxInline;
    private final int stride;
    private final int mask;
    private long[] words; // made before the first tail is released, so that whoever acquires a tail sees it
    private MemoryBlock inline; // likewise
    private Route[] routes; // likewise; of datagrams
    private int[] srqs; // likewise; of XRC requests
    private long end; // one past the newest written request; the poster's own
    private long tail;
    private long head;

    /**
     * @param capacity requests that may be posted and not completed
     * @param maxPieces scatter/gather elements a request
     * @param maxInline bytes that a request may carry itself
     */
    public SendQueue(int capacity, int maxPieces, int maxInline) {
        this.capacity = capacity;
        this.maxPieces = maxPieces;
        this.maxInline = maxInline;
        this.stride = PIECES + 2 * Math.max(1, maxPieces);
        this.mask = (Integer.highestOneBit(Math.max(1, capacity - 1)) << 1) - 1;
    }

    public int capacity() {
        return capacity;
    }

    public int maxPieces() {
        return maxPieces;
    }

    public int maxInline() {
        return maxInline;
    }

    // The poster's side.

    /** True where no more request can be posted before one completes. */
    public boolean isFull() {
        return end - (long) HEAD.getAcquire(this) >= capacity;
    }

    /** Writes a request behind those that were kept. The caller has checked that the queue is not full. */
    public void write(
            long wrId,
            int op,
            int flags,
            int immediate,
            long remoteAddress,
            int remoteKey,
            long swapOrAdd,
            long compare) {
        long[] ring = words;
        if (ring == null) {
            ring = new long[(mask + 1) * stride];
            words = ring;
        }
        int base = base(end);
        ring[base + WR_ID] = wrId;
        ring[base + CONTROL] = op | flags << 8 | (long) immediate << 32;
        ring[base + REMOTE_ADDRESS] = remoteAddress;
        ring[base + REMOTE_KEY] = Integer.toUnsignedLong(remoteKey);
        ring[base + SWAP_OR_ADD] = swapOrAdd;
        ring[base + COMPARE] = compare;
    }

    /** Says where the datagram being written goes, before its pieces. */
    public void address(Route route) {
        Route[] ways = routes;
        if (ways == null) {
            ways = new Route[mask + 1];
            routes = ways;
        }
        ways[(int) (end & mask)] = route;
    }

    /** Says which shared receive queue of the peer's the XRC request being written is for. */
    public void remoteSrq(int srqn) {
        int[] numbers = srqs;
        if (numbers == null) {
            numbers = new int[mask + 1];
            srqs = numbers;
        }
        numbers[(int) (end & mask)] = srqn;
    }

    /** Appends a piece of local memory to the request being written. */
    public void addPiece(long address, int length, int localKey) {
        long[] ring = words;
        int base = base(end);
        int pieces = (int) (ring[base + CONTROL] >>> 16) & 0xFF;
        ring[base + PIECES + 2 * pieces] = address;
        ring[base + PIECES + 2 * pieces + 1] = Integer.toUnsignedLong(length) | (long) localKey << 32;
        ring[base + CONTROL] += 1L << 16;
        ring[base + REMOTE_KEY] += (long) length << 32;
    }

    /** Copies payload into the request being written; its memory may be reused at once. */
    public void addInline(MemorySegment source, long offset, int length) {
        long at = inlineRoom(length);
        inline.copyFrom(at, source, offset, length);
    }

    /** The same out of registered memory. */
    public void addInline(MemoryBlock source, long offset, int length) {
        long at = inlineRoom(length);
        source.copyTo(offset, inline.segment(), at, length);
    }

    /** Takes room for more inline bytes of the request that is being written. @return where it starts */
    private long inlineRoom(int length) {
        if (inline == null) {
            inline = MemoryBlock.of(Arena.ofAuto().allocate((long) (mask + 1) * maxInline, 64));
        }
        long[] ring = words;
        int base = base(end);
        int before = (int) (ring[base + REMOTE_KEY] >>> 32);
        ring[base + REMOTE_KEY] += (long) length << 32;
        return inlineOffset(end) + before;
    }

    /** Keeps the written request: the next one is written behind it, and it is posted with the next {@link #publish}. */
    public void keep() {
        end++;
    }

    /** Posts what was kept, all at once. */
    public void publish() {
        TAIL.setRelease(this, end);
    }

    /** Forgets what was kept and not posted. */
    public void forget() {
        end = tail;
    }

    // The driving thread's side.

    /** One past the newest posted request. */
    public long tail() {
        return (long) TAIL.getAcquire(this);
    }

    /** The oldest request that is not complete. */
    public long head() {
        return head;
    }

    /** Ends the oldest request; its slot can be posted to again. */
    public void release() {
        HEAD.setRelease(this, head + 1);
    }

    public long wrId(long request) {
        return words[base(request) + WR_ID];
    }

    public int op(long request) {
        return (int) words[base(request) + CONTROL] & 0xFF;
    }

    public int flags(long request) {
        return (int) (words[base(request) + CONTROL] >>> 8) & 0xFF;
    }

    public int pieces(long request) {
        return (int) (words[base(request) + CONTROL] >>> 16) & 0xFF;
    }

    /** Immediate data, or the key that the peer or we shall invalidate. */
    public int immediate(long request) {
        return (int) (words[base(request) + CONTROL] >>> 32);
    }

    public long remoteAddress(long request) {
        return words[base(request) + REMOTE_ADDRESS];
    }

    public int remoteKey(long request) {
        return (int) words[base(request) + REMOTE_KEY];
    }

    int remoteSrq(long request) {
        return srqs[(int) (request & mask)];
    }

    /** The way of a datagram. */
    Route route(long request) {
        return routes[(int) (request & mask)];
    }

    int remoteQpn(long request) {
        return (int) remoteAddress(request);
    }

    int remoteQKey(long request) {
        return remoteKey(request);
    }

    /** Bytes of the message: 0 to 2^31. */
    public long length(long request) {
        return words[base(request) + REMOTE_KEY] >>> 32;
    }

    public long swapOrAdd(long request) {
        return words[base(request) + SWAP_OR_ADD];
    }

    public long compare(long request) {
        return words[base(request) + COMPARE];
    }

    void number(long request, int firstPsn, int psnCount) {
        int base = base(request);
        words[base + PSN] = firstPsn | (long) psnCount << 32;
    }

    int firstPsn(long request) {
        return (int) words[base(request) + PSN];
    }

    int psnCount(long request) {
        return (int) (words[base(request) + PSN] >>> 32);
    }

    public long pieceAddress(long request, int piece) {
        return words[base(request) + PIECES + 2 * piece];
    }

    public long pieceLength(long request, int piece) {
        return words[base(request) + PIECES + 2 * piece + 1] & LENGTH_MASK;
    }

    public int pieceKey(long request, int piece) {
        return (int) (words[base(request) + PIECES + 2 * piece + 1] >>> 32);
    }

    public boolean isInline(long request) {
        return (flags(request) & Op.INLINE) != 0;
    }

    public MemoryBlock inlineBlock() {
        return inline;
    }

    public long inlineOffset(long request) {
        return (request & mask) * maxInline;
    }

    private int base(long request) {
        return (int) (request & mask) * stride;
    }
}
