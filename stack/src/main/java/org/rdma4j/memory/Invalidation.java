package org.rdma4j.memory;

/** Who may invalidate which key: a work request of this side, or a SEND with Invalidate of the peer (10.6.5, 10.6.7.2.6). */
public final class Invalidation {

    private static final int REMOTE_RIGHTS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private Invalidation() {}

    /**
     * A LOCAL_INV work request.
     *
     * @param region what the key opens, or {@code null}
     * @return false where it may not: another domain's key or another queue pair's window, a window of type 1, a region
     *     that windows are bound to
     */
    public static boolean local(Region region, int pd, Object queuePair) {
        return region != null && mayEnd(region, pd, queuePair) && end(region);
    }

    /** A SEND with Invalidate; what it names must be open to the peer. */
    public static boolean remote(Region region, int pd, Object queuePair) {
        return region != null
                && region.isValid()
                && (region.access() & REMOTE_RIGHTS) != 0
                && mayEnd(region, pd, queuePair)
                && end(region);
    }

    private static boolean mayEnd(Region region, int pd, Object queuePair) {
        Window window = region.window();
        if (window != null && !window.isType2()) {
            return false;
        }
        boolean free = window != null && !window.isBound(); // invalidated already: it is nobody's
        return region.boundWindows() == 0 && (free || region.mayBeInvalidatedBy(pd, queuePair));
    }

    private static boolean end(Region region) {
        if (region.window() != null) {
            region.window().free();
        } else {
            region.invalidate();
        }
        return true;
    }
}
