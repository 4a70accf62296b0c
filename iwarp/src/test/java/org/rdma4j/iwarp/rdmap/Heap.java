package org.rdma4j.iwarp.rdmap;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What tests know of the heap, in bytes. */
final class Heap {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Heap() {}

    /** What this thread allocates by some work. */
    static long allocatedBy(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** What is in use, as far as several collections find. */
    static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int count = 0; count < 4; count++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
