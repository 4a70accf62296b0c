package org.rdma4j.verbs;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rdma4j.link.Link;
import org.rdma4j.wire.Gid;

/**
 * Looks at the link once a second and tells what has become of the port: PORT_ACTIVE, PORT_ERR, GID_CHANGE. Whoever waits
 * for events looks, never the thread that drives the device: a look costs system calls.
 */
final class PortWatch {

    static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

    private final Link link;
    private final Consumer<AsyncEventType> events;
    private long nextLook;
    private boolean up;
    private List<Gid> gids;

    PortWatch(Link link, long now, Consumer<AsyncEventType> events) {
        this.link = link;
        this.events = events;
        this.nextLook = now + PERIOD;
        this.up = link.isUp();
        this.gids = link.gids();
    }

    synchronized void look(long now) {
        if (now < nextLook) {
            return;
        }
        nextLook = now + PERIOD;
        boolean isUp = link.isUp();
        if (isUp != up) {
            up = isUp;
            events.accept(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR);
        }
        List<Gid> found = link.gids();
        if (!found.equals(gids)) {
            gids = found;
            events.accept(AsyncEventType.GID_CHANGE);
        }
    }
}
