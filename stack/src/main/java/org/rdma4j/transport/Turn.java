package org.rdma4j.transport;

/** How a queue pair's turn ended. */
public enum Turn {
    /** It has nothing to send, or cannot before something happens. */
    DONE,

    /** It owes something that may wait a little. */
    WAITS,

    /** Only the budget ended it. */
    MORE
}
