/** The door for programs that speak ibsim's protocol: OpenSM and the InfiniBand diagnostics, unchanged. */
package org.rdma4j.ibsim.door;
