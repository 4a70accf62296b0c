package org.rdma4j.iwarp.mpa;

import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.rdma4j.iwarp.wire.EnhancedData;

/**
 * What one side wants of a connection; every {@code with…} gives a changed copy.
 *
 * @param enhanced speaks revision 2 with IRD and ORD (RFC 6581); without it revision 1. A responder without it refuses
 *     revision 2
 * @param crc asks for CRCs
 * @param crcRule when CRCs are used
 * @param receivesMarkers asks the peer for markers
 * @param sendsMarkers sends markers to a peer that asks for them; without it such a peer is refused, as siw does
 * @param peerToPeer an initiator asks that the responder may send first
 * @param rtrKinds what it can start such a connection with, or be started with; not empty
 * @param sendsFirst a responder sends before the initiator's first FPDU, against RFC 5044, 7.1.2: for applications whose
 *     server speaks first over a connection that is not peer-to-peer
 * @param maxIrd READs that it can take on at once; a responder's application may take fewer
 * @param maxOrd READs that it can have outstanding at once
 * @param requestTimeout nanoseconds that a request may take to arrive in whole
 * @param replyTimeout nanoseconds that a reply may take to arrive in whole
 */
public record MpaSettings(
        boolean enhanced,
        boolean crc,
        CrcRule crcRule,
        boolean receivesMarkers,
        boolean sendsMarkers,
        boolean peerToPeer,
        Set<RtrKind> rtrKinds,
        boolean sendsFirst,
        int maxIrd,
        int maxOrd,
        long requestTimeout,
        long replyTimeout) {

    /** siw's depths and times: 128 READs, 5 s for the request, 10 s for the reply. */
    private static final int DEPTH = 128;

    private static final long REQUEST_TIMEOUT = Duration.ofSeconds(5).toNanos();
    private static final long REPLY_TIMEOUT = Duration.ofSeconds(10).toNanos();

    /** @throws IllegalArgumentException for a depth that does not fit its field, or no kind of RTR message */
    public MpaSettings {
        rtrKinds = Set.copyOf(rtrKinds);
        if (rtrKinds.isEmpty()) {
            throw new IllegalArgumentException("no kind of ready-to-receive message");
        }
        checkDepth("IRD", maxIrd);
        checkDepth("ORD", maxOrd);
    }

    static void checkDepth(String name, int depth) {
        if (depth < 0 || depth > EnhancedData.MAX_DEPTH) {
            throw new IllegalArgumentException(name + " " + depth + " is not within 0 to " + EnhancedData.MAX_DEPTH);
        }
    }

    /** Revision 2, no CRC unless asked for, no markers wanted, client and server. */
    public static MpaSettings defaults() {
        return new Draft().settings();
    }

    /** What is to become of settings: at first the defaults. */
    private static final class Draft {
        private boolean enhanced = true;
        private boolean crc;
        private CrcRule crcRule = CrcRule.RFC;
        private boolean receivesMarkers;
        private boolean sendsMarkers = true;
        private boolean peerToPeer;
        private Set<RtrKind> rtrKinds = Set.of(RtrKind.values());
        private boolean sendsFirst;
        private int maxIrd = DEPTH;
        private int maxOrd = DEPTH;
        private long requestTimeout = REQUEST_TIMEOUT;
        private long replyTimeout = REPLY_TIMEOUT;

        MpaSettings settings() {
            return new MpaSettings(
                    enhanced,
                    crc,
                    crcRule,
                    receivesMarkers,
                    sendsMarkers,
                    peerToPeer,
                    rtrKinds,
                    sendsFirst,
                    maxIrd,
                    maxOrd,
                    requestTimeout,
                    replyTimeout);
        }
    }

    private MpaSettings with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.enhanced = enhanced;
        draft.crc = crc;
        draft.crcRule = crcRule;
        draft.receivesMarkers = receivesMarkers;
        draft.sendsMarkers = sendsMarkers;
        draft.peerToPeer = peerToPeer;
        draft.rtrKinds = rtrKinds;
        draft.sendsFirst = sendsFirst;
        draft.maxIrd = maxIrd;
        draft.maxOrd = maxOrd;
        draft.requestTimeout = requestTimeout;
        draft.replyTimeout = replyTimeout;
        change.accept(draft);
        return draft.settings();
    }

    public MpaSettings withEnhanced(boolean value) {
        return with(draft -> draft.enhanced = value);
    }

    public MpaSettings withCrc(boolean value, CrcRule rule) {
        return with(draft -> {
            draft.crc = value;
            draft.crcRule = rule;
        });
    }

    public MpaSettings withMarkers(boolean receives, boolean sends) {
        return with(draft -> {
            draft.receivesMarkers = receives;
            draft.sendsMarkers = sends;
        });
    }

    public MpaSettings withPeerToPeer(boolean value) {
        return with(draft -> draft.peerToPeer = value);
    }

    public MpaSettings withRtrKinds(Set<RtrKind> value) {
        return with(draft -> draft.rtrKinds = value);
    }

    public MpaSettings withSendsFirst(boolean value) {
        return with(draft -> draft.sendsFirst = value);
    }

    public MpaSettings withDepths(int ird, int ord) {
        return with(draft -> {
            draft.maxIrd = ird;
            draft.maxOrd = ord;
        });
    }

    public MpaSettings withTimeouts(long request, long reply) {
        return with(draft -> {
            draft.requestTimeout = request;
            draft.replyTimeout = reply;
        });
    }
}
