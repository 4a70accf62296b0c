package org.rdma4j.iwarp;

import java.net.InetSocketAddress;

/** A connection, from its request to its end. For when its methods may be called see {@link IwarpConnections}. */
public interface IwarpConnection {

    /** {@code null} while TCP has not made it. */
    InetSocketAddress local();

    InetSocketAddress remote();

    /** Private data of the peer's request or reply; empty before that has come. */
    byte[] privateData();

    /**
     * READs of the peer that may wait here at once. Before {@link #accept}: what the peer's request asks for, its ORD;
     * this device's most where it does not say.
     */
    int ird();

    /** READs of this side that may wait at the peer at once; before {@link #accept} what the peer's request offers, its IRD. */
    int ord();

    /** True from {@link ConnectionEvents#established} to the end. */
    boolean isEstablished();

    /**
     * Accepts a request: the reply is sent, and the queue pair goes to RTS.
     *
     * <p>What it sends waits for the peer's first message (RFC 5044, 7.1.2), unless the connection is peer-to-peer, where
     * {@link ConnectionEvents#established} comes with that message. Where the settings say
     * {@link org.rdma4j.iwarp.mpa.MpaSettings#sendsFirst} it waits 100 ms and no longer: siw breaks off where both come
     * to it at once.
     *
     * @param qpNum the queue pair to connect
     * @throws IllegalArgumentException as with {@link IwarpConnections#connect}
     * @throws IllegalStateException where there is no request to be answered
     */
    void accept(int qpNum, ConnectParameters parameters);

    /**
     * Rejects a request: the reply says so, and the connection is closed.
     *
     * @param privateData for the peer
     * @throws IllegalStateException where there is no request to be answered
     */
    void reject(byte[] privateData);

    /**
     * Ends it in order: what was posted is sent, READs are answered, then the stream is ended and the peer's end awaited, at
     * most two seconds. Then everything is flushed and {@link ConnectionEvents#ended} comes. Before the connection is
     * established this is {@link #abort}; where it is over already, nothing.
     */
    void disconnect();

    /** Breaks it (RST) at once. No event comes of it any more; the queue pair, where it was established, goes to ERR. */
    void abort();
}
