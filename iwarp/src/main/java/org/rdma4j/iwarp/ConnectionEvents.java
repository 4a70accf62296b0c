package org.rdma4j.iwarp;

/**
 * Hears what becomes of connections. Each one gets {@link #established}, {@link #rejected} or {@link #failed}, and after
 * {@link #established} one {@link #ended}. An event may call the connection's methods.
 */
public interface ConnectionEvents {

    /** A peer asks for a connection: its private data, IRD and ORD are there. It is to be accepted or rejected. */
    default void requested(IwarpConnection connection) {}

    /** It is there: the queue pair is in RTS, or already in ERR where {@link #ended} follows at once. */
    void established(IwarpConnection connection);

    /** The peer has said no; {@link IwarpConnection#privateData} has what it said besides. */
    void rejected(IwarpConnection connection);

    /** It did not come about. The queue pair is idle as before. A request that ends before it was told of gives no event. */
    void failed(IwarpConnection connection, ConnectionEnd end);

    /** An established one is over. The queue pair is in ERR, everything was flushed. */
    void ended(IwarpConnection connection, ConnectionEnd end);
}
