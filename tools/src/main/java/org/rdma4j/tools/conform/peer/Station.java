package org.rdma4j.tools.conform.peer;

import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.tools.conform.check.Timing;
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

    /** Both ends are in this process and have threads of their own. */
    private static final Timing IN_PROCESS = new Timing(3_000_000_000L, 25_000_000L, 100_000_000L);

    /** Over UDP sockets, the device at one address of this host's and the hand-played side at another. */
    static Station udp(String deviceAddress, String wireAddress) {
        Wire wire = Wire.driven(Links.open("roce2:" + wireAddress, LinkOptions.DEFAULT));
        try {
            return new Station(DeviceContext.open("roce2:" + deviceAddress), wire, Pace.REAL, IN_PROCESS);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    /** Over IPv6 inside of this process: a host has but one IPv6 loopback address. */
    static Station ipv6() {
        LoopNetwork network = new LoopNetwork();
        Link near = network.join(new Gid(0xFD77L << 48, 1));
        DeviceContext device = DeviceContext.on(network.join(new Gid(0xFD77L << 48, 2)), DeviceOptions.defaults());
        return new Station(device, Wire.driven(near), Pace.REAL, IN_PROCESS);
    }

    @Override
    public void close() {
        device.close();
        wire.close();
    }
}
