package org.rdma4j.verbs;

import java.security.SecureRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
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
 */
public record DeviceOptions(
        Progress progress, LinkOptions link, UnaryOperator<Link> around, IntSupplier random, LongSupplier clock) {

    /** A thread of its own, the system's clock, numbers that nobody can predict. */
    public static DeviceOptions defaults() {
        SecureRandom random = new SecureRandom();
        return new DeviceOptions(
                Progress.THREAD, LinkOptions.DEFAULT, UnaryOperator.identity(), random::nextInt, System::nanoTime);
    }

    public DeviceOptions withProgress(Progress value) {
        return new DeviceOptions(value, link, around, random, clock);
    }

    public DeviceOptions withLink(LinkOptions value) {
        return new DeviceOptions(progress, value, around, random, clock);
    }

    public DeviceOptions withLinkAround(UnaryOperator<Link> value) {
        return new DeviceOptions(progress, link, value, random, clock);
    }

    public DeviceOptions withRandom(IntSupplier value) {
        return new DeviceOptions(progress, link, around, value, clock);
    }

    public DeviceOptions withClock(LongSupplier value) {
        return new DeviceOptions(progress, link, around, random, value);
    }
}
