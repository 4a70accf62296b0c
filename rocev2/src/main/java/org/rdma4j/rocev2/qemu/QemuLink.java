package org.rdma4j.rocev2.qemu;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.ethernet.PortConfigs;
import org.rdma4j.rocev2.ethernet.PortName;

/**
 * A cable to a guest of QEMU that needs no root: {@code roce2eth:qemu=LOCAL,REMOTE?address=10.9.0.1/24}, and the guest with
 *
 * <pre>
 *   -netdev dgram,id=n,local.type=inet,local.host=127.0.0.1,local.port=REMOTE,
 *           remote.type=inet,remote.host=127.0.0.1,remote.port=LOCAL
 * </pre>
 *
 * The two ports may be two devices of rdma4j as well.
 */
public final class QemuLink {

    private static final Pattern PLACE = Pattern.compile("qemu=(\\d{1,5}),(\\d{1,5})");

    /** Locally administered; "QE" and "M" in the middle. */
    private static final long MADE_UP_MAC = 0x0251_454D_0000L;

    private static final int MADE_UP_MTU = 1500;

    private QemuLink() {}

    /** True where the name means one of these. */
    public static boolean isMeant(PortName name) {
        return name.place().startsWith("qemu=");
    }

    public static Link open(PortName name, LinkOptions options) {
        Matcher ports = PLACE.matcher(name.place());
        int local = ports.matches() ? Integer.parseInt(ports.group(1)) : 0;
        int remote = ports.matches() ? Integer.parseInt(ports.group(2)) : 0;
        if (local < 1 || local > 0xFFFF || remote < 1 || remote > 0xFFFF || local == remote) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    name.text() + ": " + name.place() + " is to be qemu=LOCAL,REMOTE with two UDP ports of 127.0.0.1,"
                            + " such as qemu=9001,9002");
        }
        NetworkCard card =
                new NetworkCard(name.place(), 0, name.mac(MADE_UP_MAC | local), name.mtu(MADE_UP_MTU), true, List.of());
        PortConfig config = PortConfigs.of(name, card, address -> false, options.udpPort());
        return new EthernetLink(name.text(), config, DatagramIo.open(local, remote, options.receiveBuffer()), null);
    }
}
