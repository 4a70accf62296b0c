package org.rdma4j.tools;

import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;

/**
 * Connects the queue pairs of one device with those of another, over TCP. What it begins, whoever drives the devices brings
 * to its end.
 */
public final class IwarpWiring implements ConnectionEvents {

    private static final int DEPTH = 16;

    private final DeviceContext device;
    private final List<QueuePair> queuePairs;
    private final IwarpConnections iwarp;
    private final Iterator<QueuePair> unconnected;
    private int established;

    /**
     * @param queuePairs in RESET
     * @param access what the peer may do here
     */
    public IwarpWiring(DeviceContext device, List<QueuePair> queuePairs, boolean crc, int access) {
        this.device = device;
        this.queuePairs = queuePairs;
        this.iwarp = device.family(IwarpConnections.class).orElseThrow();
        this.unconnected = queuePairs.iterator();
        MpaSettings named = iwarp.settings();
        iwarp.settings(named.withCrc(crc || named.crc(), named.crcRule()).withDepths(DEPTH, DEPTH));
        for (QueuePair queuePair : queuePairs) {
            queuePair.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(access));
        }
    }

    /** Takes as many connections as there are queue pairs. @param at port 0 for one that is free */
    public IwarpListener listen(InetSocketAddress at) {
        IwarpListener[] listener = new IwarpListener[1];
        device.control(() -> listener[0] = iwarp.listen(at, queuePairs.size(), this));
        return listener[0];
    }

    public void connect(InetSocketAddress to) {
        for (QueuePair queuePair : queuePairs) {
            device.control(() -> iwarp.connect(null, to, queuePair.qpNum(), parameters(), this));
        }
    }

    private static ConnectParameters parameters() {
        return ConnectParameters.of(new byte[0], DEPTH, DEPTH);
    }

    /** True once all are connected. */
    public boolean isDone() {
        return established == queuePairs.size();
    }

    @Override
    public void requested(IwarpConnection connection) {
        connection.accept(unconnected.next().qpNum(), parameters());
    }

    @Override
    public void established(IwarpConnection connection) {
        established++;
    }

    @Override
    public void rejected(IwarpConnection connection) {
        throw new ToolException(ExitStatus.FAILED, "the peer rejects a connection");
    }

    @Override
    public void failed(IwarpConnection connection, ConnectionEnd why) {
        throw new ToolException(ExitStatus.FAILED, "no connection: " + why.message());
    }

    @Override
    public void ended(IwarpConnection connection, ConnectionEnd why) {
        // The completions tell.
    }
}
