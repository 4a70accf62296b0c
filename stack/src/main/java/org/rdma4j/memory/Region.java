package org.rdma4j.memory;

/**
 * A registered span of memory as the protocol sees it: a key, a range of wire addresses, rights, a protection domain,
 * and the bytes. Read by the thread that drives the device; changed under the device's control lock.
 */
public final class Region {

    private final int key;
    private volatile View view;
    private volatile boolean valid = true;

    /** What re-registration may change, swapped as a whole so that no reader sees half of it. */
    private record View(MemoryBlock block, long iova, long length, int access, int pd) {}

    Region(int key, MemoryBlock block, long iova, int access, int pd) {
        this.key = key;
        this.view = new View(block, iova, block.size(), access, pd);
    }

    private Region() {
        this.key = 0;
    }

    /** Of no memory and for nobody: marks a place in the key table where one was. */
    static Region tombstone() {
        return new Region();
    }

    /** L_Key and R_Key in one: rights decide what each may do. */
    public int key() {
        return key;
    }

    /** The wire address of the first byte. */
    public long iova() {
        return view.iova;
    }

    public long length() {
        return view.length;
    }

    public int access() {
        return view.access;
    }

    /** The protection domain's number. */
    public int pd() {
        return view.pd;
    }

    public MemoryBlock block() {
        return view.block;
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
        view = new View(block, iova, block.size(), access, pd);
        valid = true;
    }

    /**
     * The one check before any byte is touched.
     *
     * @param neededAccess flags that must all be there; 0 for a local read, which is always allowed
     * @return true where {@code length} bytes from {@code address} lie inside, in this domain, with these rights
     */
    public boolean permits(long address, long length, int neededAccess, int pd) {
        View now = view;
        long offset = address - now.iova;
        return now.pd == pd
                && (now.access & neededAccess) == neededAccess
                && Long.compareUnsigned(offset, now.length) <= 0
                && Long.compareUnsigned(length, now.length - offset) <= 0
                && isValid();
    }

    /** The offset in {@link #block()} of a wire address that {@link #permits} let through. */
    public long offsetOf(long address) {
        return address - view.iova;
    }
}
