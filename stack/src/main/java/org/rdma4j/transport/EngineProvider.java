package org.rdma4j.transport;

import java.util.List;
import java.util.function.IntSupplier;
import org.rdma4j.link.LinkOptions;

/**
 * Opens devices of a family that is no link of the InfiniBand transport, by name; found by
 * {@link java.util.ServiceLoader}, so a new family is a new module on the path.
 */
public interface EngineProvider {

    /** The part of a device's name before the colon: {@code iwarp}. */
    String family();

    /**
     * Opens the device {@code family:address}.
     *
     * @param random where numbers and keys come from
     * @param listener hears of asynchronous events
     * @throws org.rdma4j.link.LinkException with a message for the user
     */
    Engine open(String address, LinkOptions options, IntSupplier random, AsyncEventListener listener);

    /** Names that could be opened here now, {@code family:address} each. */
    List<String> discover();
}
