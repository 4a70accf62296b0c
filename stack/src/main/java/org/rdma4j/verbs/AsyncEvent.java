package org.rdma4j.verbs;

/**
 * Something that happened outside of completions ({@code struct ibv_async_event}).
 *
 * @param type what
 * @param qp the queue pair it concerns, or {@code null}
 * @param cq the completion queue it concerns, or {@code null}
 */
public record AsyncEvent(AsyncEventType type, QueuePair qp, CompletionQueue cq) {}
