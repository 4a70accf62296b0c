package org.rdma4j.ibsim.fabric;

import org.rdma4j.wire.FlowPacket;

/**
 * The receiving end's count of one virtual lane (IBTA volume 1, 7.9.4.4): blocks of 64 bytes, modulo 4,096. What it grants
 * is what has come plus what there is room for.
 */
final class Grant {

    static final int MODULUS = 1 << 12;

    private static final int MASK = MODULUS - 1;

    /** The other end may be granted no more than that, or it could not tell it from less (7.9.4.4). */
    static final int MOST = MODULUS / 2 - 1;

    private static final int LARGEST_PACKET = (FabricPacket.CAPACITY + FlowPacket.BLOCK - 1) / FlowPacket.BLOCK;

    private final int capacity;
    private int used;
    private int received; // ABR
    private int told;

    /** @param capacity blocks that the lane's buffer holds */
    Grant(int capacity) {
        if (capacity < 1 || capacity > MOST) {
            throw new IllegalArgumentException(
                    "a lane's buffer of " + capacity + " blocks: credit is counted to " + MOST);
        }
        this.capacity = capacity;
    }

    boolean admits(int blocks) {
        return used + blocks <= capacity;
    }

    void take(int blocks) {
        used += blocks;
        received = received + blocks & MASK;
    }

    void release(int blocks) {
        used -= blocks;
    }

    /** A packet came and went at once. */
    void pass(int blocks) {
        received = received + blocks & MASK;
    }

    int used() {
        return used;
    }

    int capacity() {
        return capacity;
    }

    /** FCCL: up to which count the other end may send. */
    int limit() {
        return received + capacity - used & MASK;
    }

    /**
     * True where the other end should hear of room that it does not know of: a quarter of all, so that it never runs dry, or
     * any, where what it knows of might not do for its next packet.
     */
    boolean isWorthTelling() {
        return isMissed(0);
    }

    /** True where the other end should hear of it when so much becomes free. */
    boolean isMissed(int blocks) {
        int gain = limit() + blocks - told & MASK;
        return gain * 4 >= capacity || gain > 0 && (told - received & MASK) < LARGEST_PACKET;
    }

    int tell() {
        told = limit();
        return told;
    }

    /** What the other end says it has sent: what was lost on the way counts as received (7.9.4.4). */
    void synchronize(int totalBlocksSent) {
        received = totalBlocksSent & MASK;
    }

    /** The link is new; what is still on its way out takes its room until it has left. */
    void reset() {
        received = 0;
        told = 0;
    }
}
