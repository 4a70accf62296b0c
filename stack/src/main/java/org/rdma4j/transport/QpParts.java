package org.rdma4j.transport;

/**
 * What a queue pair is made of.
 *
 * @param pd the protection domain's number
 * @param signalAll every send completes with an entry
 * @param srq where receives come from, or {@code null} for the receive queue
 * @param sendRing where sends complete
 * @param receiveRing where receives complete
 */
public record QpParts(
        int pd,
        boolean signalAll,
        SendQueue sendQueue,
        ReceiveQueue receiveQueue,
        Srq srq,
        CompletionRing sendRing,
        CompletionRing receiveRing) {}
