/** Peers of rdma-core's {@code ibv_*_pingpong}. */
package org.rdma4j.tools.pingpong;
