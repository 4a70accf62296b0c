package org.rdma4j.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.rdma4j.testing.Allocation;

class KeyTableTest {

    private static final MemoryBlock BLOCK = MemoryBlock.of(MemorySegment.ofArray(new byte[64]));

    private static Region register(KeyTable table) {
        return table.register(BLOCK, 0, AccessFlags.LOCAL_WRITE, 1);
    }

    @Property(tries = 200)
    void findsWhatAMapWouldFind(@ForAll long seed) {
        Random random = new Random(seed);
        // Few distinct keys, so that they are taken again and probe chains get long.
        KeyTable table = new KeyTable(() -> 0x100 * (1 + random.nextInt(400)));
        Map<Integer, Region> model = new HashMap<>();
        List<Region> live = new ArrayList<>();
        for (int step = 0; step < 600; step++) {
            if (live.isEmpty() || (random.nextInt(5) < 3 && live.size() < 300)) {
                Region region = register(table);
                assertNull(model.put(region.key(), region), "the key was taken");
                live.add(region);
            } else {
                Region region = live.remove(random.nextInt(live.size()));
                table.deregister(region);
                assertFalse(region.isValid());
                model.remove(region.key());
            }
            assertEquals(model.size(), table.size());
            int probed = 0x100 * (1 + random.nextInt(400));
            assertSame(model.get(probed), table.lookup(probed));
        }
        model.forEach((key, region) -> assertSame(region, table.lookup(key)));
    }

    @Test
    void keyZeroIsNobodys() {
        KeyTable table = new KeyTable(new Random(1)::nextInt);
        for (int i = 0; i < 40; i++) {
            table.deregister(register(table));
        }
        assertNull(table.lookup(0));
        assertNotEquals(0, register(table).key());
    }

    @Test
    void deregisteringTwiceIsHarmless() {
        KeyTable table = new KeyTable(new Random(1)::nextInt);
        Region region = register(table);
        table.deregister(region);
        table.deregister(region);
        assertEquals(0, table.size());
    }

    @Test
    void deregisteringCopiesNothing() {
        KeyTable table = new KeyTable(new Random(1)::nextInt);
        List<Region> regions = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            regions.add(register(table));
        }
        long allocated = Allocation.of(() -> regions.forEach(table::deregister));
        assertTrue(allocated < 100_000, () -> allocated + " bytes for 20000 deregistrations");
        assertEquals(0, table.size());
    }
}
