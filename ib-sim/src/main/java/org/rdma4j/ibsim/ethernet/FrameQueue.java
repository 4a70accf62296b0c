package org.rdma4j.ibsim.ethernet;

/** What waits to leave a port in one traffic class, first in, first out, and how long that queue was. */
public final class FrameQueue {

    private EthernetFrame first;
    private EthernetFrame last;
    private int bytes;
    private int longest;
    private double byteTime; // bytes times ps
    private long changedAt;

    void add(EthernetFrame frame, long now) {
        frame.next = null;
        if (first == null) {
            first = frame;
        } else {
            last.next = frame;
        }
        last = frame;
        change(frame.size(), now);
        longest = Math.max(longest, bytes);
    }

    EthernetFrame take(long now) {
        EthernetFrame frame = first;
        first = frame.next;
        if (first == null) {
            last = null;
        }
        frame.next = null;
        change(-frame.size(), now);
        return frame;
    }

    private void change(int by, long now) {
        byteTime += (double) bytes * (now - changedAt);
        changedAt = now;
        bytes += by;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Bytes that wait. */
    public int bytes() {
        return bytes;
    }

    /** The most bytes that ever waited. */
    public int longest() {
        return longest;
    }

    /** Bytes that waited on average from the start to a time, ps. */
    public double mean(long now) {
        return now == 0 ? 0 : (byteTime + (double) bytes * (now - changedAt)) / now;
    }
}
