package org.rdma4j.tools;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.rdma4j.verbs.DeviceContext;

/**
 * How a caller that drives its device polls: without a pause while there is work, and asleep, until a packet comes, once
 * there has been none for a while. So an end that only answers does not keep a processor from the end that asks.
 */
public final class PollingPace implements BooleanSupplier {

    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** No longer than this: other things than packets may be waited for too. */
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DeviceContext device;
    private long lastFind = System.nanoTime();

    public PollingPace(DeviceContext device) {
        this.device = device;
    }

    /** Something was found. */
    public void found() {
        lastFind = System.nanoTime();
    }

    /** Nothing was found: spins, or sleeps for a moment. */
    public void nothing() {
        if (System.nanoTime() - lastFind > SPIN_NANOS) {
            device.awaitWork(SLEEP_NANOS);
        } else {
            Thread.onSpinWait();
        }
    }

    /** Drives the device once; at its pace where there was nothing to do. */
    @Override
    public boolean getAsBoolean() {
        if (device.progress()) {
            found();
            return true;
        }
        nothing();
        return false;
    }
}
