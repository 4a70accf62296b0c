package org.rdma4j.iwarp;

import java.net.InetSocketAddress;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.mpa.MpaSettings;

/**
 * How connections of an iWARP device are made: TCP, MPA's request and reply with private data, and a queue pair that is
 * given the stream. What connection management is built on.
 *
 * <pre>{@code
 * IwarpConnections iwarp = device.family(IwarpConnections.class).orElseThrow();
 * device.control(() -> iwarp.connect(null, remote, queuePair.qpNum(), ConnectParameters.of(privateData, 1, 1), events));
 * }</pre>
 *
 * A queue pair that is given here is in INIT and has no connection; it goes to RTS by itself when its connection is
 * established, and to ERR when that ends, with everything that was posted flushed. Another state change, or its end,
 * closes its connection.
 *
 * <p>Every method here, and of what it returns, is called with the device standing still: inside of
 * {@link org.rdma4j.verbs.DeviceContext#control}, or from an event. Events come on the thread that drives the device, and
 * never before the call that causes them has returned.
 */
public interface IwarpConnections {

    /** What connections want from MPA that say nothing else: at first {@link MpaSettings#defaults}. */
    MpaSettings settings();

    /** Sets it for connections that are asked for, and listeners that are made, from now on. */
    void settings(MpaSettings settings);

    /**
     * Takes connections at an address of this device.
     *
     * @param local port 0 for one that is free
     * @param backlog connections that TCP may have made and that are not looked at yet
     * @param events hears {@link ConnectionEvents#requested} for each good request, and of what becomes of it
     * @throws org.rdma4j.iwarp.stream.StreamException where the address is taken or is not this host's
     */
    IwarpListener listen(InetSocketAddress local, int backlog, ConnectionEvents events);

    /**
     * Asks for a connection.
     *
     * @param local where it comes from; {@code null} for the device's address and any port
     * @param qpNum the queue pair that is to be connected
     * @param events hears {@link ConnectionEvents#established}, {@link ConnectionEvents#rejected} or
     *     {@link ConnectionEvents#failed}
     * @throws IllegalArgumentException where the queue pair is not there or not idle, or the private data is too long
     * @throws org.rdma4j.iwarp.stream.StreamException where it cannot even be tried
     */
    IwarpConnection connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            int qpNum,
            ConnectParameters parameters,
            ConnectionEvents events);

    /** How many connections did not come about for a reason, since the device was opened. */
    long refusals(MpaRefusal reason);
}
