/** Whole Ethernet frames as UDP datagrams, the way QEMU's {@code -netdev dgram} carries them. */
package org.rdma4j.rocev2.qemu;
