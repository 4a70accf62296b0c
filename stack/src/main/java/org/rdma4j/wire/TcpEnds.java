package org.rdma4j.wire;

/**
 * One direction of a TCP connection, by its ends.
 *
 * @param from the sender, an IPv4 address in its mapped form
 * @param to the receiver
 */
public record TcpEnds(Gid from, int fromPort, Gid to, int toPort) {

    /** The other direction. */
    public TcpEnds back() {
        return new TcpEnds(to, toPort, from, fromPort);
    }
}
