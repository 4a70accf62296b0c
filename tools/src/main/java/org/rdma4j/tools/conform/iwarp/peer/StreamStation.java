package org.rdma4j.tools.conform.iwarp.peer;

import java.net.InetAddress;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.iwarp.Strands;
import org.rdma4j.tools.conform.iwarp.TcpStrands;
import org.rdma4j.verbs.DeviceContext;

/**
 * An iWARP device of this process, and where the hand-played side's connections with it come from.
 *
 * @param device the one under test
 */
public record StreamStation(DeviceContext device, Strands strands, Pace pace, Timing timing) {

    /** Both ends are in this process and have threads of their own. */
    private static final Timing IN_PROCESS = new Timing(3_000_000_000L, 25_000_000L, 100_000_000L);

    /** Over TCP, the device at one loopback address and the hand-played side at another. */
    static StreamStation loopback(String deviceAddress, String strandAddress) {
        return new StreamStation(
                DeviceContext.open("iwarp:" + deviceAddress),
                new TcpStrands(InetAddress.ofLiteral(strandAddress)),
                Pace.REAL,
                IN_PROCESS);
    }
}
