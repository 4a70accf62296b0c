package org.rdma4j.ibsim.traffic;

import java.util.ArrayList;
import java.util.List;

/**
 * The data movement of a ring all-reduce: the vector is cut in as many parts as there are hosts, and in 2 (n - 1) steps each
 * host passes a part on to the next as soon as it has the one of the step before.
 */
final class RingAllReduce {

    private final List<Stream> toNext = new ArrayList<>();
    private final int steps;
    private final int part;
    private final int[] came;
    private final int[] sent;

    /** Makes a stream of messages of so many bytes at most. */
    @FunctionalInterface
    interface Connector {
        Stream connect(TrafficHost from, TrafficHost to, int message);
    }

    RingAllReduce(List<TrafficHost> hosts, Connector connector, long vectorBytes) {
        int count = hosts.size();
        steps = 2 * (count - 1);
        part = (int) Math.max(1, vectorBytes / count);
        came = new int[count];
        sent = new int[count];
        for (int at = 0; at < count; at++) {
            int next = (at + 1) % count;
            toNext.add(connector.connect(hosts.get(at), hosts.get(next), part));
            hosts.get(next).onArrival((qpNum, step) -> arrived(next));
        }
    }

    void start() {
        for (int at = 0; at < toNext.size(); at++) {
            pass(at);
        }
    }

    private void arrived(int host) {
        came[host]++;
        if (sent[host] < steps) {
            pass(host);
        }
    }

    private void pass(int host) {
        sent[host]++;
        toNext.get(host).sendAndTell(part, sent[host]);
    }

    boolean isFinished() {
        for (int count : came) {
            if (count < steps) {
                return false;
            }
        }
        return true;
    }

    /** Bytes that all hosts send together. */
    long bytes() {
        return (long) part * steps * toNext.size();
    }
}
