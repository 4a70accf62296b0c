package org.rdma4j.transport;

import java.util.Arrays;

/** The shared receive queues that XRC requests name, by number (annex A14). Number 0 is nobody's. */
final class XrcSrqs {

    /**
     * A shared receive queue of a domain.
     *
     * @param number 24 bits: what the XRCETH says
     * @param domain the XRC domain's number
     * @param ring where its receives complete
     */
    record Entry(int number, Srq srq, int domain, CompletionRing ring) {}

    private Entry[] slots = new Entry[8];

    /** @return the number that it has from now on */
    int add(Srq srq, int domain, CompletionRing ring) {
        int number = 1;
        while (number < slots.length && slots[number] != null) {
            number++;
        }
        if (number == slots.length) {
            slots = Arrays.copyOf(slots, 2 * number);
        }
        slots[number] = new Entry(number, srq, domain, ring);
        return number;
    }

    void remove(int number) {
        slots[number] = null;
    }

    /** @return {@code null} where the domain has no queue of that number */
    Entry lookup(int number, int domain) {
        Entry entry = number < slots.length ? slots[number] : null;
        return entry == null || entry.domain != domain ? null : entry;
    }
}
