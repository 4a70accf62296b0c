package org.rdma4j.wire;

/** What the bytes of a management datagram turned out to be. */
public sealed interface ParsedMad permits CmMad, OtherMad, Malformed {}
