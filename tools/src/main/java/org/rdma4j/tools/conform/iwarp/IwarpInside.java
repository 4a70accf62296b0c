package org.rdma4j.tools.conform.iwarp;

import org.rdma4j.tools.conform.check.Inside;

/**
 * The built-in peer's own objects, for the oracles that look behind the wire.
 *
 * @param objects its queue pair and memory
 * @param life what its owner has heard of the connection
 */
public record IwarpInside(Inside objects, Life life) {}
