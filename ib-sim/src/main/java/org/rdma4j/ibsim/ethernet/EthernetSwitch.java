package org.rdma4j.ibsim.ethernet;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.UdpHeader;

/**
 * A switch that routes, as in a data centre's Clos network: store and forward, IPv4 to the host that a packet names, by the
 * shortest ways, one of several by a hash of addresses and ports (ECMP). It answers its hosts' ARP requests for their gateway.
 */
public final class EthernetSwitch extends EthernetNode {

    /** Crossing the switch, ps. */
    static final long LATENCY = 500_000;

    private static final int NETWORK = EthernetHeader.LENGTH;
    private static final int HEADERS = NETWORK + Ipv4Header.LENGTH + UdpHeader.LENGTH;
    private static final int PRIORITY_SHIFT = 5; // three bits of DSCP

    private final SwitchBuffer buffer;
    private final EcnMarker marker;
    private final long salt;
    private final List<EthernetPort[]> ways = new ArrayList<>();

    EthernetSwitch(RoceFabric fabric, String name, int ports, long firstMac, SplittableRandom random) {
        super(fabric, name);
        makePorts(ports, firstMac);
        buffer = new SwitchBuffer(name, ports, fabric.settings());
        marker = new EcnMarker(fabric.settings(), random);
        salt = random.nextLong();
    }

    /** Hosts come in the order of their numbers. */
    void route(int host, EthernetPort[] toHost) {
        ways.add(host, toHost);
    }

    /** The ports that lead nearer to a host. */
    EthernetPort[] ways(int host) {
        return host >= 0 && host < ways.size() ? ways.get(host) : new EthernetPort[0];
    }

    @Override
    long latency() {
        return LATENCY;
    }

    @Override
    void received(EthernetFrame frame, EthernetPort in, long now) {
        int type = EthernetHeader.etherType(frame.bytes, 0);
        if (type == EthernetHeader.ARP) {
            onArp(frame, in, now);
        } else if (type == EthernetHeader.IPV4 && frame.length >= HEADERS && forward(frame, in, now)) {
            return;
        } else {
            in.counters().otherDrops++;
        }
        fabric().giveBack(frame);
    }

    /** @return false where the frame is still the caller's: it goes nowhere */
    private boolean forward(EthernetFrame frame, EthernetPort in, long now) {
        EthernetPort[] choice = ways(fabric().hostAt(Ipv4Header.destination(frame.bytes, NETWORK)));
        if (choice.length == 0 || Ipv4Header.timeToLive(frame.bytes, NETWORK) <= 1) {
            return false;
        }
        EthernetPort out = choice.length == 1 ? choice[0] : choice[(int) ((hash(frame) >>> 33) % choice.length)];
        int trafficClass = Ipv4Header.trafficClass(frame.bytes, NETWORK);
        frame.priority = trafficClass >> PRIORITY_SHIFT;
        if (!buffer.admit(frame, in, out, now)) {
            fabric().giveBack(frame);
            return true;
        }
        frame.heldFor = in;
        if (marker.marks(trafficClass, out.queue(frame.priority).bytes())) {
            trafficClass |= Ecn.CONGESTED;
            out.counters().marked++;
        }
        Ipv4Header.forward(frame.bytes, NETWORK, trafficClass);
        EthernetHeader.write(frame.bytes, 0, out.peer().mac(), out.mac(), EthernetHeader.IPV4);
        out.enqueue(frame, now);
        return true;
    }

    /** Spreads flows, each switch in its own way: what differs are the UDP source ports (annex A17). */
    private long hash(EthernetFrame frame) {
        long addresses = (long) Ipv4Header.source(frame.bytes, NETWORK) << 32
                ^ Ipv4Header.destination(frame.bytes, NETWORK) & 0xFFFF_FFFFL;
        long port = UdpHeader.sourcePort(frame.bytes, NETWORK + Ipv4Header.LENGTH);
        return mix(mix(addresses ^ salt) ^ port);
    }

    /** The finalizer of MurmurHash3. */
    private static long mix(long value) {
        long bits = (value ^ value >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
        bits = (bits ^ bits >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
        return bits ^ bits >>> 33;
    }

    private void onArp(EthernetFrame frame, EthernetPort in, long now) {
        ArpPacket request = ArpPacket.parse(frame.bytes, NETWORK);
        if (request.operation() != ArpPacket.REQUEST || request.targetAddress() != fabric().gateway(in)) {
            return;
        }
        EthernetFrame answer = fabric().newFrame();
        answer.bytes.fill((byte) 0);
        EthernetHeader.write(answer.bytes, 0, request.senderMac(), in.mac(), EthernetHeader.ARP);
        new ArpPacket(ArpPacket.REPLY, in.mac(), request.targetAddress(), request.senderMac(), request.senderAddress())
                .emit(answer.bytes, NETWORK);
        answer.length = EthernetHeader.MINIMUM_FRAME;
        in.enqueue(answer, now);
    }

    @Override
    void left(EthernetPort in, int priority, int size, long now) {
        buffer.release(in, priority, size, now);
    }
}
