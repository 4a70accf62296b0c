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

    /** Stands where a region was, so that whoever looks for one behind it goes on looking. */
    private static final Region REMOVED = Region.tombstone();

    private final IntSupplier random;
    private volatile Region[] slots = new Region[MIN_CAPACITY];
    private int size;
    private int removed;

    /** @param random where keys come from; a secure source outside of tests */
    public KeyTable(IntSupplier random) {
        this.random = random;
    }

    /** Registers memory under a fresh key. */
    public Region register(MemoryBlock block, long iova, int access, int pd) {
        Region[] table = slots;
        if ((size + removed) * 2 >= table.length) {
            table = rebuilt(table);
        }
        Region region = new Region(freshKey(), block, iova, access, pd);
        if (insert(table, region)) {
            removed--;
        }
        slots = table; // publishes the entry too
        size++;
        return region;
    }

    /** Takes a region out; whoever holds it finds it invalid. */
    public void deregister(Region region) {
        region.invalidate();
        Region[] table = slots;
        int mask = table.length - 1;
        for (int at = hash(region.key()) & mask; table[at] != null; at = (at + 1) & mask) {
            if (table[at] == region) {
                table[at] = REMOVED;
                slots = table;
                size--;
                removed++;
                return;
            }
        }
    }

    /** @return the region of a key, or {@code null} where none has it */
    public Region lookup(int key) {
        Region[] table = slots;
        int mask = table.length - 1;
        int at = hash(key) & mask;
        for (Region region = table[at]; region != null; region = table[at]) {
            if (region.key() == key && region != REMOVED) {
                return region;
            }
            at = (at + 1) & mask;
        }
        return null;
    }

    /** Regions registered now. */
    public int size() {
        return size;
    }

    private int freshKey() {
        while (true) {
            int key = random.getAsInt();
            if (key >>> INDEX_SHIFT >= RESERVED_INDEXES && lookup(key) == null) {
                return key;
            }
        }
    }

    /** A table with room, without the removed: readers of the old one miss nothing that they could have found. */
    private Region[] rebuilt(Region[] table) {
        Region[] fresh = new Region[Math.max(MIN_CAPACITY, Integer.highestOneBit(Math.max(1, size)) << 2)];
        for (Region region : table) {
            if (region != null && region != REMOVED) {
                insert(fresh, region);
            }
        }
        removed = 0;
        return fresh;
    }

    /** @return true where it took the place of a removed one */
    private static boolean insert(Region[] table, Region region) {
        int mask = table.length - 1;
        int at = hash(region.key()) & mask;
        while (table[at] != null && table[at] != REMOVED) {
            at = (at + 1) & mask;
        }
        boolean reused = table[at] == REMOVED;
        table[at] = region;
        return reused;
    }

    private static int hash(int key) {
        int mixed = key * 0x9E37_79B1;
        return mixed ^ (mixed >>> 15);
    }
}
