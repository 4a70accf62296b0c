package org.rdma4j.tools.conform.check;

/** A device of rdma4j's own, built in. It does the first of what a check leaves open, each time. */
public interface OwnPeer extends Peer {

    @Override
    default String name() {
        return "rdma4j, built in";
    }

    /** On a busy machine threads may be late. */
    @Override
    default int tries() {
        return 3;
    }
}
