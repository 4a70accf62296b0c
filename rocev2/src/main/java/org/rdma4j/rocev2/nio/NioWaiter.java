package org.rdma4j.rocev2.nio;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rdma4j.rocev2.udp.UdpErrors;

/** Waits on a channel, or until another thread wants the wait to end. */
public final class NioWaiter implements AutoCloseable {

    /** Selectors know milliseconds; what is shorter is slept through in naps, with a look at the channel before each. */
    private static final long NAP_NANOS = 50_000;

    private static final long SELECTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Selector selector;

    public NioWaiter(SelectableChannel channel) {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw UdpErrors.notOpened(e.getMessage());
        }
        watch(channel);
    }

    /** Waits on this channel too from now on, until it is closed. */
    void watch(SelectableChannel channel) {
        try {
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            throw UdpErrors.notOpened(e.getMessage());
        }
    }

    public void await(long nanos) {
        try {
            if (nanos >= SELECTABLE_NANOS) {
                selector.select(nanos / SELECTABLE_NANOS);
            } else if (nanos > 0 && selector.selectNow() == 0) {
                LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
            }
            selector.selectedKeys().clear();
        } catch (IOException | ClosedSelectorException e) {
            LockSupport.parkNanos(Math.min(nanos, NAP_NANOS)); // closed; the caller will find out
        }
    }

    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // It is of no use any more, closed or not.
        }
    }
}
