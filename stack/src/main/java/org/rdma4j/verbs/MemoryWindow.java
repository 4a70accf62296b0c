package org.rdma4j.verbs;

import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Window;

/**
 * A memory window ({@code struct ibv_mw}): an R_Key for a part of a region, given by a work request and taken back by
 * another, without a registration. While it is bound, its region can neither be deregistered nor invalidated nor changed.
 */
public final class MemoryWindow implements AutoCloseable {

    private final ProtectionDomain pd;
    private final WindowType type;
    private final Window window;
    private volatile int rKey;
    private boolean closed;

    MemoryWindow(ProtectionDomain pd, WindowType type, Window window) {
        this.pd = pd;
        this.type = type;
        this.window = window;
        this.rKey = window.key();
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public WindowType type() {
        return type;
    }

    /** The R_Key of the binding that was posted last; before the first one a number that opens nothing. */
    public int rKey() {
        return rKey;
    }

    /** A key with its low byte one on ({@code ibv_inc_rkey}): what a next binding or registration takes. */
    public static int nextKey(int key) {
        return KeyTable.nextKey(key);
    }

    void posted(int key) {
        rKey = key;
    }

    boolean isClosed() {
        return closed;
    }

    /** Deallocates it, bound or not ({@code ibv_dealloc_mw}): after the return its R_Key opens nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pd.device().control(() -> pd.device().engine().keys().deallocate(window));
            pd.release();
        }
    }
}
