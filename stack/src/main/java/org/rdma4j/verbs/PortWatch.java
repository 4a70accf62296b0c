package org.rdma4j.verbs;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rdma4j.link.Link;
import org.rdma4j.wire.Gid;

/** Looks at the link once a second and raises what has become of the port: PORT_ACTIVE, PORT_ERR, GID_CHANGE. */
final class PortWatch implements DeviceService {

    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

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

    @Override
    public boolean progress(long now) {
        if (now < nextLook) {
            return false;
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
        return false;
    }

    /** A look is worth no wake-up: a device wakes up by itself often enough. */
    @Override
    public long nextDeadline() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean takes(AsyncEvent event) {
        return false;
    }

    @Override
    public void close() {}
}
