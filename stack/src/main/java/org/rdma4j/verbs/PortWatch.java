package org.rdma4j.verbs;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rdma4j.link.Port;
import org.rdma4j.wire.Gid;

/**
 * Looks at the port once a second and tells what has become of it: PORT_ACTIVE, PORT_ERR, GID_CHANGE. Whoever waits
 * for events looks, never the thread that drives the device: a look costs system calls.
 */
final class PortWatch {

    static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

    private final Port port;
    private final Consumer<AsyncEventType> events;
    private long nextLook;
    private boolean up;
    private List<Gid> gids;

    PortWatch(Port port, long now, Consumer<AsyncEventType> events) {
        this.port = port;
        this.events = events;
        this.nextLook = now + PERIOD;
        this.up = port.isUp();
        this.gids = port.gids();
    }

    synchronized void look(long now) {
        if (now < nextLook) {
            return;
        }
        nextLook = now + PERIOD;
        boolean isUp = port.isUp();
        if (isUp != up) {
            up = isUp;
            events.accept(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR);
        }
        List<Gid> found = port.gids();
        if (!found.equals(gids)) {
            gids = found;
            events.accept(AsyncEventType.GID_CHANGE);
        }
    }
}
