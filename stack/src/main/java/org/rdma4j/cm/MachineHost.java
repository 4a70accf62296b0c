package org.rdma4j.cm;

import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;

/** What the state machine needs from the port that it manages. All on the driving thread. */
interface MachineHost {

    /** Sends a datagram to a port's general services. It may get lost. */
    void send(Gid remote, CmMad mad);

    /** Names this node. */
    long caGuid();

    /**
     * Someone asks for a connection, and the machine itself has nothing against it.
     *
     * @return {@code null} where it is pending now, with a listener given to {@link Connection#listen}
     */
    Refusal onRequest(Connection connection, CmReq req);

    /**
     * Someone asks for a service's queue pair. The answer goes to {@link SidrService#answer} or
     * {@link SidrService#refuse}, now or later.
     */
    void onResolution(SidrService service, CmSidrReq req);

    /** A connection is over for good: nothing names it any more. */
    default void onForgotten(Connection connection) {}
}
