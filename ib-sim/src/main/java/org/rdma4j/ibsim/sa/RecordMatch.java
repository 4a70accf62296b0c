package org.rdma4j.ibsim.sa;

import java.util.Arrays;

/** A question's record against one of the subnet's: only the fields count that the component mask names (15.4.4). */
final class RecordMatch {

    private final byte[] wanted;
    private final long mask;

    RecordMatch(byte[] wanted, long mask) {
        this.wanted = wanted;
        this.mask = mask;
    }

    boolean names(int component) {
        return (mask >>> component & 1) != 0;
    }

    /** True where a field is not asked for, or is as it was asked for. */
    boolean field(byte[] record, int component, int offset, int length) {
        return !names(component) || Arrays.equals(wanted, offset, offset + length, record, offset, offset + length);
    }
}
