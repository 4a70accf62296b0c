package org.rdma4j.tools.conform.peer;

import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.CableEnd;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.wire.Gid;

/**
 * A device of this process with the hand-played side's wire beside it.
 *
 * @param device the one under test
 */
public record Station(DeviceContext device, Wire wire, Pace pace, Timing timing) implements AutoCloseable {

    /**
     * What a check needs.
     *
     * @param ipv6 in place of IPv4
     * @param congestionControl the device tells of marks of congestion and heeds what it is told
     * @param cable over whole Ethernet frames
     */
    public record Kind(boolean ipv6, boolean congestionControl, boolean cable) {

        /** 100 Gb/s: nothing waits for its rate but behind a notification. */
        private static final Dcqcn CONGESTION = Dcqcn.at(100);

        public static Kind of(Check check, Variant variant) {
            return new Kind(variant.ipv6(), check.isCongestionControlled(), check.isFramed());
        }

        /** The options of the device under test. */
        public DeviceOptions options() {
            DeviceOptions options = DeviceOptions.defaults();
            return congestionControl ? options.withCongestionControl(CONGESTION) : options;
        }
    }

    /** Both ends are in this process and have threads of their own. */
    private static final Timing IN_PROCESS = new Timing(3_000_000_000L, 25_000_000L, 100_000_000L);

    /** Over UDP sockets, the device at one address of this host's and the hand-played side at another. */
    static Station udp(Kind kind, String deviceAddress, String wireAddress) {
        Wire wire = Wire.driven(Links.open("roce2:" + wireAddress, LinkOptions.DEFAULT));
        try {
            return between(DeviceContext.open("roce2:" + deviceAddress, kind.options()), wire);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    /** Over IPv6 inside of this process: a host has but one IPv6 loopback address. */
    static Station ipv6(Kind kind) {
        LoopNetwork network = new LoopNetwork();
        Link near = network.join(new Gid(0xFD77L << 48, 1));
        DeviceContext device = DeviceContext.on(network.join(new Gid(0xFD77L << 48, 2)), kind.options());
        return between(device, Wire.driven(near));
    }

    /** Over an Ethernet cable inside of this process. */
    static Station cable(Kind kind) {
        CableEnd[] ends = CableEnd.pair();
        DeviceContext device = DeviceContext.on(ends[0].link(), kind.options());
        Wire wire = Wire.driven(ends[1].link()).framing(ends[1].outlet());
        return between(device, wire);
    }

    /** Both are there. */
    static Station between(DeviceContext device, Wire wire) {
        return new Station(device, wire, Pace.REAL, IN_PROCESS);
    }

    @Override
    public void close() {
        device.close();
        wire.close();
    }
}
