package org.rdma4j.ibsim.sm;

import org.rdma4j.ibsim.mad.Mad;

/** Who answers questions about the subnet, at the master's port. */
public interface Administration {

    /** The subnet is up, as it was found. */
    void subnetIsUp(FoundSubnet subnet);

    /** A datagram of the class of subnet administration. */
    void received(Mad mad);

    /** The manager is master no more. */
    void stop();
}
