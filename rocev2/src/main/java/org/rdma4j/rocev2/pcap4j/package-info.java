/** Whole Ethernet frames through libpcap or Npcap, by Pcap4J: for macOS and Windows, and wherever else it is installed. */
package org.rdma4j.rocev2.pcap4j;
