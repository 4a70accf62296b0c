/** Messages longer than a datagram: segments, acknowledgements and a window (IBTA volume 1, 13.6), without I/O. */
package org.rdma4j.ibsim.rmpp;
