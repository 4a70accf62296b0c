package org.rdma4j.tools.perf;

/**
 * Where the messages of a queue pair lie in its area: small ones one behind the other, each on a cache line of its own,
 * and round again; large ones all at the start.
 */
final class Cycle {

    private final int step;
    private final int slots;

    Cycle(int size, Dialogue.Terms terms) {
        step = (size + terms.cacheLine() - 1) / terms.cacheLine() * terms.cacheLine();
        slots = size <= terms.cycleBuffer() / 2 ? terms.cycleBuffer() / step : 1;
    }

    /** Bytes from the area's start to message {@code number}. */
    long offset(long number) {
        return number % slots * step;
    }
}
