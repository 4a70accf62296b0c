package org.rdma4j.memory;

/** Rights of a memory region, and of a queue pair's peer; libibverbs' {@code ibv_access_flags} with its numbers. */
public final class AccessFlags {

    public static final int LOCAL_WRITE = 1;
    public static final int REMOTE_WRITE = 1 << 1;
    public static final int REMOTE_READ = 1 << 2;
    public static final int REMOTE_ATOMIC = 1 << 3;
    public static final int MW_BIND = 1 << 4;
    public static final int ZERO_BASED = 1 << 5;
    public static final int ON_DEMAND = 1 << 6;
    public static final int HUGETLB = 1 << 7;
    public static final int FLUSH_GLOBAL = 1 << 8;
    public static final int FLUSH_PERSISTENT = 1 << 9;
    public static final int RELAXED_ORDERING = 1 << 20;

    /** Flags from here to bit 29 are optional: a device that does not know one ignores it. */
    private static final int OPTIONAL_RANGE = 0x3FF0_0000;

    private static final int KNOWN = 0x3FF;

    private AccessFlags() {}

    /**
     * @return {@code null} where the flags may stand together, else the reason why not, naming the flag
     */
    public static String refusal(int flags) {
        int unknown = flags & ~(KNOWN | OPTIONAL_RANGE);
        if (unknown != 0) {
            return String.format("access flags 0x%x hold bits that do not exist: 0x%x", flags, unknown);
        }
        if ((flags & LOCAL_WRITE) == 0) {
            if ((flags & REMOTE_WRITE) != 0) {
                return "REMOTE_WRITE needs LOCAL_WRITE";
            }
            if ((flags & REMOTE_ATOMIC) != 0) {
                return "REMOTE_ATOMIC needs LOCAL_WRITE";
            }
        }
        return null;
    }
}
