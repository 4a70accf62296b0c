package org.rdma4j.memory;

import java.util.function.IntSupplier;
import org.rdma4j.trace.Tracer;

/**
 * All regions and windows of a device by key. A key's index is drawn for good; its low byte may change. Keys are drawn at random, so that nobody guesses one from another (ReDMArk, USENIX
 * Security 2021). Look-up takes no lock and allocates nothing; changes are for one thread at a time.
 */
public final class KeyTable {

    /** The low byte is the part of a key that its owner may choose ({@code ibv_inc_rkey}); the rest is the index. */
    static final int INDEX_SHIFT = 8;

    private static final int MIN_CAPACITY = 64;

    /** Key 0 and its neighbours are what uninitialised memory would name. */
    private static final int RESERVED_INDEXES = 1;

    /** Stands where a region was, so that whoever looks for one behind it goes on looking. */
    private static final Region REMOVED = Region.tombstone();

    private final IntSupplier random;
    private volatile Region[] slots = new Region[MIN_CAPACITY];
    private int size;
    private int removed;
    private Tracer tracer;

    /** @param random where keys come from; a secure source outside of tests */
    public KeyTable(IntSupplier random) {
        this.random = random;
    }

    /** Who hears of accesses; {@code null} where nobody does. Ask {@link org.rdma4j.trace.Tracing#isOn} first. */
    public Tracer tracer() {
        return tracer;
    }

    public void tracer(Tracer next) {
        tracer = next;
    }

    /** Tells the tracer, where there is one, of an access for the peer. */
    public void touched(Tracer.Touch touch, int key, long address, long bytes) {
        Tracer heard = tracer;
        if (heard != null) {
            heard.touched(touch, key, address, bytes);
        }
    }

    /** Registers memory under a fresh key. */
    public Region register(MemoryBlock block, long iova, int access, int pd) {
        return add(new Region(freshKey(), block, iova, access, pd));
    }

    /** Makes a region of no memory under a fresh key, to be registered by a work request. */
    public Region allocate(int pd) {
        return add(Region.empty(freshKey(), null).forFastRegistration(pd));
    }

    /** Makes a region of zeros that keeps nothing, an L_Key only, under a fresh key. */
    public Region registerNull(int pd) {
        return add(Region.ofNothing(freshKey(), pd));
    }

    /** Makes a window under a fresh key, bound to nothing. */
    public Window allocateWindow(boolean isType2, int pd) {
        Window window = new Window(freshKey(), isType2, pd);
        add(window.entry());
        return window;
    }

    /** Takes a window out, bound or not. */
    public void deallocate(Window window) {
        window.free();
        deregister(window.entry());
    }

    /** The key with the next low byte ({@code ibv_inc_rkey}). */
    public static int nextKey(int key) {
        return key & -1 << INDEX_SHIFT | key + 1 & (1 << INDEX_SHIFT) - 1;
    }

    /** The same but for the low byte. */
    public static boolean haveSameIndex(int key, int other) {
        return key >>> INDEX_SHIFT == other >>> INDEX_SHIFT;
    }

    private Region add(Region region) {
        Region[] table = slots;
        if ((size + removed) * 2 >= table.length) {
            table = rebuilt(table);
        }
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

    /** @return what a key's index names, whatever the low byte, or {@code null} */
    public Region lookupIndex(int key) {
        Region[] table = slots;
        int mask = table.length - 1;
        for (int at = hash(key) & mask; table[at] != null; at = (at + 1) & mask) {
            if (table[at] != REMOVED && haveSameIndex(table[at].key(), key)) {
                return table[at];
            }
        }
        return null;
    }

    /** Regions and windows there are now. */
    public int size() {
        return size;
    }

    private int freshKey() {
        while (true) {
            int key = random.getAsInt();
            if (key >>> INDEX_SHIFT >= RESERVED_INDEXES && lookupIndex(key) == null) {
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

    /** Of the index alone: a new low byte leaves an entry where it is. */
    private static int hash(int key) {
        int mixed = (key >>> INDEX_SHIFT) * 0x9E37_79B1;
        return mixed ^ (mixed >>> 15);
    }
}
