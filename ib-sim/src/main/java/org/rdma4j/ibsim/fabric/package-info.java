/** Links, virtual lanes, credits and switches of an InfiniBand subnet, and the packets that cross them. */
package org.rdma4j.ibsim.fabric;
