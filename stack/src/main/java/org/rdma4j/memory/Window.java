package org.rdma4j.memory;

/**
 * A memory window (10.6.7): an R_Key of its own for a part of a region, given and taken back without a registration.
 * Type 1 belongs to its protection domain; type 2B, while bound, to one queue pair.
 */
public final class Window {

    /** A domain that nothing is in: a window is no L_Key, and an unbound one is nothing at all. */
    static final int NO_DOMAIN = -1;

    private static final int RIGHTS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC | AccessFlags.ZERO_BASED;
    private static final int WRITING = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private final boolean isType2;
    private final int pd;
    private final Region entry;
    private Region region; // what it is bound to; null while free

    Window(int key, boolean isType2, int pd) {
        this.isType2 = isType2;
        this.pd = pd;
        this.entry = Region.empty(key, this);
    }

    Region entry() {
        return entry;
    }

    /** The R_Key of the binding in force, or of the last one. */
    public int key() {
        return entry.key();
    }

    public boolean isType2() {
        return isType2;
    }

    public boolean isBound() {
        return region != null;
    }

    /**
     * Why these rights cannot be a window's.
     *
     * @return {@code null} where they can, else the reason, naming the flag
     */
    public static String rightsRefusal(boolean isType2, int access) {
        if ((access & ~RIGHTS) != 0) {
            return String.format("access flags 0x%x hold bits that a window does not have", access);
        }
        if (!isType2 && (access & AccessFlags.ZERO_BASED) != 0) {
            return "ZERO_BASED goes with windows of type 2"; // o10-36.2.2
        }
        return null;
    }

    /**
     * Binds it (10.6.7.2). Type 1 replaces what was bound before; of type 2 only a free one is bound.
     *
     * @param newKey the R_Key from now on; only its low byte may differ from that of before
     * @param target the region, or {@code null} where the L_Key named none
     * @param bytes 0 takes a type 1 window back
     * @param queuePair the one that binds it
     * @param queuePairPd its domain
     * @return false where a rule forbids it; nothing has changed then
     */
    public boolean bind(
            int newKey, Region target, long address, long bytes, int access, Object queuePair, int queuePairPd) {
        if (pd != queuePairPd || !KeyTable.haveSameIndex(newKey, key()) || rightsRefusal(isType2, access) != null) {
            return false;
        }
        if (!isType2 && bytes == 0) {
            free();
            entry.unbind(newKey);
            return true;
        }
        if (isType2 && (isBound() || bytes == 0) || target == null || !mayCover(target, address, bytes, access)) {
            return false;
        }
        free();
        region = target;
        target.windowBound();
        entry.bind(newKey, target, address, bytes, access, isType2 ? queuePair : null);
        return true;
    }

    /** A window grants no more than its region could: what writes needs the region's LOCAL_WRITE (10.6.7.2). */
    private boolean mayCover(Region target, long address, long bytes, int access) {
        int needed = AccessFlags.MW_BIND | ((access & WRITING) != 0 ? AccessFlags.LOCAL_WRITE : 0);
        return target.window() == null && target.permits(address, bytes, needed, pd);
    }

    /** Takes it back; the R_Key opens nothing until the next binding. */
    public void free() {
        if (region != null) {
            region.windowUnbound();
            region = null;
            entry.unbind(key());
        }
    }
}
