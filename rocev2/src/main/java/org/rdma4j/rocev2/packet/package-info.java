/** Whole Ethernet frames by Linux's packet sockets: AF_PACKET with rings that process and kernel share (packet(7)). */
package org.rdma4j.rocev2.packet;
