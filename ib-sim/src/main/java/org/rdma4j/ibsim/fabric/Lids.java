package org.rdma4j.ibsim.fabric;

/** The ranges of local identifiers (IBTA volume 1, 4.1.3). */
public final class Lids {

    /** No port has it, or none yet. */
    public static final int NONE = 0;

    public static final int LAST_UNICAST = 0xBFFF;
    public static final int FIRST_MULTICAST = 0xC000;

    /** Whoever gets it takes it. */
    public static final int PERMISSIVE = 0xFFFF;

    private Lids() {}

    public static boolean isMulticast(int lid) {
        return lid >= FIRST_MULTICAST && lid != PERMISSIVE;
    }
}
