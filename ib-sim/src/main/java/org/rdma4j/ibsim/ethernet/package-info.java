/** Ethernet switches, cables and RoCE v2 hosts in virtual time: queues, ECN marks and priority flow control. */
package org.rdma4j.ibsim.ethernet;
