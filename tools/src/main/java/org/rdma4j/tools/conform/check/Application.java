package org.rdma4j.tools.conform.check;

/**
 * What the program does that uses the peer's connection manager: that of librdmacm's example ucmatose, or of udaddy.
 *
 * @param tool the program, with the options that say so; empty where no ordinary one does it
 * @param datagrams it wants datagrams, no connections
 * @param connections a server takes so many, and rejects the next. When all of them stand it sends its messages on each,
 *     waits for as many back, disconnects, and looks at no event meanwhile; a client echoes what it got
 * @param messages how many on each connection; 0: it disconnects at once
 * @param size bytes of each
 * @param backlog requests that may wait for it
 * @param ackTimeout the code that its queue pair's local ACK timeout has; 0: the system's choice
 */
public record Application(
        String tool, boolean datagrams, int connections, int messages, int size, int backlog, int ackTimeout) {

    private static final int PEER = -1; // nobody listens
    private static final int MANY = 1000;
    private static final int MESSAGES = 10;
    private static final int SIZE = 100;

    /** Takes connection after connection. */
    public static final Application SERVER = server(MANY, MESSAGES, SIZE);

    /** Asks for one. */
    public static final Application CLIENT = client(MESSAGES, SIZE, 0);

    /** Tells everyone who asks its queue pair of datagrams. */
    public static final Application DATAGRAM_SERVER =
            new Application("udaddy -c " + MANY, true, MANY, MESSAGES, SIZE, 0, 0);

    /** Asks for a queue pair of datagrams. */
    public static final Application DATAGRAM_CLIENT = new Application("udaddy", true, 1, MESSAGES, SIZE, 0, 0);

    public static Application server(int connections, int messages, int size) {
        String tool = "ucmatose -c " + connections + " -C " + messages + " -S " + size;
        return new Application(tool, false, connections, messages, size, 0, 0);
    }

    public static Application client(int messages, int size, int ackTimeout) {
        String tool = "ucmatose -C " + messages + " -S " + size + (ackTimeout == 0 ? "" : " -a " + ackTimeout);
        return new Application(tool, false, 1, messages, size, 0, ackTimeout);
    }

    /** The same with room for so many requests only, and it looks at none of them. */
    public Application idle(int requests) {
        return new Application("", datagrams, 0, messages, size, requests, ackTimeout);
    }

    /** It asks a service that may ask the same of it at the same time. */
    public Application asPeer() {
        return new Application("", datagrams, connections, messages, size, PEER, ackTimeout);
    }

    public boolean isPeer() {
        return backlog == PEER;
    }

    /** A server of datagrams that rejects who asks. */
    public Application refusing() {
        return new Application("", datagrams, -1, messages, size, backlog, ackTimeout);
    }
}
