package org.rdma4j.memory;

/**
 * What a key opens, as the protocol sees it: a range of wire addresses, rights, a protection domain, and the bytes. It is
 * a memory region's, or a {@link Window}'s while that is bound. Read by the thread that drives the device; changed by it
 * or under the device's control lock.
 */
public final class Region {

    private static final View NOTHING = new View(null, 0, 0, 0, 0, Window.NO_DOMAIN, Window.NO_DOMAIN, null);

    private int key;
    private volatile View view;
    private volatile boolean valid;
    private final Window window; // whose entry this is; null for a memory region
    private int boundWindows;
    private MemoryBlock mapped; // what a fast registration will open; null where it is not for that
    private long mappedIova;
    private boolean fast;

    /**
     * What a change swaps as a whole, so that no reader sees half of it.
     *
     * @param start the first wire address
     * @param base the wire address that the block's first byte has, or would have
     * @param localPd the domain in which it is an L_Key; none for a window
     * @param remotePd the domain in which it is an R_Key
     * @param owner the only queue pair that may use it as an R_Key; {@code null} for all of the domain
     */
    private record View(
            MemoryBlock block,
            long start,
            long length,
            long base,
            int access,
            int localPd,
            int remotePd,
            Object owner) {

        static View of(MemoryBlock block, long iova, int access, int pd) {
            return new View(block, iova, block.size(), iova, access, pd, pd, null);
        }
    }

    Region(int key, MemoryBlock block, long iova, int access, int pd) {
        this.key = key;
        this.view = View.of(block, iova, access, pd);
        this.valid = true;
        this.window = null;
    }

    private Region(int key, Window window) {
        this.key = key;
        this.view = NOTHING;
        this.window = window;
    }

    /** Of no memory and for nobody: marks a place in the key table where one was. */
    static Region tombstone() {
        return new Region(0, null);
    }

    /** Of no memory yet: for a window to be bound, or a region to be registered by a work request. */
    static Region empty(int key, Window window) {
        return new Region(key, window);
    }

    /** All addresses, for this side's work requests alone. */
    static Region ofNothing(int key, int pd) {
        Region region = new Region(key, (Window) null);
        MemoryBlock block = new NullBlock();
        region.view = new View(block, 0, block.size(), 0, AccessFlags.LOCAL_WRITE, pd, Window.NO_DOMAIN, null);
        region.valid = true;
        return region;
    }

    /** Makes an empty one a region that work requests register. */
    Region forFastRegistration(int pd) {
        fast = true;
        view = new View(null, 0, 0, 0, 0, pd, pd, null);
        return this;
    }

    /** L_Key and R_Key in one: rights decide what each may do. A window's is an R_Key only. */
    public int key() {
        return key;
    }

    /** The wire address of the first byte. */
    public long iova() {
        return view.start;
    }

    public long length() {
        return view.length;
    }

    public int access() {
        return view.access;
    }

    /** The protection domain's number. */
    public int pd() {
        View now = view;
        return now.localPd != Window.NO_DOMAIN ? now.localPd : now.remotePd;
    }

    public MemoryBlock block() {
        return view.block;
    }

    /** The window whose entry this is, or {@code null} for a memory region. */
    public Window window() {
        return window;
    }

    /** Windows that are bound to this region: while there are any it stays as it is. */
    public int boundWindows() {
        return boundWindows;
    }

    void windowBound() {
        boundWindows++;
    }

    void windowUnbound() {
        boundWindows--;
    }

    /** False after deregistration or invalidation, or once the memory's arena is closed. */
    public boolean isValid() {
        return valid && view.block.isAlive();
    }

    /** Ends the region's use by anyone; the key stays taken until deregistration. */
    public void invalidate() {
        valid = false;
    }

    /** Re-registration ({@code ibv_rereg_mr}): new rights, domain, memory or address under the same key. */
    public void replace(MemoryBlock block, long iova, int access, int pd) {
        view = View.of(block, iova, access, pd);
        valid = true;
    }

    /** A window's entry is bound to a part of a region, with a new key of the same index. */
    void bind(int newKey, Region region, long address, long bytes, int access, Object owner) {
        View target = region.view;
        boolean zeroBased = (access & AccessFlags.ZERO_BASED) != 0;
        long base = zeroBased ? target.base - address : target.base;
        long start = zeroBased ? 0 : address;
        key = newKey;
        view = new View(target.block, start, bytes, base, access, Window.NO_DOMAIN, target.remotePd, owner);
        valid = true;
    }

    /** A window's entry opens nothing any more. */
    void unbind(int newKey) {
        key = newKey;
        valid = false;
        view = NOTHING;
    }

    // Fast registration.

    /** Says what memory a registration by work request will open ({@code ib_map_mr_sg}). */
    public void map(MemoryBlock block, long iova) {
        mapped = block;
        mappedIova = iova;
    }

    /**
     * Opens the mapped memory under a new key of the same index ({@code IB_WR_REG_MR}).
     *
     * @return false where this region is not for that, is registered already, has no memory mapped or none that can give
     *     these rights, or is of another domain
     */
    public boolean registerMapped(int newKey, int access, int pd) {
        if (!fast || valid || mapped == null || view.remotePd != pd) {
            return false;
        }
        if ((access & AccessFlags.FLUSH_PERSISTENT) != 0 && !mapped.isPersistent()) {
            return false;
        }
        key = newKey;
        replace(mapped, (access & AccessFlags.ZERO_BASED) != 0 ? 0 : mappedIova, access, pd);
        return true;
    }

    // Access.

    /**
     * The one check before any byte is touched for a work request of this side.
     *
     * @param neededAccess flags that must all be there; 0 for a local read, which is always allowed
     * @return true where {@code length} bytes from {@code address} lie inside, in this domain, with these rights
     */
    public boolean permits(long address, long length, int neededAccess, int pd) {
        View now = view;
        return now.localPd == pd && isInside(now, address, length, neededAccess);
    }

    /**
     * The one check before any byte is touched for the peer.
     *
     * @param owner the queue pair that the request came to: a type 2B window opens nothing to another (10.6.7.2.2)
     */
    public boolean permitsRemote(long address, long length, int neededAccess, int pd, Object owner) {
        View now = view;
        return now.remotePd == pd
                && (now.owner == null || now.owner == owner)
                && isInside(now, address, length, neededAccess);
    }

    private boolean isInside(View now, long address, long length, int neededAccess) {
        long offset = address - now.start;
        return (now.access & neededAccess) == neededAccess
                && Long.compareUnsigned(offset, now.length) <= 0
                && Long.compareUnsigned(length, now.length - offset) <= 0
                && valid
                && now.block.isAlive();
    }

    /** True where a queue pair may name this key for invalidation: a window's own one, any of its domain otherwise. */
    boolean mayBeInvalidatedBy(int pd, Object owner) {
        View now = view;
        return now.remotePd == pd && (now.owner == null || now.owner == owner);
    }

    /** The offset in {@link #block()} of a wire address that was let through. */
    public long offsetOf(long address) {
        return address - view.base;
    }
}
