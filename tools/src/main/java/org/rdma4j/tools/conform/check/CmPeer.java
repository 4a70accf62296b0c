package org.rdma4j.tools.conform.check;

/** A peer whose connection manager talks with the hand-played side's queue pair 1. */
public interface CmPeer extends Peer {

    /** The check's application listens. */
    CmEnds listen(Check check, Variant variant);

    /** The check's application asks a service of ours. */
    CmEnds connect(Check check, Variant variant);
}
