package org.rdma4j.ibsim.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.fabric.WaitGraph;
import org.rdma4j.ibsim.host.Host;
import org.rdma4j.ibsim.host.VirtualHost;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * What hosts do with a fabric. Make one when the subnet is up, start it by one of its patterns, and {@link #run} it.
 */
public final class Traffic implements AutoCloseable {

    private static final int DEPTH = 16;
    private static final int LARGEST_MESSAGE = 1 << 20;
    private static final int PSN_STEP = 0x1234;
    private static final long MILLISECOND = 1_000_000_000;

    private final EventQueue events;
    private final Supplier<List<String>> loops;
    private final List<TrafficHost> hosts = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private final List<RingAllReduce> reductions = new ArrayList<>();
    private List<String> creditLoop = List.of();
    private long bytes;

    /** With all channel adapters of a fabric, by their first ports. */
    public Traffic(Fabric fabric, long seed) {
        this(hosts(fabric, seed), fabric.events(), () -> WaitGraph.findLoop(fabric));
    }

    /** With hosts of any fabric; they are closed with it. */
    public Traffic(List<? extends VirtualHost> hosts, EventQueue events) {
        this(hosts, events, List::of);
    }

    private Traffic(List<? extends VirtualHost> members, EventQueue events, Supplier<List<String>> loops) {
        this.events = events;
        this.loops = loops;
        for (VirtualHost host : members) {
            hosts.add(new TrafficHost(host, DEPTH));
        }
        if (hosts.size() < 2) {
            throw new TopologyException("traffic needs two hosts with a cable; the fabric has " + hosts.size());
        }
    }

    private static List<VirtualHost> hosts(Fabric fabric, long seed) {
        List<VirtualHost> hosts = new ArrayList<>();
        for (Node node : fabric.nodes()) {
            if (node instanceof ChannelAdapter adapter && adapter.port(1).peer() != null) {
                hosts.add(new Host(adapter, 1, seed + hosts.size()));
            }
        }
        return hosts;
    }

    /** Each host sends to each other one. */
    public void allToAll(long bytesEach) {
        for (TrafficHost from : hosts) {
            for (TrafficHost to : hosts) {
                if (from != to) {
                    stream(from, to, bytesEach);
                }
            }
        }
    }

    /** All hosts but the first send to the first. */
    public void incast(long bytesEach) {
        for (TrafficHost from : hosts.subList(1, hosts.size())) {
            stream(from, hosts.getFirst(), bytesEach);
        }
    }

    /**
     * All hosts but the first two send to the first, and the last one of them to the second as well: a victim, which has
     * nothing to do with the first one's troubles.
     */
    public void victim(long bytesEach) {
        if (hosts.size() < 4) {
            throw new TopologyException("a victim needs four hosts; the fabric has " + hosts.size());
        }
        for (TrafficHost from : hosts.subList(2, hosts.size())) {
            stream(from, hosts.getFirst(), bytesEach);
        }
        stream(hosts.getLast(), hosts.get(1), bytesEach);
    }

    /** Each host sends to the one that is {@code distance} farther in their order. */
    public void shift(int distance, long bytesEach) {
        for (int at = 0; at < hosts.size(); at++) {
            int to = Math.floorMod(at + distance, hosts.size());
            if (to != at) {
                stream(hosts.get(at), hosts.get(to), bytesEach);
            }
        }
    }

    /** Each host sends to each of the {@code count} that come next in their order. */
    public void neighbours(int count, long bytesEach) {
        for (int distance = 1; distance <= Math.min(count, hosts.size() - 1); distance++) {
            shift(distance, bytesEach);
        }
    }

    /** A ring all-reduce of a vector of so many bytes: each host sends 2 (n - 1) / n of it to the next. */
    public void ringAllReduce(long vectorBytes) {
        RingAllReduce reduction = new RingAllReduce(hosts, this::newStream, vectorBytes);
        reductions.add(reduction);
        bytes += reduction.bytes();
        reduction.start();
    }

    private void stream(TrafficHost from, TrafficHost to, long count) {
        int message = (int) Math.min(count, LARGEST_MESSAGE);
        if (message <= 0) {
            throw new TopologyException(count + " bytes of traffic are none");
        }
        long messages = (count + message - 1) / message;
        bytes += messages * message;
        newStream(from, to, message).send(messages, message);
    }

    private Stream newStream(TrafficHost from, TrafficHost to, int message) {
        from.provide(message);
        to.provide(message);
        Stream stream = new Stream(from, to, DEPTH, streams.size() * PSN_STEP);
        streams.add(stream);
        return stream;
    }

    public boolean isFinished() {
        return streams.stream().allMatch(Stream::isFinished)
                && reductions.stream().allMatch(RingAllReduce::isFinished);
    }

    /** Streams whose data has all been acknowledged. */
    public long finished() {
        return streams.stream().filter(Stream::isFinished).count();
    }

    /** What hosts were told to send, in the order in which they were told. */
    public List<Stream> flows() {
        return List.copyOf(streams);
    }

    public int streams() {
        return streams.size();
    }

    private boolean isOver() {
        return isFinished() || streams.stream().allMatch(stream -> stream.isFinished() || stream.failure() != null);
    }

    /** Packets that hosts have dropped for a wrong ICRC. */
    public long icrcErrors() {
        return hosts.stream()
                .mapToLong(host -> host.host().device().linkCounters().icrcErrors)
                .sum();
    }

    /** Bytes that were to be moved. */
    public long bytes() {
        return bytes;
    }

    /**
     * Runs the fabric until all has arrived, or nothing can move any more.
     *
     * @param limit ps of virtual time at most
     * @return false where the limit was reached before, or a credit loop has been found: {@link #creditLoop}
     */
    public boolean run(long limit) {
        long end = events.now() + limit;
        List<String> before = List.of();
        while (!isOver() && events.next() <= end) {
            events.runUntil(Math.min(end, events.now() + MILLISECOND));
            List<String> loop = loops.get();
            if (!loop.isEmpty() && loop.equals(before)) {
                creditLoop = loop; // credit on its way would have come within a millisecond
                return false;
            }
            before = loop;
        }
        return isFinished();
    }

    /** The lanes that wait for each other in a circle; empty where none do. */
    public List<String> creditLoop() {
        return creditLoop;
    }

    /** When the last stream was finished, ns of virtual time. */
    public long finishedAt() {
        return streams.stream().mapToLong(Stream::finishedAt).max().orElse(0);
    }

    @Override
    public void close() {
        hosts.forEach(TrafficHost::close);
    }
}
