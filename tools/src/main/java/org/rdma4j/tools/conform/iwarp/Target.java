package org.rdma4j.tools.conform.iwarp;

/**
 * Memory of the peer's that may be read and written.
 *
 * @param offset the tagged offset of its first byte
 * @param size bytes there
 */
public record Target(int sTag, long offset, int size) {}
