package org.rdma4j.ibsim.fabric;

import java.util.Arrays;

/**
 * One of a port's two tables of virtual lanes with their weights (IBTA volume 1, 7.6.9.2): whose turn it is goes round, and
 * a turn lasts until its weight is used up.
 */
public final class ArbitrationTable {

    /** Entries at most. */
    public static final int ENTRIES = 64;

    private final byte[] lanes = new byte[ENTRIES];
    private final byte[] weights = new byte[ENTRIES];
    private int used;
    private int current;
    private int left;

    /** Every one of so many lanes, with the same weight. */
    static ArbitrationTable even(int laneCount) {
        ArbitrationTable table = new ArbitrationTable();
        for (int lane = 0; lane < laneCount; lane++) {
            table.set(lane, lane, 255);
        }
        return table;
    }

    /**
     * @param weight blocks of 64 bytes, 0 to 255; 0 skips the entry
     */
    public void set(int entry, int lane, int weight) {
        lanes[entry] = (byte) (lane & 0xF);
        weights[entry] = (byte) weight;
        used = Math.max(used, entry + 1);
        left = 0;
    }

    public int lane(int entry) {
        return lanes[entry];
    }

    public int weight(int entry) {
        return weights[entry] & 0xFF;
    }

    public void clear() {
        Arrays.fill(weights, (byte) 0);
        Arrays.fill(lanes, (byte) 0);
        used = 0;
        left = 0;
    }

    /**
     * The lane whose turn it is.
     *
     * @param ready lanes that can send, a bit each
     * @return -1 where none of them has an entry with a weight
     */
    int pick(int ready) {
        if (left > 0 && (ready >> lanes[current] & 1) != 0) {
            return lanes[current];
        }
        int entry = current;
        for (int step = 1; step <= used; step++) {
            entry = entry + 1 < used ? entry + 1 : 0;
            if (weights[entry] != 0 && (ready >> lanes[entry] & 1) != 0) {
                current = entry;
                left = weight(entry);
                return lanes[entry];
            }
        }
        return -1;
    }

    void charge(int blocks) {
        left -= blocks;
    }
}
