package org.rdma4j.verbs;

import org.rdma4j.trace.Rule;

/**
 * Something that lives on a device and is driven with it: it gets its turn behind each round of the engine's, on the same
 * thread. It must not wait.
 */
public interface DeviceService {

    /** Does what can be done at {@code now}. @return false where nothing was there to do */
    boolean progress(long now);

    /** The time at which {@link #progress} has something to do if nothing arrives; {@link Long#MAX_VALUE}: never. */
    long nextDeadline();

    /** An asynchronous event came up. @return true where it is this service's own and the application need not hear it */
    boolean takes(AsyncEvent event);

    /** How many packets of its own met a decision; {@link DeviceContext#decisions} counts them in. */
    default long decisions(Rule rule) {
        return 0;
    }

    /** The device is closing; nothing is driven any more. */
    void close();
}
