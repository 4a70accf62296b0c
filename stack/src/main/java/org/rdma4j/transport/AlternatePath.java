package org.rdma4j.transport;

import org.rdma4j.link.Route;

/**
 * Another way to the peer.
 *
 * @param route the way
 * @param pKey the partition there
 * @param timeout the local ACK timeout there, 4.096 µs · 2^timeout; 0 means none
 */
public record AlternatePath(Route route, int pKey, int timeout) {}
