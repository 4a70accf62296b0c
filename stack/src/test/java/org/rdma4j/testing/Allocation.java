package org.rdma4j.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the current thread allocates on the heap, in bytes. */
public final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static long of(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
