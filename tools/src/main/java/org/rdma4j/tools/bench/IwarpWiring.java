package org.rdma4j.tools.bench;

import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;

/** Connects the queue pairs of one end with those of the other, over TCP. */
final class IwarpWiring implements ConnectionEvents {

    static final int PORT = 24793;

    private static final int DEPTH = 16;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private final RdmaEnd end;
    private final IwarpConnections iwarp;
    private final Iterator<QueuePair> unconnected;
    private int established;

    IwarpWiring(RdmaEnd end, boolean crc) {
        this.end = end;
        this.iwarp = end.device.family(IwarpConnections.class).orElseThrow();
        this.unconnected = end.queuePairs.iterator();
        iwarp.settings(MpaSettings.defaults().withCrc(crc, CrcRule.RFC).withDepths(DEPTH, DEPTH));
        for (QueuePair queuePair : end.queuePairs) {
            queuePair.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .accessFlags(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));
        }
    }

    /** Takes as many connections as there are queue pairs. */
    void listen(InetSocketAddress at) {
        end.device.control(() -> iwarp.listen(at, end.queuePairs.size(), this));
    }

    void connect(InetSocketAddress to) {
        for (QueuePair queuePair : end.queuePairs) {
            end.device.control(() -> iwarp.connect(null, to, queuePair.qpNum(), parameters(), this));
        }
    }

    private static ConnectParameters parameters() {
        return ConnectParameters.of(new byte[0], DEPTH, DEPTH);
    }

    void awaitAll() {
        long stop = System.nanoTime() + PATIENCE;
        while (established < end.queuePairs.size()) {
            end.device.progress();
            if (System.nanoTime() > stop) {
                throw new IllegalStateException(established + " connections after 20 s");
            }
        }
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
        throw new IllegalStateException("the second process rejects a connection");
    }

    @Override
    public void failed(IwarpConnection connection, ConnectionEnd why) {
        throw new IllegalStateException("no connection: " + why.message());
    }

    @Override
    public void ended(IwarpConnection connection, ConnectionEnd why) {
        // The other end has done with its measurement.
    }
}
