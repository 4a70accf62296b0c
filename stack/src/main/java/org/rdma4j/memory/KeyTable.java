package org.rdma4j.memory;

import java.util.function.IntSupplier;

/**
 * All regions of a device by key. Keys are drawn at random, so that nobody guesses one from another (ReDMArk, USENIX
 * Security 2021). Look-up takes no lock and allocates nothing; changes are for one thread at a time.
 */
public final class KeyTable {

    /** The low byte is the part of a key that its owner may choose ({@code ibv_inc_rkey}); the rest is the index. */
    private static final int INDEX_SHIFT = 8;

    private static final int MIN_CAPACITY = 64;

    /** Key 0 and its neighbours are what uninitialised memory would name. */
    private static final int RESERVED_INDEXES = 1;

    private final IntSupplier random;
    private volatile Region[] slots = new Region[MIN_CAPACITY];
    private int size;

    /** @param random where keys come from; a secure source outside of tests */
    public KeyTable(IntSupplier random) {
        this.random = random;
    }

    /** Registers memory under a fresh key. */
    public Region register(MemoryBlock block, long iova, int access, int pd) {
        Region[] table = slots;
        if (size * 2 >= table.length) {
            table = grow(table);
        }
        int key = freshKey();
        Region region = new Region(key, block, iova, access, pd);
        insert(table, region);
        slots = table;
        size++;
        return region;
    }

    /** Takes a region out; whoever holds it finds it invalid. */
    public void deregister(Region region) {
        region.invalidate();
        Region[] table = slots;
        int hole = find(table, region.key());
        if (hole < 0 || table[hole] != region) {
            return;
        }
        // Entries behind the hole move up, in a copy, so that a reader never misses one of them.
        Region[] copy = table.clone();
        copy[hole] = null;
        int mask = copy.length - 1;
        for (int at = (hole + 1) & mask; copy[at] != null; at = (at + 1) & mask) {
            Region moved = copy[at];
            copy[at] = null;
            insert(copy, moved);
        }
        slots = copy;
        size--;
    }

    /** @return the region of a key, or {@code null} where no valid one has it */
    public Region lookup(int key) {
        Region[] table = slots;
        int at = find(table, key);
        return at < 0 ? null : table[at];
    }

    /** Regions registered now. */
    public int size() {
        return size;
    }

    private int freshKey() {
        while (true) {
            int key = random.getAsInt();
            if (key >>> INDEX_SHIFT >= RESERVED_INDEXES && find(slots, key) < 0) {
                return key;
            }
        }
    }

    private static Region[] grow(Region[] table) {
        Region[] larger = new Region[table.length * 2];
        for (Region region : table) {
            if (region != null) {
                insert(larger, region);
            }
        }
        return larger;
    }

    private static void insert(Region[] table, Region region) {
        int mask = table.length - 1;
        int at = hash(region.key()) & mask;
        while (table[at] != null) {
            at = (at + 1) & mask;
        }
        table[at] = region;
    }

    private static int find(Region[] table, int key) {
        int mask = table.length - 1;
        for (int at = hash(key) & mask; table[at] != null; at = (at + 1) & mask) {
            if (table[at].key() == key) {
                return at;
            }
        }
        return -1;
    }

    private static int hash(int key) {
        int mixed = key * 0x9E37_79B1;
        return mixed ^ (mixed >>> 15);
    }
}
