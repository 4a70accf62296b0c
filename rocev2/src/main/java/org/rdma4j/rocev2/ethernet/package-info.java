/**
 * RoCE v1 and v2 from Ethernet up, without I/O: frames become packets and packets frames, neighbours are found by ARP and
 * neighbor discovery. A {@link org.rdma4j.rocev2.ethernet.FrameIo} carries the frames.
 */
package org.rdma4j.rocev2.ethernet;
