package org.rdma4j.wire;

/** What the bytes from BTH to pad turned out to be. */
public sealed interface ParsedPacket permits Packet, Malformed {}
