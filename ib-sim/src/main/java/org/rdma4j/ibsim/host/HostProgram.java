package org.rdma4j.ibsim.host;

/** What a host's application does: polls its queues and posts more. */
public interface HostProgram {

    /** True where it would find something: otherwise it is not run. */
    boolean isDue();

    /** A turn of it. */
    void run();
}
