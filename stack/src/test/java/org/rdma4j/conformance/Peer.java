package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Packet;

/** The peer that a test plays by hand: sends what it likes, and says what it expects back, packet by packet. */
final class Peer {

    /** Its queue pair's number. */
    static final int QPN = 0x00BEEF;

    /** Its memory, which does not exist: what the device's requests name. */
    static final long ADDRESS = 0x7000_0000_1000L;

    static final int R_KEY = 0x0BADCAFE;

    private final RcScene scene;
    private final HandPlayedLink link;

    Peer(RcScene scene, HandPlayedLink link) {
        this.scene = scene;
        this.link = link;
    }

    /** Sends packets one by one; the device deals with each before the next comes. */
    void sends(WirePacket... packets) {
        for (WirePacket packet : packets) {
            sendsFrom(HandPlayedLink.PEER, packet);
        }
    }

    /** Sends packets that the device finds in one look at the network. */
    void sendsTogether(WirePacket... packets) {
        hands(packets);
        scene.settle();
    }

    /** Puts packets on the wire; the device takes them when the test lets it look. */
    void hands(WirePacket... packets) {
        for (WirePacket packet : packets) {
            link.inject(HandPlayedLink.PEER, packet.toBytes(scene.device.qpn()));
        }
    }

    void sendsFrom(Gid source, WirePacket packet) {
        link.inject(source, packet.toBytes(scene.device.qpn()));
        scene.settle();
    }

    /** Sends a packet to a GID of the device's that may be a group. */
    void sends(Gid source, Gid destination, WirePacket packet) {
        link.inject(source, destination, packet.toBytes(scene.device.qpn()));
        scene.settle();
    }

    void sendsBytes(byte[] bytes) {
        link.inject(HandPlayedLink.PEER, bytes);
        scene.settle();
    }

    /** What the link knows of the packets that come. */
    PacketInfo info() {
        return link.info();
    }

    /** Where the device's newest packet went. */
    RouteAttributes lastRoute() {
        return link.lastRoute().attributes();
    }

    /** The multicast groups that the device's link is in. */
    Set<Gid> groups() {
        return link.joined();
    }

    /** What the device decided about the last packet sent. */
    Rule decision() {
        return link.lastDecision();
    }

    /** The device's next packets, in this order. */
    void expects(WirePacket... packets) {
        for (WirePacket expected : packets) {
            byte[] bytes = link.sent().poll();
            if (bytes == null) {
                fail("expected of the device, and not sent: " + expected);
                return;
            }
            String mismatch = expected.mismatch(WirePacket.parse(bytes));
            if (mismatch != null) {
                fail("expected of the device: " + expected + "\n  but " + mismatch);
            }
        }
    }

    void expectsNothing() {
        byte[] bytes = link.sent().peek();
        if (bytes != null) {
            fail("nothing more was expected of the device, it sent " + Ladder.describe(WirePacket.parse(bytes)));
        }
    }

    /** The device's next packet, whatever it is. */
    Packet gets() {
        byte[] bytes = link.sent().poll();
        if (bytes == null) {
            return fail("the device sent no packet");
        }
        return (Packet) WirePacket.parse(bytes);
    }

    /** All that the device has sent since the last look. */
    List<Packet> getsAll() {
        List<Packet> packets = new ArrayList<>();
        while (!link.sent().isEmpty()) {
            packets.add(gets());
        }
        return packets;
    }

    /** How many packets the device has sent since the last look. */
    int waiting() {
        return link.sent().size();
    }
}
