package org.rdma4j.transport;

/** What a device's congestion control counts. Written by the driving thread; a reader elsewhere may see a value late. */
public final class CongestionCounters {

    private long marked;
    private long notified;
    private long handled;

    void markSeen() {
        marked++;
    }

    void cnpSent() {
        notified++;
    }

    void cnpHandled() {
        handled++;
    }

    /** Packets that came with the mark of congestion: np_ecn_marked_roce_packets. */
    public long marked() {
        return marked;
    }

    /** CNPs sent: np_cnp_sent. */
    public long notified() {
        return notified;
    }

    /** CNPs that a queue pair's rate was cut for: rp_cnp_handled. */
    public long handled() {
        return handled;
    }
}
