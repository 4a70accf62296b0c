package org.rdma4j.verbs;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.rdma4j.transport.IbEngine;

/**
 * A port's P_Key table (10.9.1): the partitions that it is in, each as a full member (bit 15) or as a limited one. An entry
 * whose low 15 bits are 0 is empty.
 */
final class PkeyTable {

    private static final int MEMBERSHIP = 0x8000;

    private final int[] keys;

    PkeyTable(List<Integer> keys) {
        int most = DeviceAttributes.SOFTWARE.maxPkeys();
        if (keys.isEmpty() || keys.size() > most) {
            throw VerbsException.invalid("a P_Key table has 1 to %d entries, not %d", most, keys.size());
        }
        keys.forEach(PkeyTable::check);
        this.keys = keys.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void check(int pkey) {
        if (pkey < 0 || pkey > 0xFFFF) {
            throw VerbsException.invalid("a P_Key is 0 to 0xffff, not 0x%x", pkey);
        }
    }

    synchronized int[] keys() {
        return keys.clone();
    }

    int length() {
        return keys.length;
    }

    synchronized int at(int index) {
        requireIndex(index);
        return keys[index];
    }

    synchronized void set(int index, int pkey) {
        requireIndex(index);
        check(pkey);
        keys[index] = pkey;
    }

    private void requireIndex(int index) {
        if (index < 0 || index >= keys.length) {
            throw VerbsException.invalid("P_Key index %d is outside of the table's %d entries", index, keys.length);
        }
    }

    /** @throws VerbsException EINVAL where it is not there, membership and all */
    synchronized int indexOf(int pkey) {
        for (int index = 0; index < keys.length; index++) {
            if (keys[index] == pkey) {
                return index;
            }
        }
        String all = Arrays.stream(keys)
                .mapToObj(each -> String.format("0x%04x", each))
                .collect(Collectors.joining(", "));
        throw VerbsException.invalid("the P_Key table does not hold 0x%04x; it holds %s", pkey, all);
    }

    /** The entry that a packet with this key matches, a full member's where there are two; -1 for none (10.9.3). */
    synchronized int indexMatching(int pkey) {
        int found = -1;
        for (int index = 0; index < keys.length; index++) {
            if (IbEngine.pKeysMatch(pkey, keys[index]) && (found < 0 || (keys[index] & MEMBERSHIP) != 0)) {
                found = index;
            }
        }
        return found;
    }
}
