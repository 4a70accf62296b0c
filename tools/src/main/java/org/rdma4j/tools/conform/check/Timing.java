package org.rdma4j.tools.conform.check;

/**
 * How long to wait for this peer, in nanoseconds.
 *
 * @param answer an answer that should come has come by then
 * @param quiet what has not come by then does not come
 * @param margin timers may be so much late
 */
public record Timing(long answer, long quiet, long margin) {}
