/**
 * Checks of iWARP: one end of a TCP connection is played by hand, byte by byte. The kind of peer, the scene with its
 * words, and the way such a check goes.
 */
package org.rdma4j.tools.conform.iwarp;
