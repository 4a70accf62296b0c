package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.rdma4j.verbs.Ece;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.PrivateData;

/**
 * What an identifier is an end of: how its device's family takes addresses, listens, asks, answers and ends. The
 * identifier has looked whether its state allows the call; what happens later the endpoint tells its
 * {@link EndpointOwner}. All calls are under the device's control lock.
 */
public interface Endpoint {

    // Addresses.

    /**
     * Takes an own address and a port, 0 for any that is free.
     *
     * @return them, with the port
     * @throws CmException EADDRNOTAVAIL where the address is none of the device's, EADDRINUSE where the port is taken
     */
    InetSocketAddress bind(InetSocketAddress address);

    /**
     * The device's own address from which a destination is reached.
     *
     * @throws CmException EINVAL or EHOSTUNREACH where it is not
     */
    InetAddress route(InetAddress destination);

    // The passive side.

    /** Takes requests from now on; each one becomes {@link EndpointOwner#child}. */
    void listen(int backlog, QpType type);

    /** Accepts the request that this is. @return true where ESTABLISHED follows */
    boolean accept(ConnectionParameters wanted);

    /** Does not want the request, or the peer's response. */
    void reject(PrivateData privateData);

    /** Does not want what the peer's queue pair offers. */
    default void rejectEce(PrivateData privateData) {
        reject(privateData);
    }

    // The active side.

    /** Asks. @return the event by which the peer accepts */
    CmEventType connect(ConnectionParameters wanted);

    /** Asks a peer that asks for the same at the same time. */
    default CmEventType connectPeer(ConnectionParameters wanted) {
        throw CmException.invalid("both sides of a connection cannot ask at once here");
    }

    /** The application's own queue pair is ready for the peer's response. */
    default void establish() {
        throw CmException.invalid("nothing waits for the queue pair here");
    }

    // Either side.

    /**
     * What takes a queue pair to a state.
     *
     * @param to INIT; where the application moves its own queue pair also RTR and RTS
     */
    QpAttributes qpAttributes(QpState to);

    /** What the peer's queue pair offers beyond the standard. */
    default Ece remoteEce() {
        return Ece.NONE;
    }

    /** Offers the peer another way for the connection. @return done once both sides have loaded it */
    default CompletableFuture<Void> loadAlternatePath(AlternateRoute route) {
        throw CmException.invalid("connections have one path here");
    }

    /** The queue pair has got a packet before the connection was known to stand. */
    default void communicationEstablished(long now) {}

    /** Ends it. @return true where DISCONNECTED follows */
    boolean disconnect();

    /** The identifier's queue pair goes away. */
    default void forget(QueuePair qp) {}

    /** Whatever it is about is over, and nobody is told any more. */
    void close();

    /** What is outstanding on a connection that is over is flushed; datagrams have no connection. */
    static void fail(QueuePair qp) throws VerbsException {
        boolean connected = qp != null && qp.initAttributes().type() != QpType.UD;
        if (connected && qp.state() != QpState.RESET && qp.state() != QpState.ERR) {
            qp.modify(new QpAttributes().state(QpState.ERR));
        }
    }
}
