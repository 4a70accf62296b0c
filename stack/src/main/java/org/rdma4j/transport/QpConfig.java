package org.rdma4j.transport;

import org.rdma4j.link.Route;
import org.rdma4j.wire.Bth;

/** What a queue pair was told by {@code ibv_modify_qp}: plain values, checked by the caller. */
public final class QpConfig {

    /** A counter of retries that never ends (9.7.5.2.8): only the RNR counter has it. */
    static final int RNR_INFINITE = 7;

    private static final int DEFAULT_PKEY = 0xFFFF;

    /** Matches nothing (10.9.3). */
    private static final int NO_PKEY = 0;

    private int pKey = DEFAULT_PKEY;
    private boolean migrated = true;

    /** What goes into the BTH of every packet: {@link Bth#path}. */
    int path = Bth.path(true, DEFAULT_PKEY);

    /** The P_Key that a packet passes with at once; one that matches nothing where each has to be looked at. */
    int plainPKey = DEFAULT_PKEY;

    /** Bits of {@link org.rdma4j.memory.AccessFlags} that requests of the peer may use. */
    public int access;

    /** FLUSH and ATOMIC_WRITE are spoken with this peer. */
    public boolean extendedOps;

    public int qKey;
    public Route route;

    /** Bytes: 256 to 4096. */
    public int pathMtu = 256;

    public int destQpn;

    /** The first PSN that is expected from the peer. */
    public int rqPsn;

    /** The first PSN that is sent. */
    public int sqPsn;

    /** READs and atomics that may be outstanding, as requester. */
    public int maxRdAtomic;

    /** READs and atomics whose responses are kept, as responder. */
    public int maxDestRdAtomic;

    /** The code in our RNR NAKs, 0 to 31. */
    public int minRnrTimer;

    /** The local ACK timeout is 4.096 µs · 2^timeout; 0 means none. */
    public int timeout;

    public int retryCount;
    public int rnrRetry;

    /** COMM_EST comes with the first packet in RTS too, not only in RTR: connection management waits for it (12.9.6). */
    public boolean tellFirstPacket;

    public int pKey() {
        return pKey;
    }

    /** @param value the partition; the membership bit is part of it */
    public void pKey(int value) {
        pKey = value;
        derive();
    }

    /** Tells the peer so with each packet; while it is not so, each of the peer's is looked at. */
    void announce(boolean isMigrated) {
        migrated = isMigrated;
        derive();
    }

    private void derive() {
        path = Bth.path(migrated, pKey);
        plainPKey = migrated ? pKey : NO_PKEY;
    }

    /** The local ACK timeout in ns; 0 for none. */
    long timeoutNanos() {
        return timeout == 0 ? 0 : 4096L << timeout;
    }
}
