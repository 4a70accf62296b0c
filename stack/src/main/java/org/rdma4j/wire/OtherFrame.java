package org.rdma4j.wire;

/**
 * A frame that carries something else.
 *
 * @param what what it is, as far as was looked: {@code "ARP"}, {@code "IP protocol 6"}
 */
public record OtherFrame(String what) implements ParsedFrame {}
