package org.rdma4j.tools.replay;

/** What one end of a TCP connection of a capture said until the other one spoke. */
final class Turn {

    private final boolean byOpener;
    private final int first;
    private final int last;
    private final long time;
    private final byte[] bytes;

    /**
     * @param byOpener whether it was the end that opened the connection
     * @param first the frame where it began
     * @param last the frame that ended it
     * @param time when it began, nanoseconds since 1970
     */
    Turn(boolean byOpener, int first, int last, long time, byte[] bytes) {
        this.byOpener = byOpener;
        this.first = first;
        this.last = last;
        this.time = time;
        this.bytes = bytes;
    }

    boolean byOpener() {
        return byOpener;
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    long time() {
        return time;
    }

    /** The bytes themselves, not to be changed. */
    byte[] bytes() {
        return bytes;
    }
}
