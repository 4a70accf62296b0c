package org.rdma4j.transport;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The queue pairs of a device by number. Numbers are drawn at random, so that nobody guesses one. */
final class QpTable {

    private static final int MASK = 0xFF_FFFF;

    /** The queue pair of general services (3.9.2). */
    static final int GSI_QPN = 1;

    /** 0 and 1 are the management QPs; the next few are what uninitialised memory would name. */
    private static final int FIRST_QPN = 0x11;

    /** All ones stands for the queue pairs of a multicast group (10.5.1). */
    static final int MULTICAST_QPN = 0xFF_FFFF;

    private static final int LAST_QPN = MULTICAST_QPN - 1;

    private final IntSupplier random;
    private IbQp[] slots = new IbQp[64];
    private int size;

    /** Numbers that late packets may still name, though their queue pairs may be gone (12.9.8.4). */
    private final Set<Integer> held = new HashSet<>();

    QpTable(IntSupplier random) {
        this.random = random;
    }

    /** A number that no queue pair has, and none has had just now. */
    int freshQpn() {
        while (true) {
            int qpn = random.getAsInt() & MASK;
            if (qpn >= FIRST_QPN && qpn <= LAST_QPN && lookup(qpn) == null && !held.contains(qpn)) {
                return qpn;
            }
        }
    }

    void hold(int qpn) {
        held.add(qpn);
    }

    void release(int qpn) {
        held.remove(qpn);
    }

    IbQp lookup(int qpn) {
        int mask = slots.length - 1;
        for (int at = hash(qpn) & mask; slots[at] != null; at = (at + 1) & mask) {
            if (slots[at].qpn == qpn) {
                return slots[at];
            }
        }
        return null;
    }

    void add(IbQp qp) {
        if (size * 2 >= slots.length) {
            IbQp[] old = slots;
            slots = new IbQp[old.length * 2];
            for (IbQp other : old) {
                if (other != null) {
                    insert(other);
                }
            }
        }
        insert(qp);
        size++;
    }

    void remove(IbQp qp) {
        int mask = slots.length - 1;
        int at = hash(qp.qpn) & mask;
        while (slots[at] != qp) {
            if (slots[at] == null) {
                return;
            }
            at = (at + 1) & mask;
        }
        slots[at] = null;
        size--;
        // What was pushed on by the removed one moves up.
        for (int next = (at + 1) & mask; slots[next] != null; next = (next + 1) & mask) {
            IbQp moved = slots[next];
            slots[next] = null;
            insert(moved);
        }
    }

    void forEach(Consumer<IbQp> action) {
        for (IbQp qp : slots) {
            if (qp != null) {
                action.accept(qp);
            }
        }
    }

    private void insert(IbQp qp) {
        int mask = slots.length - 1;
        int at = hash(qp.qpn) & mask;
        while (slots[at] != null) {
            at = (at + 1) & mask;
        }
        slots[at] = qp;
    }

    private static int hash(int qpn) {
        int mixed = qpn * 0x9E37_79B1;
        return mixed ^ (mixed >>> 16);
    }
}
