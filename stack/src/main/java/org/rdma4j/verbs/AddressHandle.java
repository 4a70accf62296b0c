package org.rdma4j.verbs;

import org.rdma4j.link.Route;

/** Where datagrams go ({@code struct ibv_ah}); made by {@link ProtectionDomain#createAh} and used by any number of posts. */
public final class AddressHandle implements AutoCloseable {

    private final ProtectionDomain pd;
    private final AhAttributes attributes;
    private final Route route;
    private volatile boolean closed;

    private AddressHandle(ProtectionDomain pd, AhAttributes attributes, Route route) {
        this.pd = pd;
        this.attributes = attributes;
        this.route = route;
    }

    static AddressHandle create(ProtectionDomain pd, AhAttributes wanted) {
        DeviceContext device = pd.device();
        String refusal = QpAttributeRanges.avRefusal(wanted, device);
        if (refusal != null) {
            throw VerbsException.invalid("%s", refusal);
        }
        Route[] route = new Route[1];
        device.control(
                () -> route[0] = device.infiniband("address handles").link().route(wanted.datagramRoute()));
        pd.adopt();
        return new AddressHandle(pd, wanted, route[0]);
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public AhAttributes attributes() {
        return attributes;
    }

    Route route() {
        return route;
    }

    boolean isClosed() {
        return closed;
    }

    /** Destroys it ({@code ibv_destroy_ah}). What was posted with it before is sent; nothing can be posted after. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pd.release();
        }
    }
}
