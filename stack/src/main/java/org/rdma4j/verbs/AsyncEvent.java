package org.rdma4j.verbs;

/**
 * Something that happened outside of completions ({@code struct ibv_async_event}).
 *
 * @param type what
 * @param qp the queue pair it concerns, or {@code null}
 * @param cq the completion queue it concerns, or {@code null}
 * @param srq the shared receive queue it concerns, or {@code null}
 */
public record AsyncEvent(AsyncEventType type, QueuePair qp, CompletionQueue cq, SharedReceiveQueue srq) {

    /** Of the port. */
    static AsyncEvent of(AsyncEventType type) {
        return new AsyncEvent(type, null, null, null);
    }

    static AsyncEvent of(AsyncEventType type, QueuePair qp) {
        return new AsyncEvent(type, qp, null, null);
    }

    static AsyncEvent of(AsyncEventType type, CompletionQueue cq) {
        return new AsyncEvent(type, null, cq, null);
    }

    static AsyncEvent of(AsyncEventType type, SharedReceiveQueue srq) {
        return new AsyncEvent(type, null, null, srq);
    }
}
