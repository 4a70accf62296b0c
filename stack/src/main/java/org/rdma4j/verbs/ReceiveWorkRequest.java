package org.rdma4j.verbs;

import java.util.Arrays;

/** A receive work request ({@code struct ibv_recv_wr}): made once, filled anew for each post, copied by it. */
public final class ReceiveWorkRequest {

    private long wrId;
    private int count;
    private long[] addresses = new long[1];
    private int[] lengths = new int[1];
    private int[] keys = new int[1];

    /** Starts anew: no memory. */
    public ReceiveWorkRequest reset(long id) {
        wrId = id;
        count = 0;
        return this;
    }

    /** Appends a piece of a registered region: {@code size} bytes from {@code offset} bytes behind its start. */
    public ReceiveWorkRequest sge(MemoryRegion region, long offset, int size) {
        return sge(region.address() + offset, size, region.lKey());
    }

    /** Appends a piece of local memory by its address and L_Key. */
    public ReceiveWorkRequest sge(long address, int size, int lKey) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
            keys = Arrays.copyOf(keys, count * 2);
        }
        addresses[count] = address;
        lengths[count] = size;
        keys[count] = lKey;
        count++;
        return this;
    }

    long wrId() {
        return wrId;
    }

    int count() {
        return count;
    }

    long address(int piece) {
        return addresses[piece];
    }

    int length(int piece) {
        return lengths[piece];
    }

    int key(int piece) {
        return keys[piece];
    }
}
