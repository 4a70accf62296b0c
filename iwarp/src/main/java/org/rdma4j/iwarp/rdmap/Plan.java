package org.rdma4j.iwarp.rdmap;

import java.util.Arrays;

/** The FPDUs of a train: where each one ends, and where the stream stands before and after it. One for all queue pairs. */
final class Plan {

    private static final int MOST = 256;

    private final Cursor[] before = cursors();
    private final Cursor[] after = cursors();
    private final int[] ends = new int[MOST];
    private int count;

    private static Cursor[] cursors() {
        Cursor[] cursors = new Cursor[MOST];
        Arrays.setAll(cursors, _ -> new Cursor());
        return cursors;
    }

    void clear() {
        count = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == MOST;
    }

    /** A FPDU is about to be made; its message is chosen. */
    void begin(Cursor cursor) {
        before[count].copyFrom(cursor);
    }

    /** It was made. @param end bytes of the train with it */
    void end(Cursor cursor, int end) {
        after[count].copyFrom(cursor);
        ends[count++] = end;
    }

    /**
     * Moves a cursor behind the FPDUs that were taken whole, and into the one that was taken in part.
     *
     * @return bytes of that one that were taken
     */
    int advance(Cursor cursor, int taken) {
        int whole = 0;
        while (whole < count && ends[whole] <= taken) {
            whole++;
        }
        int start = whole == 0 ? 0 : ends[whole - 1];
        if (taken > start) {
            cursor.copyFrom(before[whole]);
            return taken - start;
        }
        if (whole > 0) {
            cursor.copyFrom(after[whole - 1]);
        }
        return 0;
    }
}
