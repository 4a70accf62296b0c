package org.rdma4j.wire;

import org.rdma4j.trace.Rule;

/**
 * Bytes that are meant to be RoCE, or a management datagram in it, and cannot be cut into headers.
 *
 * @param rule what they break
 * @param reason the same in one line, with the numbers found
 */
public record Malformed(Rule rule, String reason) implements ParsedFrame, ParsedPacket, ParsedMad {}
