package org.rdma4j.verbs;

/** Against whom a device's atomics are atomic ({@code ibv_atomic_cap}), with its numbers. */
public enum AtomicCapability {
    NONE,
    /** Against all that comes through this device. */
    HCA,
    /** Against the processor and other devices too. */
    GLOB;

    public int number() {
        return ordinal();
    }
}
