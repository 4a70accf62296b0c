/** A subnet manager that works by packets: it finds the nodes, gives LIDs and routes, and is one of several. */
package org.rdma4j.ibsim.sm;
