package org.rdma4j.tools.conform.iwarp;

import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.verbs.CompletionChannel;

/**
 * The built-in peer's own objects, for the oracles that look behind the wire.
 *
 * @param objects its queue pair and memory
 * @param life what its owner has heard of the connection
 * @param channel its completion queue's events
 */
public record IwarpInside(Inside objects, Life life, CompletionChannel channel) {}
