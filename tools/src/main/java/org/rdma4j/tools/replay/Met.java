package org.rdma4j.tools.replay;

import org.rdma4j.wire.Gid;

/**
 * What is true of a connection to a live peer, in the place of what the capture says.
 *
 * @param gid the peer
 * @param qpn its queue pair
 * @param psn the first one that it sends
 * @param ownPsn the first one that the acted side sends
 * @param rKey of its memory
 * @param address where that begins
 */
record Met(Gid gid, int qpn, int psn, int ownPsn, int rKey, long address) {}
