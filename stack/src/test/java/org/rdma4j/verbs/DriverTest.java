package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

/** A device's own thread. */
class DriverTest {

    private static final class BrokenTap implements FrameTap {
        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            throw new IllegalStateException("a tap with a defect");
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {}
    }

    @Test
    void threadThatEndsByADefectIsTold() throws InterruptedException {
        AtomicReference<Throwable> told = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, what) -> told.set(what));
        LoopNetwork network = new LoopNetwork();
        try (DeviceContext device = DeviceContext.on(network.join(Gid.ofIpv4(1)), DeviceOptions.defaults());
                DeviceContext other = DeviceContext.on(network.join(Gid.ofIpv4(2)), DeviceOptions.defaults())) {
            QueuePair qp = device.allocPd().createQp(QpInitAttributes.rc(device.createCq(4)));
            Connecting.both(qp, other.allocPd().createQp(QpInitAttributes.rc(other.createCq(4))));
            device.tap(new BrokenTap());
            qp.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
            AsyncEvent event = device.getAsyncEvent(Duration.ofSeconds(20));
            assertNotNull(event);
            assertEquals(AsyncEventType.DEVICE_FATAL, event.type());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertEquals("a tap with a defect", told.get().getMessage());
    }
}
