package org.rdma4j.analysis;

/** Something that makes a requester go back: where to, since when, and whether it has done so. */
final class Ask {

    final Resend kind;
    final int psn;
    final long frame;
    final long time;

    /** What an RNR NAK asks to wait. */
    final long nanos;

    boolean isDone;

    Ask(Resend kind, int psn, PacketView packet, long nanos) {
        this.kind = kind;
        this.psn = psn;
        this.frame = packet.frame;
        this.time = packet.time;
        this.nanos = nanos;
    }
}
