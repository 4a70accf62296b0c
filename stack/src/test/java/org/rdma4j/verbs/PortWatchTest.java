package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.Link;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.wire.Gid;

/** A port that goes down and comes back, and GIDs that change under a device. */
class PortWatchTest {

    private static final Gid FIRST = Gid.ofIpv4(0x0A00_0001);
    private static final Gid SECOND = Gid.ofIpv4(0x0A00_0002);

    private boolean up = true;
    private List<Gid> gids = List.of(FIRST);
    private long now = 1_000_000;
    private final DeviceContext device = DeviceContext.on(
            moody(new LoopNetwork().join(FIRST)),
            DeviceOptions.defaults().withProgress(Progress.CALLER).withClock(() -> now));

    /** The link, but for what this test says of it. */
    private Link moody(Link link) {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (_, method, arguments) -> {
                    try {
                        return switch (method.getName()) {
                            case "isUp" -> up;
                            case "gids" -> gids;
                            default -> method.invoke(link, arguments);
                        };
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @AfterEach
    void close() {
        device.close();
    }

    private AsyncEventType nextEvent() throws InterruptedException {
        AsyncEvent event = device.getAsyncEvent(Duration.ZERO);
        return event == null ? null : event.type();
    }

    private void passes(Duration time) {
        now += time.toNanos();
        device.progress();
    }

    @Test
    void portThatGoesDownAndComesBackIsToldOnceEach() throws InterruptedException {
        assertEquals(PortState.ACTIVE, device.queryPort().state());
        up = false;
        assertEquals(PortState.DOWN, device.queryPort().state());
        passes(Duration.ofSeconds(1));
        assertEquals(AsyncEventType.PORT_ERR, nextEvent());
        passes(Duration.ofSeconds(5));
        assertNull(nextEvent());
        up = true;
        passes(Duration.ofSeconds(1));
        assertEquals(AsyncEventType.PORT_ACTIVE, nextEvent());
        assertNull(nextEvent());
    }

    @Test
    void newGidIsTold() throws InterruptedException {
        passes(Duration.ofSeconds(1));
        assertNull(nextEvent());
        gids = List.of(FIRST, SECOND);
        passes(Duration.ofSeconds(1));
        assertEquals(AsyncEventType.GID_CHANGE, nextEvent());
        assertEquals(SECOND, device.queryGid(1));
        assertNull(nextEvent());
    }

    @Test
    void linkIsNotLookedAtMoreThanOnceASecond() throws InterruptedException {
        up = false;
        passes(Duration.ofMillis(999));
        assertNull(nextEvent());
    }
}
