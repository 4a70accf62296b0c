package org.rdma4j.cm;

import org.rdma4j.wire.PortSpace;

/**
 * Connection management of a device family that does not connect by InfiniBand's; found by
 * {@link java.util.ServiceLoader}.
 */
public interface CmProvider {

    /** The part of a device's name before the colon: {@code iwarp}. */
    String family();

    /**
     * The endpoint of a new identifier.
     *
     * @throws CmException EINVAL where the family has nothing like that port space
     */
    Endpoint endpoint(EndpointOwner owner, PortSpace space);
}
