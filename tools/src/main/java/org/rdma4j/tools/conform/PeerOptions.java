package org.rdma4j.tools.conform;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.cm.CmAddress;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Peer;
import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.FrameOutlet;
import org.rdma4j.tools.conform.craft.InterfaceOutlet;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.conform.iwarp.TcpStrands;
import org.rdma4j.tools.conform.iwarp.peer.BuiltInIwarpPeer;
import org.rdma4j.tools.conform.iwarp.peer.RpingPeer;
import org.rdma4j.tools.conform.peer.BuiltInPeer;
import org.rdma4j.tools.conform.peer.PerftestPeer;
import org.rdma4j.tools.conform.peer.Starter;
import org.rdma4j.wire.IpText;
import picocli.CommandLine;

/** Who is under test, and how to reach it. */
public final class PeerOptions {

    /** A peer across a network, perhaps an emulated one. */
    private static final Timing REMOTE = new Timing(6_000_000_000L, 200_000_000L, 1_000_000_000L);

    /** The same where a connection is TCP's: what is lost comes again by itself. */
    private static final Timing IWARP_REMOTE = new Timing(4_000_000_000L, 200_000_000L, 1_000_000_000L);

    private static final String IWARP = "iwarp:";

    private static final int GUEST_ADDRESSES = 1; // guest G of the lab has address G + 1

    /** All of 127.0.0.0/8 is this host; each process takes a corner of its own. */
    private static final long CORNER = ProcessHandle.current().pid();

    /** Addresses of a lane. */
    private static final int ADDRESSES = 4;

    @CommandLine.Option(
            names = "--peer",
            paramLabel = "PROFILE",
            description = {
                "A real device with the known behaviour of this profile: ideal, rxe, siw, connectx4, connectx5,",
                "ernic.",
                "Default: rdma4j's own device, in this process."
            })
    private String peer;

    @CommandLine.Option(names = "--host", paramLabel = "ADDR", description = "The address of the peer's device.")
    private String host;

    @CommandLine.Option(
            names = "--via",
            paramLabel = "HOW",
            defaultValue = "manual",
            description = {
                "Who starts the peer's programs: manual, you do and are told which; ssh; lab",
                "(default: ${DEFAULT-VALUE})."
            })
    private Via via;

    /** Who starts the peer's programs. */
    enum Via {
        manual,
        ssh,
        lab
    }

    @CommandLine.Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "The device at this end. Default: the address that leads to HOST, by UDP.")
    private String device;

    @CommandLine.Option(
            names = "--frames",
            paramLabel = "INTERFACE",
            description =
                    "The interface that leads to HOST, an IPv4 address: frames that no link makes leave by it (root).")
    private String frames;

    @CommandLine.Option(
            names = "--peer-dev",
            paramLabel = "NAME",
            defaultValue = "rxe0",
            description = "The device as the peer's programs call it (default: ${DEFAULT-VALUE}).")
    private String peerDevice;

    @CommandLine.Option(
            names = "--gid-index",
            paramLabel = "N",
            defaultValue = "1",
            description = "The entry of its GID table that has ADDR (default: ${DEFAULT-VALUE}).")
    private int gidIndex;

    @CommandLine.Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18600",
            description = "The first of the TCP ports that the peer's servers take (default: ${DEFAULT-VALUE}).")
    private int port;

    private boolean ipv6;

    String profile() {
        return peer == null ? "ideal" : peer;
    }

    /** As many as there are lanes; a real one serves them all. */
    List<Peer> open(int lanes, PrintWriter out) {
        if (peer == null) {
            List<Peer> peers = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                int first = ADDRESSES * lane + 1;
                peers.add(new ManyPeers(
                        BuiltInPeer.at(number -> address(first + number)),
                        BuiltInIwarpPeer.at(address(first), address(first + 1))));
            }
            return peers;
        }
        if (host == null) {
            throw new ToolException(ExitStatus.USAGE, "--peer " + peer + " needs --host, the address of its device");
        }
        Starter starter = switch (via) {
            case manual -> Starter.manual(host, out);
            case ssh -> Starter.ssh(host);
            case lab -> Starter.lab(guest());
        };
        if (isIwarp()) {
            return Collections.nCopies(lanes, rping(starter));
        }
        Link link = Links.open(device == null ? "roce2:" + towards(CmAddress.of(host)) : device, LinkOptions.DEFAULT);
        ipv6 = !link.gids().getFirst().isIpv4();
        FrameOutlet outlet = frames == null ? null : new InterfaceOutlet(frames, IpText.of(CmAddress.of(host)));
        return Collections.nCopies(
                lanes,
                new PerftestPeer(
                        peer + " at " + host,
                        host,
                        "-d " + peerDevice + " -x " + gidIndex,
                        starter,
                        Wire.driven(link).framing(outlet),
                        REMOTE,
                        port));
    }

    /** siw is iWARP's, and so is who is reached by an iWARP device. */
    private boolean isIwarp() {
        return peer.equals("siw") || device != null && device.startsWith(IWARP);
    }

    private Peer rping(Starter starter) {
        if (device != null && !device.startsWith(IWARP)) {
            throw new ToolException(
                    ExitStatus.USAGE, "--peer " + peer + " is reached by " + IWARP + "ADDRESS, not by -d " + device);
        }
        InetAddress address = CmAddress.of(host);
        ipv6 = address instanceof Inet6Address;
        InetAddress local = CmAddress.of(device == null ? towards(address) : device.substring(IWARP.length()));
        return new RpingPeer(peer + " at " + host, address, starter, new TcpStrands(local), local, IWARP_REMOTE, port);
    }

    private static String address(int last) {
        return "127." + (0x80 | CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + "." + last;
    }

    private int guest() {
        int last = Integer.parseInt(host.substring(Math.max(host.lastIndexOf('.'), host.lastIndexOf(':')) + 1));
        return last - GUEST_ADDRESSES;
    }

    /** This host's address on the way to another. */
    private static String towards(InetAddress other) {
        try (DatagramChannel way = DatagramChannel.open()) {
            way.connect(new InetSocketAddress(other, LinkOptions.ROCE_V2_PORT));
            return IpText.of(((InetSocketAddress) way.getLocalAddress()).getAddress());
        } catch (IOException e) {
            throw new ToolException(
                    ExitStatus.FAILED, "host " + IpText.of(other) + " cannot be reached: " + e.getMessage(), e);
        }
    }

    /** The variants of a check that a way to the peer can have. */
    List<Variant> variants(Check check) {
        if (check.isOnce()) {
            return List.of(usual(check));
        }
        List<Variant> all = check.variants();
        return peer == null
                ? all
                : all.stream()
                        .map(variant -> variant.mpa() == null ? variant : variant.over(ipv6))
                        .filter(variant -> variant.ipv6() == ipv6)
                        .toList();
    }

    /** The one that a quick run takes. */
    Variant usual(Check check) {
        Variant first = check.variants().getFirst();
        return new Variant(first.mtu(), peer != null && ipv6, first.psn(), first.mpa());
    }
}
