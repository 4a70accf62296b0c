package org.rdma4j.wire;

import java.util.stream.IntStream;

/**
 * A frame that carries something else.
 *
 * @param what what it is, as far as was looked: {@code "ARP"}, {@code "IP protocol 6"}
 */
public record OtherFrame(String what) implements ParsedFrame {

    private static final OtherFrame[] BY_PROTOCOL = IntStream.range(0, 256)
            .mapToObj(protocol -> new OtherFrame("IP protocol " + protocol))
            .toArray(OtherFrame[]::new);

    /** A packet of IP that is not UDP. */
    public static OtherFrame ofProtocol(int protocol) {
        return BY_PROTOCOL[protocol];
    }
}
