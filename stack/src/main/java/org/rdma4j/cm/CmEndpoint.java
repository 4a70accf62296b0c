package org.rdma4j.cm;

import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;

/**
 * A synchronous identifier that one call has made ready ({@code rdma_create_ep}): of an active side the address and the
 * route are found and the queue pair is there, so that only {@link #connect} is missing; a listener has its address, and
 * each request that it takes has its queue pair.
 *
 * <pre>{@code
 * CmAddressInfo peer = CmAddressInfo.lookup("10.9.0.1", "7471", CmAddressHints.active()).getFirst();
 * try (CmEndpoint endpoint = CmEndpoint.create(device, peer, pd, QpInitAttributes.rc(cq))) {
 *     endpoint.connect(ConnectionParameters.defaults());
 *     endpoint.qp().postSend(…);
 * }
 * }</pre>
 */
public final class CmEndpoint implements AutoCloseable {

    private final CmId id;
    private final QpType type;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;

    private CmEndpoint(CmId id, QpType type, ProtectionDomain pd, QpInitAttributes attributes) {
        this.id = id;
        this.type = type;
        this.pd = pd;
        this.attributes = attributes;
    }

    /**
     * Makes an endpoint ({@code rdma_create_ep}).
     *
     * @param pd of its queue pair, or {@code null}: it gets none, and the application creates it
     * @param attributes of its queue pair, or of those of a listener's requests; {@code null} where it gets none
     * @throws CmException what {@link CmId#bind}, {@link CmId#resolveAddress} throw; nothing is left behind then
     */
    public static CmEndpoint create(
            DeviceContext device, CmAddressInfo info, ProtectionDomain pd, QpInitAttributes attributes) {
        if (attributes != null && attributes.type() != info.qpType()) {
            throw CmException.invalid("the address is for %s, the queue pair is %s", info.qpType(), attributes.type());
        }
        CmId id = CmId.createSync(device, info.portSpace());
        CmEndpoint endpoint = new CmEndpoint(id, info.qpType(), pd, attributes);
        try {
            if (info.passive()) {
                id.bind(info.source());
            } else {
                id.resolveAddress(info.source(), info.destination());
                id.resolveRoute();
                endpoint.createQp();
            }
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
        return endpoint;
    }

    private void createQp() {
        if (pd != null && attributes != null) {
            id.createQp(pd, attributes);
        }
    }

    public CmId id() {
        return id;
    }

    /** The queue pair, {@code null} where there is none: of a listener, or where the application creates it. */
    public QueuePair qp() {
        return id.qp();
    }

    /** Takes requests for queue pairs of the address' type ({@code rdma_listen}); see {@link CmId#listen(int)}. */
    public void listen(int backlog) {
        id.listen(backlog, type);
    }

    /**
     * The next request, with its queue pair where this listener was given the attributes of one
     * ({@code rdma_get_request}): {@link #accept} is missing.
     */
    public CmEndpoint getRequest() {
        CmEndpoint request = new CmEndpoint(id.getRequest(), type, pd, attributes);
        try {
            request.createQp();
        } catch (RuntimeException e) {
            request.close(); // which rejects it
            throw e;
        }
        return request;
    }

    /** Asks for the connection and waits until it stands ({@code rdma_connect}). */
    public void connect(ConnectionParameters wanted) {
        id.connect(wanted);
    }

    /** Accepts with what was asked for, and waits until the connection stands ({@code rdma_accept}). */
    public void accept() {
        id.accept();
    }

    /** Destroys it with its queue pair ({@code rdma_destroy_ep}). */
    @Override
    public void close() {
        id.close();
    }
}
