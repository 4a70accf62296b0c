package org.rdma4j.conformance;

import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.QpType;

/** What a connection is made with; every {@code with…} changes one thing. */
final class Setup {

    static final int ALL_ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    QpType type = QpType.RC;
    int qKey = 0x1111_1111;

    /** The first PSN of the peer's requests. */
    int peerPsn = 0x000100;

    /** The first PSN of the device's requests. */
    int devicePsn = 0x5A5A00;

    int pathMtu = 256;
    int access = ALL_ACCESS;
    int maxRdAtomic = 4;
    int maxDestRdAtomic = 4;
    int minRnrTimer = 12;
    int timeout = 14;
    int retryCount = 3;
    int rnrRetry = 3;
    int maxSends = 64;
    int maxReceives = 64;
    int maxSge = 4;
    int maxInline = 64;
    int completions = 256;
    boolean signalAll;
    int receiveBuffer = 1 << 24;
    int srqDepth;
    boolean extendedOps;
    Dcqcn congestion; // null where it is off

    Setup withType(QpType value) {
        type = value;
        return this;
    }

    Setup withQKey(int value) {
        qKey = value;
        return this;
    }

    Setup withPsns(int psn) {
        peerPsn = psn;
        devicePsn = psn;
        return this;
    }

    Setup withPathMtu(int bytes) {
        pathMtu = bytes;
        return this;
    }

    Setup withAccess(int flags) {
        access = flags;
        return this;
    }

    Setup withRdAtomic(int asRequester, int asResponder) {
        maxRdAtomic = asRequester;
        maxDestRdAtomic = asResponder;
        return this;
    }

    Setup withMinRnrTimer(int code) {
        minRnrTimer = code;
        return this;
    }

    Setup withTimeout(int code) {
        timeout = code;
        return this;
    }

    Setup withRetryCount(int count) {
        retryCount = count;
        return this;
    }

    Setup withRnrRetry(int count) {
        rnrRetry = count;
        return this;
    }

    Setup withDepths(int sends, int receives) {
        maxSends = sends;
        maxReceives = receives;
        return this;
    }

    Setup withSge(int pieces) {
        maxSge = pieces;
        return this;
    }

    Setup withInline(int bytes) {
        maxInline = bytes;
        return this;
    }

    Setup withCompletions(int entries) {
        completions = entries;
        return this;
    }

    Setup withSignalAll() {
        signalAll = true;
        return this;
    }

    /** FLUSH and ATOMIC_WRITE are spoken. */
    Setup withExtendedOps() {
        extendedOps = true;
        return this;
    }

    /** Congestion control is on. */
    Setup withCongestion(Dcqcn settings) {
        congestion = settings;
        return this;
    }

    /** Receives come from a shared queue of this depth. */
    Setup withSrq(int depth) {
        srqDepth = depth;
        return this;
    }

    /** Bytes of receive buffer that the device's link claims: decides the largest window. */
    Setup withReceiveBuffer(int bytes) {
        receiveBuffer = bytes;
        return this;
    }
}
