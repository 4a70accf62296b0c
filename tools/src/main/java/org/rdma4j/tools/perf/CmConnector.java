package org.rdma4j.tools.perf;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.PortSpace;

/** Connects the queue pairs of a test by rdma_cm: one connection to talk over, then one for each queue pair, all to one port. */
final class CmConnector implements AutoCloseable {

    /** perftest's server closes its port after each connection, and opens it again for the next one. */
    private static final int ATTEMPTS = 50;

    private static final int PAUSE_MILLIS = 100;

    /** For a peer's last word; it may have gone already. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final DeviceContext device;
    private final InetSocketAddress server; // null: this is the server
    private final CmId listener;
    private final List<CmId> ids = new ArrayList<>();

    /** @param server the server's address, or {@code null} to be the server, which listens from now on */
    CmConnector(DeviceContext device, InetAddress server, int port) {
        this.device = device;
        this.server = server == null ? null : new InetSocketAddress(server, port);
        listener = server == null ? CmId.createSync(device, PortSpace.TCP) : null;
        if (listener != null) {
            listener.bind(new InetSocketAddress(device.queryGid(0).toAddress(), port));
            listener.listen(0);
        }
    }

    /** The connection that the ends talk over. */
    CmConversation converse() {
        CmId id = next();
        return new CmConversation(id, () -> meet(id, 1));
    }

    /** One connected queue pair more; both ends make as many at the same time. */
    QueuePair connect(ProtectionDomain pd, QpInitAttributes attributes, int reads) {
        for (int attempt = 1; ; attempt++) {
            CmId id = next();
            QueuePair qp = id.createQp(pd, attributes);
            try {
                meet(id, reads);
                ids.add(id);
                return qp;
            } catch (CmException e) {
                id.close();
                if (e.errno() != CmException.Errno.ECONNREFUSED || attempt == ATTEMPTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException(ExitStatus.FAILED, "interrupted", e);
        }
    }

    private CmId next() {
        if (listener != null) {
            return listener.getRequest();
        }
        CmId id = CmId.createSync(device, PortSpace.TCP);
        id.resolveAddress(server);
        id.resolveRoute();
        return id;
    }

    private void meet(CmId id, int reads) {
        ConnectionParameters parameters =
                ConnectionParameters.defaults().withResources(reads, reads).withRetries(7, 7);
        if (listener != null) {
            id.accept(parameters);
        } else {
            id.connect(parameters);
        }
    }

    /** Ends a connection so that the peer hears of it, and has the acknowledgements that it is owed. */
    static void end(CmId id) {
        try {
            id.disconnect(PATIENCE);
        } catch (CmException e) {
            // The peer was first, in whatever way: it is over.
        }
        id.close();
    }

    @Override
    public void close() {
        ids.forEach(CmConnector::end);
        ids.clear();
        if (listener != null) {
            listener.close();
        }
    }
}
