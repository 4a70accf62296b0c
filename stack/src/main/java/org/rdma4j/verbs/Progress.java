package org.rdma4j.verbs;

/** Who drives a device. */
public enum Progress {
    /** A thread of the device's own: posting is enough, completions come by themselves. */
    THREAD,
    /**
     * The application: polling a completion queue, or {@link DeviceContext#progress()}, drives the device. No switch of
     * threads on the way, so the lowest latency; a device that nobody polls does not answer its peers.
     */
    CALLER
}
