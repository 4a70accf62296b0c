package org.rdma4j.analysis;

import java.util.EnumMap;
import java.util.Map;

/** What was counted of one direction's requests and their responses. */
public final class FlowFigures {

    long packets;
    long firstTime;
    long lastTime;
    long payloadBytes;
    long resent;
    long copies;
    long late;
    long lost;
    long lostResponses;
    long messages;
    long messageBytes;
    long smallestMessage = Long.MAX_VALUE;
    long largestMessage;
    long responses;
    long acks;
    long naks;
    long rnrs;
    long repeatedResponses;
    long marked;
    long cnps;
    int leastCredits = -1;
    int lastCredits = -1;
    int mostOutstandingReads;
    final Spread ackLatency = new Spread();
    final Spread readLatency = new Spread();
    final Map<Resend, Long> rounds = new EnumMap<>(Resend.class);

    FlowFigures() {}

    /** Requests, all of them. */
    public long packets() {
        return packets;
    }

    /** Bytes that requests brought or READs fetched, each counted once. */
    public long payloadBytes() {
        return payloadBytes;
    }

    /** Requests that the requester sent again. */
    public long resent() {
        return resent;
    }

    /** Requests that the network doubled. */
    public long copies() {
        return copies;
    }

    /** Requests that were overtaken. */
    public long late() {
        return late;
    }

    /** Requests that must have been sent and did not come by. */
    public long lost() {
        return Math.max(0, lost);
    }

    /** The same of responses. */
    public long lostResponses() {
        return lostResponses;
    }

    /** Messages whose end was seen. */
    public long messages() {
        return messages;
    }

    public long smallestMessage() {
        return messages == 0 ? 0 : smallestMessage;
    }

    public long largestMessage() {
        return largestMessage;
    }

    public long meanMessage() {
        return messages == 0 ? 0 : messageBytes / messages;
    }

    public long responses() {
        return responses;
    }

    public long acks() {
        return acks;
    }

    /** NAKs without RNR NAKs. */
    public long naks() {
        return naks;
    }

    public long rnrs() {
        return rnrs;
    }

    /** READ responses and atomic acknowledges that were there before. */
    public long repeatedResponses() {
        return repeatedResponses;
    }

    /** Requests marked "congestion experienced". */
    public long marked() {
        return marked;
    }

    /** Congestion notifications to the requester. */
    public long cnps() {
        return cnps;
    }

    /** The fewest receives that an acknowledge granted; -1 where none said. */
    public int leastCredits() {
        return leastCredits;
    }

    public int mostOutstandingReads() {
        return mostOutstandingReads;
    }

    /** From the request that an acknowledge names to it, nanoseconds; without packets that were sent again. */
    public Spread ackLatency() {
        return ackLatency;
    }

    /** From a READ or atomic to its last response. */
    public Spread readLatency() {
        return readLatency;
    }

    /** How often the requester went back, by what made it. */
    public Map<Resend, Long> rounds() {
        return rounds;
    }

    /** Nanoseconds from the first packet to the last. */
    public long span() {
        return lastTime - firstTime;
    }

    /** Payload bits a second over that time, each byte counted once; 0 where there is no time. */
    public double goodput() {
        return span() <= 0 ? 0 : payloadBytes * 8e9 / span();
    }

    void message(long bytes) {
        messages++;
        if (bytes >= 0) {
            messageBytes += bytes;
            smallestMessage = Math.min(smallestMessage, bytes);
            largestMessage = Math.max(largestMessage, bytes);
        }
    }
}
