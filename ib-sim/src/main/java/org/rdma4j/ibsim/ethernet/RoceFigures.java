package org.rdma4j.ibsim.ethernet;

import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.rdma4j.ibsim.traffic.Stream;
import org.rdma4j.ibsim.traffic.Traffic;

/**
 * What a run on a RoCE fabric came to.
 *
 * @param finished all data has been acknowledged
 * @param nanos when the last flow was done, or the run was given up
 * @param bytes of data that were to be moved
 * @param packets with payload that this takes at least
 * @param resent packets with payload that were sent besides
 * @param goBacks of requesters: a NAK or a timeout each
 * @param timeouts of acknowledgements
 * @param tailDrops frames that found no room in a switch
 * @param headroomDrops frames of the class without loss that found no room all the same
 * @param marked frames that a switch marked
 * @param cnpsSent by receivers
 * @param cnpsHandled by senders
 * @param pauses PFC frames that stopped a class
 * @param pausedNanos for which classes were stopped, of all ports together
 * @param hottest the port of a switch that had the longest queue of RoCE data
 * @param longestQueue its longest, bytes
 * @param meanQueue the average over the run, bytes
 * @param flows who sent what to whom
 */
public record RoceFigures(
        boolean finished,
        long nanos,
        long bytes,
        long packets,
        long resent,
        long goBacks,
        long timeouts,
        long tailDrops,
        long headroomDrops,
        long marked,
        long cnpsSent,
        long cnpsHandled,
        long pauses,
        long pausedNanos,
        String hottest,
        int longestQueue,
        double meanQueue,
        List<Flow> flows) {

    /**
     * One connection's data.
     *
     * @param nanos until it was done; -1 where it was not
     * @param failure why it was given up; {@code null} where it was not
     */
    public record Flow(String from, String to, long bytes, long nanos, String failure) {

        static Flow of(Stream stream) {
            String failure = stream.failure() == null ? null : stream.failure().name();
            return new Flow(
                    stream.from(),
                    stream.to(),
                    stream.bytes(),
                    stream.isFinished() ? stream.finishedAt() : -1,
                    failure);
        }

        /** Gb/s of data; 0 where it was not done. */
        public double gigabits() {
            return nanos <= 0 ? 0 : bytes * 8.0 / nanos;
        }
    }

    /** Gb/s of data of all flows together; 0 where not all were done. */
    public double gigabits() {
        return finished && nanos > 0 ? bytes * 8.0 / nanos : 0;
    }

    static RoceFigures of(RoceFabric fabric, List<RoceHost> hosts, Traffic traffic) {
        long now = fabric.events().now();
        long nanos = traffic.isFinished() ? traffic.finishedAt() : now / 1000;
        List<Stream> streams = traffic.flows();
        long packets = streams.stream().mapToLong(Stream::packets).sum();
        EthernetPort hottest = hottest(fabric);
        FrameQueue queue = hottest.queue(RoceSettings.DATA_CLASS);
        return new RoceFigures(
                traffic.isFinished(),
                nanos,
                traffic.bytes(),
                packets,
                Math.max(0, sum(hosts, RoceHost::dataPackets) - packets),
                sum(hosts, host -> counter(host.device().counters().rxe(), "completer_retry_err")),
                sum(hosts, host -> counter(host.device().counters().mlx5(), "local_ack_timeout_err")),
                ofPorts(fabric, port -> port.counters().tailDrops),
                ofPorts(fabric, port -> port.counters().headroomDrops),
                ofPorts(fabric, port -> port.counters().marked),
                sum(hosts, host -> counter(host.device().counters().mlx5(), "np_cnp_sent")),
                sum(hosts, host -> counter(host.device().counters().mlx5(), "rp_cnp_handled")),
                ofPorts(fabric, port -> port.counters().pausesSent),
                ofPorts(fabric, port -> port.pausedTime(now)) / 1000,
                hottest.toString(),
                queue.longest(),
                queue.mean(nanos * 1000),
                streams.stream().map(Flow::of).toList());
    }

    private static EthernetPort hottest(RoceFabric fabric) {
        EthernetPort hottest = null;
        for (EthernetNode node : fabric.nodes()) {
            for (EthernetPort port : node.ports()) {
                if (node instanceof EthernetSwitch && (hottest == null || longest(port) > longest(hottest))) {
                    hottest = port;
                }
            }
        }
        return hottest;
    }

    private static int longest(EthernetPort port) {
        return port.queue(RoceSettings.DATA_CLASS).longest();
    }

    private static long counter(Map<String, Long> counters, String name) {
        return counters.getOrDefault(name, 0L);
    }

    private static long sum(List<RoceHost> hosts, ToLongFunction<RoceHost> figure) {
        return hosts.stream().mapToLong(figure).sum();
    }

    private static long ofPorts(RoceFabric fabric, ToLongFunction<EthernetPort> figure) {
        return fabric.nodes().stream()
                .flatMap(node -> node.ports().stream())
                .mapToLong(figure)
                .sum();
    }
}
