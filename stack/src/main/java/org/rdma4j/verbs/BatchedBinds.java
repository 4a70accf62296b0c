package org.rdma4j.verbs;

import java.util.Arrays;

/** The bindings of windows in a batch that is open: whether they are posted is not known yet. */
final class BatchedBinds {

    private MemoryWindow[] windows = {};
    private int[] keys = {};
    private int count;

    void add(MemoryWindow window, int key) {
        if (count == windows.length) {
            windows = Arrays.copyOf(windows, 2 * count + 1);
            keys = Arrays.copyOf(keys, windows.length);
        }
        windows[count] = window;
        keys[count++] = key;
    }

    /** They are posted: the windows have their keys. */
    void posted() {
        for (int index = 0; index < count; index++) {
            windows[index].posted(keys[index]);
        }
        forget();
    }

    void forget() {
        Arrays.fill(windows, 0, count, null);
        count = 0;
    }
}
