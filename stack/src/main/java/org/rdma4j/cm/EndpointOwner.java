package org.rdma4j.cm;

import java.net.InetSocketAddress;
import java.util.function.Function;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/**
 * The identifier behind an {@link Endpoint}: what it was given, and whom the endpoint tells what happens. To be called
 * under the device's control lock, as by a service of the device.
 */
public interface EndpointOwner {

    // What is known.

    DeviceContext device();

    PortSpace portSpace();

    /** The own address; port 0 before there is one. */
    InetSocketAddress localAddress();

    /** The other side's; port 0 before there is one. */
    InetSocketAddress peerAddress();

    /** {@code null} where the application has one of its own. */
    QueuePair qp();

    CmSettings settings();

    // A listener's requests.

    /** Whether one more request may wait for the application. */
    boolean hasRoom();

    /** Makes the identifier of a request that has come for {@code local} from {@code peer}. @return its endpoint */
    <E extends Endpoint> E child(InetSocketAddress local, InetSocketAddress peer, Function<EndpointOwner, E> make);

    /**
     * A child tells its listener's application.
     *
     * @param asked of a connection, seen from here; {@code null} where datagrams are asked for
     */
    void requested(PrivateData privateData, ConnectionParameters asked);

    // What becomes of it.

    /** The end that has asked is asked itself, and answers. */
    void accepting();

    /** The peer accepts, and the application's own queue pair is to be made ready. */
    void responded(PrivateData privateData, ConnectionParameters answer);

    /** The connection stands. */
    void established(PrivateData privateData, ConnectionParameters agreed);

    /** The queue pair that datagrams go to is known. */
    void found(PrivateData privateData, DatagramParameters where);

    /** The peer does not want it; a connection that stood is disconnected. */
    void rejected(int status, PrivateData privateData, String words);

    void unreachable(int status, PrivateData privateData, String words);

    /** The own queue pair does not go along. */
    void connectError(String words);

    void disconnected(PrivateData privateData);

    /** The identifier's queue pair may be used again. */
    void timeWaitExit();
}
