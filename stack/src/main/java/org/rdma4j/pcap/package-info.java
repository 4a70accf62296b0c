/** Capture files, pcap and pcapng: read with every timestamp in nanoseconds, written with packet comments. */
package org.rdma4j.pcap;
