package org.rdma4j.rocev2.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.rocev2.udp.FrameShow;
import org.rdma4j.rocev2.udp.FramingTransmitter;

/** Sends each packet by one call: channels know nothing of trains. */
final class NioTransmitter extends FramingTransmitter {

    /** How long a full socket is waited for before the packet counts as lost. */
    private static final long PATIENCE_NANOS = 100_000;

    private static final int PATIENCE_ROUNDS = 100;

    private final LinkCounters counters;

    NioTransmitter(boolean ipv4, LinkCounters counters, FrameShow show) {
        super(ipv4, false, 1, show);
        this.counters = counters;
    }

    @Override
    protected void transmit() {
        NioRoute route = (NioRoute) train.route();
        int length = train.length();
        if (send(route, train.copied())) {
            counters.sentTrains++;
            counters.sentPackets++;
            counters.sentBytes += length;
            if (isWatched()) {
                showSent(copyOfTrain(), 0, 0);
            }
        } else {
            counters.sendErrors++;
        }
        train.clear();
    }

    private static boolean send(NioRoute route, ByteBuffer datagram) {
        try {
            route.from.mark(route.attributes().trafficClass());
            for (int round = 0; round < PATIENCE_ROUNDS; round++) {
                if (route.from.send(datagram, route.to)) {
                    return true;
                }
                LockSupport.parkNanos(PATIENCE_NANOS);
            }
            return false;
        } catch (IOException e) {
            return false; // the network does not take it: lost, as on a wire
        }
    }
}
