package org.rdma4j.verbs;

import java.security.SecureRandom;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;

/**
 * How a device is opened; every {@code with…} gives a changed copy.
 *
 * @param progress who drives it
 * @param link what the link is told
 * @param around wraps the link: faults, or whatever stands between the stack and the wire
 * @param random where queue pair numbers and keys come from
 * @param clock nanoseconds; tests give a virtual one
 * @param congestion how RoCE v2 congestion control is set; {@code null} where it is off
 * @param pkeys the port's P_Key table, bit 15 set for a full member: 1 to 128 entries, 0 for an empty one
 */
public record DeviceOptions(
        Progress progress,
        LinkOptions link,
        UnaryOperator<Link> around,
        IntSupplier random,
        LongSupplier clock,
        Dcqcn congestion,
        List<Integer> pkeys) {

    /** The default partition, full member. */
    private static final List<Integer> DEFAULT_PARTITION = List.of(0xFFFF);

    /** A thread of its own, the system's clock, numbers that nobody can predict. */
    public static DeviceOptions defaults() {
        SecureRandom random = new SecureRandom();
        return new DeviceOptions(
                Progress.THREAD,
                LinkOptions.DEFAULT,
                UnaryOperator.identity(),
                random::nextInt,
                System::nanoTime,
                null,
                DEFAULT_PARTITION);
    }

    public DeviceOptions withProgress(Progress value) {
        return new DeviceOptions(value, link, around, random, clock, congestion, pkeys);
    }

    public DeviceOptions withLink(LinkOptions value) {
        return new DeviceOptions(progress, value, around, random, clock, congestion, pkeys);
    }

    public DeviceOptions withLinkAround(UnaryOperator<Link> value) {
        return new DeviceOptions(progress, link, value, random, clock, congestion, pkeys);
    }

    public DeviceOptions withRandom(IntSupplier value) {
        return new DeviceOptions(progress, link, around, value, clock, congestion, pkeys);
    }

    public DeviceOptions withClock(LongSupplier value) {
        return new DeviceOptions(progress, link, around, random, value, congestion, pkeys);
    }

    /** Marks of congestion are told to their senders, and queue pairs send at the rate that their peers' CNPs leave them. */
    public DeviceOptions withCongestionControl(Dcqcn value) {
        return new DeviceOptions(progress, link, around, random, clock, value, pkeys);
    }

    /** The partitions that the port is in; what a queue pair's P_Key index counts in. */
    public DeviceOptions withPkeys(Integer... table) {
        return new DeviceOptions(progress, link, around, random, clock, congestion, List.of(table));
    }
}
