package org.rdma4j.ibsim.fabric;

/** One virtual lane of a port's sending side: who waits for it, and what the other end lets it send. */
final class OutputLane {

    private static final int MASK = Grant.MODULUS - 1;

    final Port port;
    final int virtualLane;

    private final boolean flowControlled;
    private InputLane firstWaiting;
    private InputLane lastWaiting;
    private int sent; // FCTBS
    private int limit; // the last FCCL

    OutputLane(Port port, int virtualLane) {
        this.port = port;
        this.virtualLane = virtualLane;
        this.flowControlled = virtualLane != Port.MANAGEMENT_LANE;
    }

    void enqueue(InputLane input) {
        input.waitsFor = this;
        input.nextWaiting = null;
        if (firstWaiting == null) {
            firstWaiting = input;
        } else {
            lastWaiting.nextWaiting = input;
        }
        lastWaiting = input;
    }

    InputLane firstWaiting() {
        return firstWaiting;
    }

    InputLane dequeue() {
        InputLane input = firstWaiting;
        firstWaiting = input.nextWaiting;
        input.nextWaiting = null;
        input.waitsFor = null;
        return input;
    }

    void remove(InputLane input) {
        if (firstWaiting == input) {
            dequeue();
            return;
        }
        InputLane before = firstWaiting;
        while (before.nextWaiting != input) {
            before = before.nextWaiting;
        }
        before.nextWaiting = input.nextWaiting;
        if (lastWaiting == input) {
            lastWaiting = before;
        }
        input.nextWaiting = null;
        input.waitsFor = null;
    }

    /** True where the first packet that waits may go by credit: (limit - sent - blocks) modulo 4,096 is at most 2,048. */
    boolean isReady() {
        return firstWaiting != null && hasCredit(firstWaiting.head().blocks());
    }

    boolean hasCredit(int blocks) {
        return !flowControlled || (limit - sent - blocks & MASK) <= Grant.MODULUS / 2;
    }

    void sent(int blocks) {
        sent = sent + blocks & MASK;
    }

    /** FCTBS. */
    int totalBlocksSent() {
        return sent;
    }

    void granted(int creditLimit) {
        limit = creditLimit & MASK;
    }

    void reset() {
        sent = 0;
        limit = 0;
    }
}
