package org.rdma4j.iwarp.mpa;

import java.time.Duration;
import java.util.Set;
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
        return new MpaSettings(
                true,
                false,
                CrcRule.RFC,
                false,
                true,
                false,
                Set.of(RtrKind.values()),
                false,
                DEPTH,
                DEPTH,
                REQUEST_TIMEOUT,
                REPLY_TIMEOUT);
    }

    public MpaSettings withEnhanced(boolean value) {
        return new MpaSettings(
                value,
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

    public MpaSettings withCrc(boolean value, CrcRule rule) {
        return new MpaSettings(
                enhanced,
                value,
                rule,
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

    public MpaSettings withMarkers(boolean receives, boolean sends) {
        return new MpaSettings(
                enhanced,
                crc,
                crcRule,
                receives,
                sends,
                peerToPeer,
                rtrKinds,
                sendsFirst,
                maxIrd,
                maxOrd,
                requestTimeout,
                replyTimeout);
    }

    public MpaSettings withPeerToPeer(boolean value) {
        return new MpaSettings(
                enhanced,
                crc,
                crcRule,
                receivesMarkers,
                sendsMarkers,
                value,
                rtrKinds,
                sendsFirst,
                maxIrd,
                maxOrd,
                requestTimeout,
                replyTimeout);
    }

    public MpaSettings withRtrKinds(Set<RtrKind> value) {
        return new MpaSettings(
                enhanced,
                crc,
                crcRule,
                receivesMarkers,
                sendsMarkers,
                peerToPeer,
                value,
                sendsFirst,
                maxIrd,
                maxOrd,
                requestTimeout,
                replyTimeout);
    }

    public MpaSettings withSendsFirst(boolean value) {
        return new MpaSettings(
                enhanced,
                crc,
                crcRule,
                receivesMarkers,
                sendsMarkers,
                peerToPeer,
                rtrKinds,
                value,
                maxIrd,
                maxOrd,
                requestTimeout,
                replyTimeout);
    }

    public MpaSettings withDepths(int ird, int ord) {
        return new MpaSettings(
                enhanced,
                crc,
                crcRule,
                receivesMarkers,
                sendsMarkers,
                peerToPeer,
                rtrKinds,
                sendsFirst,
                ird,
                ord,
                requestTimeout,
                replyTimeout);
    }

    public MpaSettings withTimeouts(long request, long reply) {
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
                request,
                reply);
    }
}
