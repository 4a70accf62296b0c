package org.rdma4j.tools.conform.check;

/** A peer whose queue pairs speak RoCE v2 with lines of ours. */
public interface RocePeer extends Peer {

    /** A responder: a new queue pair of the peer's for a check, connected to a line of ours. */
    Connection accept(Check check, Variant variant);

    /** A requester: starts the check's work towards a line of ours. */
    Connection ask(Check check, Variant variant);
}
