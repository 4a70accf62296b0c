package org.rdma4j.wire;

/**
 * A management datagram that is none of connection management's.
 *
 * @param header its header
 * @param what what it is, as far as was looked
 */
public record OtherMad(MadHeader header, String what) implements ParsedMad {}
