package org.rdma4j.ibsim.mad;

/** A program at a node's port that sends and receives management datagrams: a subnet manager, a tool. */
public interface MadProgram {

    /** The queue pair that requests for it name; 0 or 1 for none but those for a subnet manager. */
    int qpn();

    /** True for a subnet manager: what its port gets and no agent answers is for it. */
    boolean isManager();

    /** A datagram for it: a request, or the answer to one of its own. */
    void received(Mad mad);

    /** One of its own went nowhere. */
    void undelivered(Mad mad);
}
