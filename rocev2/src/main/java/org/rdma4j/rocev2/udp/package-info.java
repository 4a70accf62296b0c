/** RoCE v2 over UDP sockets: making datagrams, judging them, and the sockets themselves. */
package org.rdma4j.rocev2.udp;
